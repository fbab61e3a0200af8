"""The rows of the tables: functions.txt has the functions, kinds.txt the kinds of their parameters. Both say how they
are written."""

import re
import sys
from pathlib import Path

TABLES = Path(__file__).parent

# Words that a function may have beside its parameters: functions.txt says what each means.
WORDS = {"inter", "begins", "mpix", "tool", "c", "written", "keyed", "mpifh", "collective", "neighbours", "fromroot", "each", "persistent",
         "starts", "lifetime"}

# Meanings of kinds, beside those with a name behind them: kinds.txt says how each is converted.
MEANINGS = {"data", "buffer", "buffer place", "memory place", "address", "memory", "weights", "index", "status", "contents", "string",
            "strings", "function", "C", "-"}

# Lengths of arrays that no parameter has, in C: of the parameters in parentheses, by functions of the face and
# conversions to C.
LENGTHS = {
    "PEERS": "uno_{face}_peers({0})", "SOURCES": "uno_{face}_sources({0})", "DESTINATIONS": "uno_{face}_destinations({0})",
    "UNPLACED": "uno_{to_c}_buffer({0}) == MPI_IN_PLACE ? 0 : uno_{face}_peers({1})",
    "TYPES": "uno_{face}_types_in({0}, {1})",
}


def lines(table):
    """The lines of a table that are no comments; one that begins with blanks goes on with the one before."""
    out = []
    for line in (TABLES / table).read_text().splitlines():
        if line.startswith(" "):
            out[-1] += " " + line.strip()
        elif line and (not line.startswith("#") or line.startswith("## ")):
            out.append(line)
    return out


class Kind:
    """`forms`: its C types of the first form and of the large one; `meaning`, `of`: how it is converted; `look`: how an
    entry looks at it, or None."""

    def __init__(self, line):
        self.name, types, meaning, look = re.split(r"  +", line)
        first, _, large = types.partition(", ")
        self.forms = (first, large or first)
        two = re.fullmatch(r"(object|number|function|string) (\w+)", meaning)
        self.meaning, self.of = two.groups() if two else (meaning, None)
        if not two and meaning not in MEANINGS:
            sys.exit(f"kinds.txt: {self.name}: {meaning} is no meaning")
        self.object = self.of if self.meaning == "object" else None
        self.look = None if look == "-" else look

    @property
    def two(self):
        return self.forms[0] != self.forms[1]


KINDS = {kind.name: kind for kind in map(Kind, lines("kinds.txt"))}


def kind_of(name, function):
    return KINDS.get(name) or sys.exit(f"functions.txt: MPI_{function}: {name} is no kind of kinds.txt")


class Parameter:
    """`way`: IN, OUT or INOUT if it is given by address, else None; `late`: the function itself looks whether it
    counts; `length`: of an array, and `filled`: what tells how much of that the function has filled in."""

    def __init__(self, text, function):
        match = re.fullmatch(r"(?:(IN|OUT|INOUT) )?(\w+)(\?)? (\w+)(?:\[([^:]*)(?::(\w+))?\])?", text)
        if not match:
            sys.exit(f"functions.txt: MPI_{function}: {text!r} is no parameter")
        self.way, self.kind, self.late, self.name = match[1], kind_of(match[2], function), bool(match[3]), match[4]
        self.array, self.length, self.filled = match[5] is not None, match[5] or "", match[6]
        if not self.way and (self.array or self.kind.forms[0] in ("void", "char", "MPI_Status")):
            sys.exit(f"functions.txt: MPI_{function}: {text}: it is given by address, IN, OUT or INOUT")

    def form(self, large):
        """Return the parameter's declaration in one of the two forms."""
        c, made = self.kind.forms[large], self.kind.forms[large].endswith(("*", "]"))
        text = ("const " if self.way == "IN" and not made else "") + c.removesuffix("[3]")
        pointer = self.way and not self.array or self.special  # of whose special values compilers warn if it is an array
        return text + " " * (not c.endswith("*")) + "*" * bool(pointer) + self.name + self.brackets

    @property
    def special(self):
        """True if it is an array that may be a null address."""
        return self.array and self.kind.meaning in ("weights", "status")

    @property
    def brackets(self):
        return "" if not self.array or self.special else "[]" + "[3]" * self.kind.forms[0].endswith("[3]")

    @property
    def looked_up(self):
        """The kind of object that is behind its handle for a function of the core; or None."""
        return self.kind.object if self.kind.look and not self.way else None

    @property
    def numbers(self):
        """True if a function of the core gets it as a list of numbers of either form."""
        return self.array and self.way == "IN" and self.kind.two and self.kind.forms[0] == "int"

    @property
    def narrow(self):
        """True if its result is cut to an int for the first form."""
        return self.kind.two and self.kind.forms[0] == "int" and bool(self.way) and not self.array

    @property
    def owner(self):
        """True if it is an object whose error handler is called."""
        return self.kind.object in ("comm", "win", "file", "session") and not self.way

    def given_length(self, name, face, to_c):
        """Return the array's length in C, for a face with such functions and conversions; name: returns a parameter's
        name in C there."""
        word, _, arguments = self.length.removesuffix(")").partition("(")
        if not arguments:
            return name(word)
        return LENGTHS[word].format(*map(name, arguments.split(",")), face=face, to_c=to_c)


class Function:
    """`instead`: what works, if the function is not there; or None."""

    def __init__(self, chapter, instead, mark, text):
        match = re.fullmatch(r"(?:(\w+) )?(\w+)\((.*)\)((?: \w+)*)", text)
        if not match:
            sys.exit(f"functions.txt: {text!r} is no function")
        self.chapter, self.mark, self.name = chapter, mark, match[2]
        self.instead = None if self.there else instead or sys.exit(f"functions.txt: {chapter}: what works instead of MPI_{self.name}?")
        self.made = match[1] and kind_of(match[1], self.name)
        self.result = self.made.forms[0] if self.made else "int"
        self.variadic = match[3].endswith("...")
        listed = match[3].removesuffix("...").removesuffix(", ")
        self.parameters = [Parameter(p, self.name) for p in listed.split(", ")] if listed else []
        self.words = set(match[4].split())
        self.check()

    def check(self):
        known = {p.name for p in self.parameters}
        for p in self.parameters:
            word, _, arguments = p.length.removesuffix(")").partition("(")
            used = set(filter(None, (p.filled, *(arguments.split(",") if word in LENGTHS else [p.length]))))
            if not used <= known:
                sys.exit(f"functions.txt: MPI_{self.name}: {p.name} has a length that is no parameter: {used - known}")
        if not self.words <= WORDS:
            sys.exit(f"functions.txt: MPI_{self.name}: {self.words - WORDS} is no word for a function")

    def __getitem__(self, name):
        return next(p for p in self.parameters if p.name == name)

    @property
    def there(self):
        return self.mark != "-"

    @property
    def plain(self):
        """True if it has no errors, and its arguments are passed on."""
        return bool(self.made) or self.variadic

    @property
    def numbered(self):
        """The kind of objects whose handles it converts to numbers, or from numbers; or None."""
        handle = next((p.kind.object for p in self.parameters), None) or self.made and self.made.object
        return handle if self.made else None

    @property
    def suspects(self):
        """True if its entry looks twice at arguments that may be right: data of the program's that lie nowhere."""
        return any(p.kind.meaning == "data" and not p.late for p in self.parameters)

    @property
    def inner(self):
        return "uno_mpi_" + self.name.lower()

    @property
    def between(self):
        """The function that does it for an intercommunicator; None: the same function, or none."""
        return "uno_inter_" + self.name.lower() if "inter" in self.words else None

    @property
    def chooser(self):
        """The first function of the program's by which the form is known that the program has called; or None."""
        return next((p for p in self.parameters if p.kind.meaning == "function" and p.kind.two), None)

    @property
    def blames(self):
        """The kind of objects whose error handler is called, if it is no communicator's: also of a file that it is to
        open, and of no file."""
        return "file" if self.chapter == "Files" else next((p.kind.object for p in self.parameters if p.owner and p.kind.object != "comm"), None)

    @property
    def makes_type(self):
        """True if it keeps which form the program has called, as a part of the type that it makes."""
        return len(self.forms) == 2 and any(p.kind.object == "type" and p.way == "OUT" for p in self.parameters)

    @property
    def makes_comm(self):
        """The parameter that gets the communicator that it makes of another one; or None."""
        return self.comm and next((p.name for p in self.parameters if p.kind.object == "comm" and p.way == "OUT"), None)

    @property
    def forms(self):
        """Names of its forms, and whether each is the large one."""
        two = any(p.kind.two for p in self.parameters)
        return [(self.name, False)] + ([(self.name + "_c", True)] if two else [])

    @property
    def comm(self):
        """The first communicator that it gets; or None."""
        return next((p.name for p in self.parameters if p.kind.object == "comm" and not p.way), None)

    def elements(self, data):
        """The parameters that say how many data of the program's there are, of which type, and from or for which rank
        if that is one; each may be None."""
        behind = self.parameters[self.parameters.index(data) + 1:]
        count = next((q for q in behind if q.kind.name in ("COUNT", "BYTES", "LARGE_COUNT")), None)
        behind = behind[behind.index(count) + 1:] if count else [q for q in behind if q.kind.meaning != "data"]
        end = next((i for i, q in enumerate(behind) if q.kind.meaning == "data"), len(behind))
        kind = next((q for q in behind[:end] if q.kind.object == "type"), None)
        return count, kind, self.peer(kind) if kind else None

    def peer(self, kind):
        """The one rank from or for which there is a message of that type; or None."""
        behind = self.parameters[self.parameters.index(kind) + 1:]
        end = next((i for i, q in enumerate(behind) if q.kind.meaning == "data"), len(behind))
        peers = [q.name for q in behind[:end] if q.kind.name in ("RANK", "SOURCE") and not q.way]
        return peers[0] if len(peers) == 1 else None

    def prototype(self, name, large):
        listed = [p.form(large) for p in self.parameters] + (["..."] if self.variadic else [])
        return f"{self.result} {name}({', '.join(listed) or 'void'})"


def functions():
    """Return all rows of the table, in its order."""
    rows, chapter, instead = [], None, None
    for line in lines("functions.txt"):
        if line.startswith("## "):
            chapter, instead = line[3:], None
        elif line.startswith("~ "):
            instead = line[2:]
        elif line[:2] in ("+ ", "* ", "! ", "- "):
            rows.append(Function(chapter, instead, line[0], line[2:]))
        else:
            sys.exit(f"functions.txt: {line!r} is neither a row nor a comment")
    return rows
