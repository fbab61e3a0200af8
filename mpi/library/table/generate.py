#!/usr/bin/env python3
"""Makes the face of the MPI library from its one table, functions.txt: mpi.h, the entries with their checks, and the
list in docs/mpi-library.md.

    generate.py header mpi.h.in      mpi.h, to standard output
    generate.py calls                calls.h: what there is behind the entries, uno_mpi_send for MPI_Send
    generate.py face                 face.c: MPI_Send and PMPI_Send, which check, convert handles, and call that
    generate.py face ABI             face_ABI.c: those of another ABI, mpich or openmpi (foreign.py)
    generate.py values ABI           values_ABI.h: how handles and numbers of that one are converted
    generate.py fortran ABI [names]  fortran_ABI.c: what Fortran programs of that one call (fortran.py); or other names of what is
                                     written by hand
    generate.py f08                  f08_mpich.c: what Fortran programs with MPICH's module mpi_f08 call
    generate.py docs FILE            writes the list into FILE, between its two marks; with --check only compares"""

import re
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True  # beside the sources

import foreign  # noqa: E402
import fortran  # noqa: E402

TABLE = Path(__file__).parent / "functions.txt"

# What stands for two types: of the first form, and of the large one.
TWO_FORMS = {
    "COUNT": ("int", "MPI_Count"),
    "DISP": ("int", "MPI_Aint"),
    "BYTES": ("MPI_Aint", "MPI_Count"),
    "USER_FUNCTION": ("MPI_User_function", "MPI_User_function_c"),
    "CONVERSION_FUNCTION": ("MPI_Datarep_conversion_function", "MPI_Datarep_conversion_function_c"),
}

# The object that a handle names, and how it is looked up. Handles of other kinds are passed on as they are.
OBJECTS = {
    "MPI_Comm": "comm",
    "MPI_Group": "group",
    "MPI_Datatype": "type",
    "MPI_Op": "op",
    "MPI_Errhandler": "errhandler",
    "MPI_Info": "info",
}

TOOLS = "Tools"  # the chapter whose functions call no error handler, and need no MPI_Init
# the chapters whose functions find out themselves which arguments count
COLLECTIVES = ("Collectives", "Nonblocking collectives", "Persistent collectives", "Neighbourhood collectives")

# Functions that are of one group alone: with an intercommunicator they are wrong, or not there.
INTRA = ("Scan", "Exscan", "Iscan", "Iexscan", "Scan_init", "Exscan_init", "Comm_create_group", "Cart_create", "Cart_map",
         "Graph_create", "Graph_map", "Dist_graph_create", "Dist_graph_create_adjacent", "Intercomm_create")

# What an entry begins with, by the mark of its row.
BEGINS = {"+": "uno_call_begin", "*": "uno_call_begin_anytime"}

# Parameters that count at one rank only.
LEADERS = ("peer_comm", "remote_group")


class Parameter:
    def __init__(self, text):
        match = re.fullmatch(r"(.*?)(\w+)(\[\]|\[\]\[3\])?", text)
        self.type, self.name, self.array = match[1].strip(), match[2], match[3] or ""

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


# ---- mpi.h


def header(template):
    out = []
    for f in functions():
        for name, large in f.forms:
            out.append(f.prototype("MPI_" + name, large) + ";")
            out.append(f.prototype("PMPI_" + name, large) + ";")
    return Path(template).read_text().replace("@PROTOTYPES@\n", "\n".join(out) + "\n")


# ---- what is behind the entries


def plain(f):
    """Functions that have no errors, whose arguments are passed on."""
    return f.result != "int" or f.name.endswith(("_toint", "_fromint")) or f.variadic


def inner_parameter(f, p):
    """Its declaration behind the entries, where there is one form of each function."""
    if plain(f):
        return p.form(True)
    if p.type in OBJECTS and not p.array:
        return f"struct uno_mpi_{OBJECTS[p.type]} *{p.name}"
    if p.array and p.base in ("COUNT", "DISP"):
        return f"struct uno_numbers {p.name}" if p.type.startswith("const") else p.form(True)
    if p.base in ("COUNT", "DISP", "BYTES"):
        constant, pointer = "const " * p.type.startswith("const"), "*" * p.type.endswith("*")
        return f"{constant}MPI_Count {pointer}{p.name}{p.array}"
    if p.base == "USER_FUNCTION":
        return f"void (*{p.name})(void), bool large"
    return p.form(False)


def inner_prototypes(f):
    listed = [inner_parameter(f, p) for p in f.parameters] + ["bool large"] * f.makes_type
    return [f"{f.result} {name}({', '.join(listed) or 'void'});" for name in (f.inner, f.between) if name]


def calls():
    out = ["/* What is behind the entries: made by generate.py. */", "#ifndef UNO_MPI_CALLS_H", "#define UNO_MPI_CALLS_H",
           '#include "library/object/objects.h"']
    for f in functions():
        out += inner_prototypes(f) if f.there else []
    return "\n".join(out + ["#endif"]) + "\n"


# ---- the entries


def peer_of(f, name):
    """The parameter that says where a message of that type goes to, or comes from; or None."""
    peers = [p.name for p in f.parameters if p.name in ("dest", "source")]
    if f.chapter not in ("Messages", "Persistent requests"):
        return None
    return {"sendtype": "dest", "recvtype": "source"}.get(name, peers[0] if len(peers) == 1 else None)


# Functions that tell the name of a null handle, too.
NULL_NAMED = {"Comm_get_name": "MPI_COMM_NULL", "Type_get_name": "MPI_DATATYPE_NULL"}


def check(f, p):
    """The statement that looks at an argument; or None."""
    name = p.name
    if p.type in OBJECTS and not p.array:
        kind = OBJECTS[p.type]
        loose = (f.chapter in COLLECTIVES and name in ("sendtype", "recvtype")) or kind == "info" or name in LEADERS
        if loose:
            return f"struct uno_mpi_{kind} *the_{name} = uno_find_{kind}({name});"
        if kind == "comm" and f.name in INTRA:
            return f'struct uno_mpi_comm *the_{name} = uno_check_intra(&call, QUICK, "{name}", {name});'
        if f.name in NULL_NAMED:
            null = NULL_NAMED[f.name]
            return f'struct uno_mpi_{kind} *the_{name} = {name} == {null} ? NULL : uno_check_{kind}(&call, QUICK, "{name}", {name});'
        kind_checked = "committed" if kind == "type" and f.chapter != "Datatypes" and not f.name.startswith("Type") else kind
        peer = peer_of(f, name) if kind_checked == "committed" else None
        if peer:
            return f'struct uno_mpi_{kind} *the_{name} = uno_check_carried(&call, QUICK, "{name}", {name}, {peer});'
        return f'struct uno_mpi_{kind} *the_{name} = uno_check_{kind_checked}(&call, QUICK, "{name}", {name});'
    if p.base == "COUNT" and not p.array and not p.type.endswith("*"):
        loose = f.chapter in COLLECTIVES and any(q.name == name.replace("count", "type") for q in f.parameters)
        if name == "stride" or loose:
            return None
        return f'uno_check_count(&call, QUICK, "{name}", {name});'
    if p.type != "int" or p.array:
        nullable = p.base in ("void", "char", "MPI_Status") or p.type.endswith("**") or not p.type.endswith("*")
        return None if nullable or f.name in ("Init", "Init_thread") or "_function" in p.base else f'uno_check_pointer(&call, QUICK, "{name}", {name});'
    if name in ("count", "incount", "valuelen") or (name == "n" and f.chapter.startswith("Groups")):
        return f'uno_check_count(&call, QUICK, "{name}", {name});'
    if name in ("dest", "root", "source"):
        return f'uno_check_{name}(&call, QUICK, {name});'
    if name in ("tag", "sendtag", "recvtag") and f.chapter in ("Messages", "Persistent requests"):
        wild = name == "recvtag" or (name == "tag" and any(q.name == "source" for q in f.parameters))
        return f'uno_check_tag(&call, QUICK, "{name}", {name}, {"true" if wild else "false"});'
    return None


def argument(f, p, large):
    if p.type in OBJECTS and not p.array:
        return "the_" + p.name
    if p.array and p.base in ("COUNT", "DISP") and p.type.startswith("const"):
        return f"(struct uno_numbers){{{p.name}, {'true' if large else 'false'}}}"
    if p.base == "USER_FUNCTION":
        return f"(void (*)(void)){p.name}, {'true' if large else 'false'}"
    if p.type == "COUNT *" and not large:
        return "&large_" + p.name
    if p.base == "BYTES" and (p.array or p.type.endswith("*")):
        return f"(const MPI_Count *){p.name}" if p.type.startswith("const") else f"(MPI_Count *){p.name}"
    return p.name


def checks(f):
    # the communicator first, whose error handler is called for what is wrong with the others
    ordered = sorted(f.parameters, key=lambda p: p.type != "MPI_Comm")
    return ["    " + c for c in (check(f, p) for p in ordered) if c]


def wrong(f, name, large):
    """Behind an entry whose arguments are wrong: says which."""
    out = [f"static UNO_COLD {f.prototype('wrong_' + name, large)} {{", "    enum { QUICK = false };",
           f"    struct uno_call call = {{.name = \"MPI_{name}\"}};"]
    out += checks(f)
    unused = [f"(void){p.name};" for p in f.parameters] + [f"(void)the_{p.name};" for p in f.parameters if p.type in OBJECTS and not p.array]
    return out + ["    " + " ".join(unused), "    return uno_call_raise(call.name, call.comm, call.error);", "}"]


def entry_there(f, name, large):
    listed = ", ".join([argument(f, p, large) for p in f.parameters] + [str(large).lower()] * f.makes_type)
    out = ["    enum { QUICK = true };"] if checks(f) else []
    out.append(f"    struct uno_call call = {{.name = \"MPI_{name}\"}};")
    if f.mark in BEGINS:
        out.append(f"    {BEGINS[f.mark]}(&call);")
    narrow = [p for p in f.parameters if p.type == "COUNT *" and not large]
    for c in checks(f):  # one jump for each, which costs less than what all have found
        out += [c, "    if (UNO_UNLIKELY(call.error))\n        goto wrong;"]
    out += [f"    MPI_Count large_{p.name} = *{p.name};" for p in narrow]
    if f.between:
        out.append(f"    int outcome = UNO_UNLIKELY(the_comm->remote != NULL) ? {f.between}({listed})")
        out.append(f"                                                          : {f.inner}({listed});")
    else:
        out.append(f"    int outcome = {f.inner}({listed});")
    out += [f"    *{p.name} = uno_narrow(large_{p.name});" for p in narrow]
    out.append("    return UNO_LIKELY(!outcome) ? MPI_SUCCESS : uno_call_raise(call.name, call.comm, outcome);")
    if checks(f):
        out.append(f"wrong:\n    return wrong_{name}({', '.join(p.name for p in f.parameters)});")
    return out


def entry(f, name, large, before, prefix):
    """The standard's entry: its text, which begins with `before` and a name with that prefix."""
    out = wrong(f, name, large) if f.there and not plain(f) and checks(f) else []
    out.append(before + f.prototype(prefix + name, large) + " {")
    if not f.there:
        unused = "".join(f"(void){p.name}, " for p in f.parameters).removesuffix(", ")
        out += [f"    {unused};"] if unused else []
        if f.chapter == TOOLS:
            out.append("    return MPI_ERR_UNSUPPORTED_OPERATION;")
        else:
            comm = next((p.name for p in f.parameters if p.type == "MPI_Comm"), "MPI_COMM_SELF")
            out.append(f'    return uno_call_unsupported("MPI_{name}", {comm});')
    elif plain(f):
        out.append(f"    return {f.inner}({', '.join(p.name for p in f.parameters)});")
    else:
        out += entry_there(f, name, large)
    return out + ["}"]


def face():
    out = ["/* The entries of the library: made by generate.py. */", '#include "library/calls.h"', '#include "library/face/check.h"',
           '#define EXPORT __attribute__((visibility("default")))']
    for f in functions():
        for name, large in f.forms:
            out += entry(f, name, large, "EXPORT ", "PMPI_")
            out.append(f"{f.prototype('MPI_' + name, large)} __attribute__((weak, alias(\"PMPI_{name}\"), visibility(\"default\")));")
    return "\n".join(out) + "\n"


def foreign_face(abi):
    out = [f"/* The entries of {abi}'s ABI: made by generate.py. */", '#include "library/calls.h"', f'#include "library/face/{abi}.h"']
    out += foreign.tables(abi)
    for f in functions():
        for name, large in f.forms:
            out += entry(f, name, large, "static inline ", "abi_") if f.there else []
            out += foreign.entry(f, name, large, abi)
    return "\n".join(out + list(foreign.others(abi, functions()))) + "\n"


# ---- the list


def docs_list():
    out, rows = [], functions()
    forms = [(f, len(f.forms)) for f in rows]
    out.append(f"Of {sum(n for _, n in forms)} functions, large forms counted, {sum(n for f, n in forms if f.there)} are there.\n")
    for chapter in dict.fromkeys(f.chapter for f in rows):
        for there, title in ((True, "there"), (False, "not there")):
            names = [f.name for f in rows if f.chapter == chapter and f.there == there]
            if names:
                text = f"- {chapter}, {title}: " + ", ".join(names) + "."
                out.append(textwrap.fill(text, 140, subsequent_indent="  ", break_long_words=False))
    return "\n".join(out) + "\n"


def docs(file, only_check):
    text = Path(file).read_text()
    marks = "<!-- functions -->\n", "<!-- end -->\n"
    start, end = text.index(marks[0]) + len(marks[0]), text.index(marks[1])
    made = text[:start] + docs_list() + text[end:]
    if only_check:
        if made != text:
            sys.exit(f"{file}: its list is not that of the table; {sys.argv[0]} docs {file} writes it")
    else:
        Path(file).write_text(made)


def main():
    what, arguments = (sys.argv + ["", ""])[1], sys.argv[2:]
    if what == "header":
        sys.stdout.write(header(arguments[0]))
    elif what == "calls":
        sys.stdout.write(calls())
    elif what == "face":
        sys.stdout.write(foreign_face(arguments[0]) if arguments else face())
    elif what == "f08":
        sys.stdout.write(fortran.f08(functions()))
    elif what == "fortran":
        sys.stdout.write((fortran.by_hand if "names" in arguments else fortran.entries)(functions(), arguments[0]))
    elif what == "values":
        sys.stdout.write(foreign.values(arguments[0]))
    elif what == "docs":
        docs(arguments[0], "--check" in arguments)
    else:
        sys.exit(__doc__)


main()
