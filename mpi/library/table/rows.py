"""The rows of the table of functions, functions.txt, which says how they are written."""

import re
import sys
from pathlib import Path

TABLE = Path(__file__).parent / "functions.txt"

# Words that stand for two types: that of the first form, and that of the large one.
TWO_FORMS = {
    "COUNT": ("int", "MPI_Count"),
    "DISP": ("int", "MPI_Aint"),
    "BYTES": ("MPI_Aint", "MPI_Count"),
    "USER_FUNCTION": ("MPI_User_function", "MPI_User_function_c"),
    "CONVERSION_FUNCTION": ("MPI_Datarep_conversion_function", "MPI_Datarep_conversion_function_c"),
}

# the chapters whose functions find out themselves which arguments count
COLLECTIVES = ("Collectives", "Nonblocking collectives", "Persistent collectives", "Neighbourhood collectives")

# Functions that are of one group alone: with an intercommunicator they are wrong, or not there.
INTRA = ("Scan", "Exscan", "Iscan", "Iexscan", "Scan_init", "Exscan_init", "Comm_create_group", "Cart_create", "Cart_map",
         "Graph_create", "Graph_map", "Dist_graph_create", "Dist_graph_create_adjacent", "Intercomm_create")

# Words that stand for void, and say what is there: the program's data, or memory that the call itself looks at or writes to.
MEMORY = ("CHOICE", "PLACE")


class Parameter:
    """`memory`: one of MEMORY, or None; `length`: of an array, the parameter that says it, or an empty string."""

    def __init__(self, text):
        match = re.fullmatch(r"(.*?)(\w+)(?:\[(\w*)\](\[3\])?)?", text)
        self.type, self.name, self.length = match[1].strip(), match[2], match[3] or ""
        self.array = "" if match[3] is None else "[]" + (match[4] or "")
        self.memory = next((word for word in MEMORY if word in self.type.split(" ")), None)
        self.type = self.type.replace(self.memory, "void") if self.memory else self.type

    def form(self, large):
        """Its declaration in one of the two forms."""
        words = self.type.split(" ")
        words = [TWO_FORMS[word][large] if word in TWO_FORMS else word for word in words]
        text = " ".join(words)
        if "weights" in self.name:  # MPI_UNWEIGHTED is the address of no array, of which compilers warn
            return f"{text} *{self.name}"
        return text + ("" if text.endswith("*") else " ") + self.name + self.array

    @property
    def base(self):
        return self.type.replace("const ", "").split(" ")[0]


class Function:
    def __init__(self, chapter, mark, text):
        match = re.fullmatch(r"(?:(\w+) )?(\w+)\((.*)\)", text)
        self.chapter, self.mark = chapter, mark
        self.result, self.name = match[1] or "int", match[2]
        self.variadic = match[3].endswith("...")
        named = [] if match[3] == "void" else match[3].removesuffix(", ...").split(", ")
        self.parameters = [Parameter(p) for p in named]

    @property
    def there(self):
        return self.mark != "-"

    @property
    def sets_status(self):
        """Whether it changes a status that there is, and does not fill in one."""
        return self.name.startswith("Status_set")

    @property
    def suspects(self):
        """Whether its entry looks twice at what may be right: data of the program's that lie nowhere."""
        return self.chapter not in COLLECTIVES and any(p.memory == "CHOICE" for p in self.parameters)

    @property
    def extension(self):
        """Whether Open MPI 4 had it before the standard did, as MPIX_."""
        return self.chapter == "Persistent collectives" or (self.name.startswith("Neighbor") and self.name.endswith("_init"))

    @property
    def inner(self):
        return "uno_mpi_" + self.name.lower()

    @property
    def makes_type(self):
        """Whether it keeps which form the program has called, as a part of the type that it makes."""
        return len(self.forms) == 2 and any(p.name == "newtype" for p in self.parameters)

    @property
    def between(self):
        """What does it for an intercommunicator; or None: the same, or nothing."""
        two = self.chapter == "Collectives" and self.name not in INTRA
        return "uno_inter_" + self.name.lower() if two else None

    @property
    def forms(self):
        """Names of its forms, and whether each is the large one."""
        two = any(p.base in TWO_FORMS for p in self.parameters)
        return [(self.name, False)] + ([(self.name + "_c", True)] if two else [])

    def prototype(self, name, large):
        listed = [p.form(large) for p in self.parameters] + (["..."] if self.variadic else [])
        return f"{self.result} {name}({', '.join(listed) or 'void'})"


def functions():
    """All rows of the table, in its order."""
    rows, chapter = [], None
    for line in TABLE.read_text().splitlines():
        if line.startswith("## "):
            chapter = line[3:]
        elif line.startswith(" "):
            rows[-1][2] += " " + line.strip()
        elif line[:2] in ("+ ", "* ", "! ", "- "):
            rows.append([chapter, line[0], line[2:]])
        elif line and not line.startswith("#"):
            sys.exit(f"{TABLE}: {line!r} is neither a row nor a comment")
    return [Function(*row) for row in rows]
