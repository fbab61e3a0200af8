#!/usr/bin/env python3
"""generate.py TABLE HEADER...: the calls of the fuzzer (main.py), in C, to standard output. TABLE is the folder of the
table of functions; of these those are called that the HEADERs declare. Each gets a C function that calls it with
everything right, or with one argument wrong: which values these are is in values.py."""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [sys.argv[1], str(HERE)]

import rows  # noqa: E402
import values  # noqa: E402

COLLECTIVES = ("Collectives", "Nonblocking collectives", "Persistent collectives", "Neighbourhood collectives", "Groups and communicators",
               "Topologies")
# Arguments that count at only one of the ranks; an error there leaves the other rank waiting for ever.
ONE_RANKS = {"Gather": ("recv",), "Gatherv": ("recv", "displs"), "Scatter": ("send",), "Scatterv": ("send", "displs"),
             "Reduce": ("recvbuf",), "Exscan": ("recvbuf",)}


def stem(f):
    """The name of a collective without the parts for its nonblocking and persistent forms."""
    return re.sub(r"_init$", "", re.sub(r"^I(?!n)", "", f.name)).capitalize()


def wanted(f):
    return f.there and not f.plain and f.name not in values.LEFT_OUT


class Argument:
    """An argument of a call: `before`, C's statements that give a variable of the parameter's name the right value;
    `wrong`, pairs of an error and the statement that makes it; `after`, the statements that undo the effects of the
    call."""

    def __init__(self, f, p, large):
        self.f, self.p, self.large, self.wrong, self.after = f, p, large, [], []
        self.type = p.form(large).removesuffix(p.brackets).removesuffix(p.name).strip()
        self.constant = self.type.startswith("const ")
        c, meaning = p.kind.forms[0], p.kind.meaning
        if meaning == "status":
            self.status()
        elif meaning == "string":
            self.string()
        elif p.array or p.kind.name == "ARGV":
            self.array()
        elif meaning == "function":
            self.function()
        elif "void" in c:
            self.address()
        elif c in values.OBJECTS:
            (self.handle_at if p.way else self.handle)(*values.OBJECTS[c])
        elif p.way:
            self.number_at()
        else:
            self.number()

    def right(self, other=None):
        f, n = self.f, self.p.name
        return values.RIGHT_OF.get((f.name, n)) or values.RIGHT.get(n, other)

    def declare(self, value):
        self.before = [f"{self.type} {self.p.name} = {value};"]

    def bad(self, what, value):
        self.wrong.append((f"{self.p.name} {what}", f"{self.p.name} = {value};"))

    def bad_at(self, what, value):
        self.wrong.append((f"{self.p.name} holds {what}", f"*{self.p.name} = {value};"))

    # ---- objects

    def handles(self, kind, null, other):
        yield "null", null
        yield "never made", f"NEVER({self.p.kind.forms[0]}, {kind.upper()}_BITS)"
        yield "freed", f"freed_{kind}()"
        yield "of another kind", f"({self.p.kind.forms[0]})(intptr_t){other}"

    def handle(self, kind, null, other):
        communicator = next((c for c, names in values.COMMUNICATORS.items() if self.f.name in names), None)
        if kind == "comm":
            near = "eighbor" in self.f.name and not communicator
            right = "right.cart" if near else communicator or "right.comm"
            right = values.RIGHT_OF.get((self.f.name, self.p.name), right)
            if near or communicator not in (None, "MPI_COMM_SELF"):
                self.bad("of no topology", "right.comm")
        else:
            right = self.right("right." + kind)
        self.declare(right)
        if kind == "win":
            self.before = [f"MPI_Win kept_win = {right}; MPI_Win win = kept_win;",
                           "if (right.inside && !right.fatal) MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);"]
            self.after.append("drop_win(&kept_win);")
        for what, value in self.handles(kind, null, other):
            self.bad(what, value)

    def handle_at(self, kind, null, other):
        n, name = self.p.name, self.f.name
        taken = self.p.way == "INOUT"
        first = values.RIGHT_OF.get((name, n), f"new_{kind}()") if taken else null
        self.before = [f"{self.p.kind.forms[0]} the_{n} = {first}; {self.p.kind.forms[0]} *{n} = &the_{n};"]
        self.bad("address null", "NULL")
        if taken:
            for what, value in self.handles(kind, null, other):
                self.bad_at(what, value)
        self.after.append(f"drop_{kind}(&the_{n});")

    # ---- addresses

    def address(self):
        n, f = self.p.name, self.f
        if self.p.kind.meaning == "data":
            at = {"sendbuf": 0, "inbuf": 0, "buf": 0, "buffer": 0}.get(n, 1)
            self.declare(f"memory[{at}]")
            unseen = stem(f) == "Exscan" and n == "recvbuf"  # in the first rank, and one alone is that
            self.bad("of no memory" if unseen else "NULL", "NULL")
            self.bad("MPI_IN_PLACE", "MPI_IN_PLACE")
            return
        self.declare(self.right("memory[2]"))
        self.bad("null", "NULL")

    def string(self):
        n = self.p.name
        self.type = self.type.removesuffix("*").strip() + " *"
        if not self.constant:
            self.declare("(char *)memory[2]")
        else:
            right = values.RIGHT_OF.get((self.f.name, n)) or values.RIGHT.get(f"{n} string") or values.RIGHT[n]
            self.declare(right)
            self.bad("empty", '""')
            self.bad("long", "long_string")
        self.bad("null", "NULL")

    def status(self):
        n = self.p.name
        self.before = [f"MPI_Status the_{n}[8]; memset(the_{n}, 0, sizeof the_{n}); {self.type} {n} = the_{n};"]
        self.bad("null", "NULL")

    def function(self):
        n = self.p.name
        own = self.p.kind.name == "USER_FUNCTION"
        self.declare(("user_function_c" if self.large else "user_function") if own else self.right("NULL"))
        self.bad("null", "NULL")

    # ---- numbers

    def number(self):
        n, p, name = self.p.name, self.p, self.f.name
        self.declare(self.right())
        wide = self.type in ("MPI_Count", "MPI_Aint", "MPI_Offset")
        least = "(MPI_Count)INT64_MIN" if wide else "INT_MIN"
        if p.kind.of == "rank" or p.kind.name == "MEMBER":
            self.bad("too large", "right.size")
            self.bad("INT_MAX", "INT_MAX")
            self.bad("INT_MIN", "INT_MIN")
            if p.kind.name not in ("RANK", "SOURCE"):
                self.bad("MPI_PROC_NULL", "MPI_PROC_NULL")
            if p.kind.name != "SOURCE" and not p.late:
                self.bad("wild", "MPI_ANY_SOURCE")
        elif p.kind.of == "tag":
            self.bad("negative", "-12345")
            self.bad("INT_MIN", "INT_MIN")
            if p.kind.name != "ANYTAG" and not p.late:
                self.bad("wild", "MPI_ANY_TAG")
        elif p.kind.of == "keyval":
            self.bad("invalid", "MPI_KEYVAL_INVALID")
            self.bad("never made", "0x6ffffff")
            self.bad("negative", "-12345")
        elif p.kind.of in values.NAMED:
            self.bad("of no meaning", "12345")
            self.bad("INT_MIN", "INT_MIN")
            self.bad("INT_MAX", "INT_MAX")
        elif n in values.FREE or (p.kind.name == "BYTES" and n in ("lb", "extent", "stride")) or n == "stride":
            self.bad("least", least)
            self.bad("largest", "INT64_MAX" if wide else "INT_MAX")
        else:
            self.bad("negative", "-1")
            self.bad("least", least)
            data = any(q.kind.meaning == "data" for q in self.f.parameters)
            if not data and name not in values.UNCHECKED and n != "insize" and n != "outsize":
                self.bad("INT_MAX", "INT_MAX")

    def number_at(self):
        n = self.p.name
        first = {"position": "0", "buflen": "64", "comm_keyval": "new_comm_keyval()", "keyval": "new_comm_keyval()",
                 "type_keyval": "new_type_keyval()", "win_keyval": "new_win_keyval()"}.get(n, "0")
        plain = self.type.removesuffix("*").replace("const ", "").strip()
        self.before = [f"{plain} the_{n} = {first}; {self.type} {n} = &the_{n};"]
        self.bad("null", "NULL")
        if n in ("position", "buflen"):
            self.bad_at("negative", "-1")
            self.bad_at("least", "(MPI_Count)INT64_MIN" if plain in ("MPI_Count", "MPI_Aint") else "INT_MIN")
        if self.p.kind.of == "keyval" and self.p.way == "INOUT":
            self.bad_at("invalid", "MPI_KEYVAL_INVALID")
            self.bad_at("never made", "0x6ffffff")
            self.bad_at("negative", "-12345")

    # ---- arrays: of which all but the first few is wrong

    def array(self):
        n, p = self.p.name, self.p
        element = self.type.replace("const ", "").strip().removesuffix("*").strip()
        if p.kind.meaning == "weights":
            self.before = [f"int list_{n}[8] = {{1}}; int *{n} = {'MPI_UNWEIGHTED' if self.constant else f'list_{n}'};"]
            self.bad("null", "NULL")
            if self.constant:
                self.bad("MPI_WEIGHTS_EMPTY", "MPI_WEIGHTS_EMPTY")
            return
        if p.kind.name == "ARGV":
            self.declare_array("char *", "NULL")
            self.bad("null", "NULL")
            return
        if p.kind.name == "RANGE":
            self.before = ["int list_ranges[LIST][3]; memset(list_ranges, 0x81, sizeof list_ranges);",
                           "memcpy(list_ranges[0], (int[3]){0, 0, 1}, sizeof list_ranges[0]); int (*ranges)[3] = list_ranges;"]
            self.bad("null", "NULL")
            for i, what in enumerate(("first", "last", "stride")):
                for value in ("0" if i == 2 else "INT_MIN", "INT_MAX"):
                    self.wrong.append((f"ranges {what} {value}", f"ranges[0][{i}] = {value};"))
            return
        objects = values.OBJECTS.get(p.kind.forms[0])
        if objects:
            kind = objects[0]
            right = {"request": values.RIGHT_OF.get((self.f.name, n), "new_request()")}.get(kind, "MPI_INT")
            self.before = [f"{element} list_{n}[LIST]; for (int i = 0; i < LIST; i++) list_{n}[i] = NEVER({element}, {kind.upper()}_BITS);",
                           f"list_{n}[0] = {right}; list_{n}[1] = {right}; {element} *{n} = list_{n};"]
            if n == "array_of_datatypes":
                self.bad("null", "NULL")
                return
            for what, value in self.handles(*objects):
                self.bad_at(what, value)
            self.bad("null", "NULL")
            if kind == "request":
                self.after.append(f"drop_request(&list_{n}[0]); drop_request(&list_{n}[1]);")
            return
        first = values.LISTS.get(n, "1, 1")
        if self.f.name.endswith("lltoallw") or "lltoallw" in self.f.name:
            first = "0, 8" if n.endswith("displs") else first
        if "Graph_" in self.f.name and n == "indx":
            first = "1, 2"
        if n == "dims":
            first = "2, 3" if self.f.name == "Dims_create" else "right.size"
        self.declare_array(element, first)
        self.bad("null", "NULL")
        if self.constant and not n.endswith("displs"):
            self.bad_at("negative", "-12345")
            self.bad_at("least", "INT_MIN")
            if not any(q.kind.meaning == "data" for q in self.f.parameters):
                self.bad_at("INT_MAX", "INT_MAX")

    def declare_array(self, element, first):
        n = self.p.name
        self.before = [f"{element} list_{n}[LIST]; memset(list_{n}, 0x81, sizeof list_{n});",
                       f"{{ {element} few[] = {{{first}}}; memcpy(list_{n}, few, sizeof few); }} {element} *{n} = list_{n};"]


def ranks_of(f, p, what):
    """How many ranks make the call: one; or also two together, which give the same wrong argument, if each can find
    that out by itself; or only two, since it is about two groups."""
    if not any(q.kind.object == "comm" for q in f.parameters) or f.chapter not in COLLECTIVES:
        return "1"
    if f.name in values.TWO_GROUPS:
        return "i"
    if p is None:
        return "2"
    own = ONE_RANKS.get(stem(f))
    alone = own and (p.name.startswith(own) or what.endswith("MPI_IN_PLACE"))
    return "1" if alone else "2"


def emit(f, name, large):
    arguments = [Argument(f, p, large) for p in f.parameters]
    wrong = [(p, *w) for a, p in zip(arguments, f.parameters) for w in a.wrong]
    out = [f"static int call_{name}(int wrong) {{"]
    out += ["    " + line for a in arguments for line in a.before]
    if f.name in values.BEFORE:
        out.append(f"    if (right.inside) {{ {values.BEFORE[f.name]} }}")
    out += ["    switch (wrong) {"]
    out += [f"    case {i + 1}: {statement} break;" for i, (_, _, statement) in enumerate(wrong)] + ["    default: break;", "    }"]
    given = ", ".join(a.p.name for a in arguments)
    out.append(f"    int outcome = MPI_{name}({given});")
    if f.name in values.AFTER:
        out.append(f"    if (!outcome) {{ {values.AFTER[f.name]} }}")
    if any(a.after for a in arguments):
        out.append("    if (right.inside) {")
        out += ["        " + line for a in arguments for line in a.after] + ["    }"]
    out += ["    return outcome;", "}"]
    labels = ", ".join(f'"{what}"' for _, what, _ in wrong) or "NULL"
    out.append(f"static const char *const wrong_{name}[] = {{{labels}}};")
    ranks = "".join(ranks_of(f, p, what) for p, what in [(None, "")] + [(p, what) for p, what, _ in wrong])
    return "\n".join(out), f'    {{"{name}", call_{name}, {len(wrong) + 1}, wrong_{name}, "{ranks}"}},'


def main():
    declared = {name for header in sys.argv[2:] for name in re.findall(r"\bMPI_(\w+)\s*\(", Path(header).read_text())}
    forms = [(f, name, large) for f in rows.functions() if wanted(f) for name, large in f.forms if name in declared]
    texts, entries = zip(*(emit(*form) for form in forms))
    print('/* The calls of the fuzzer: made by generate.py. */\n#include "' + str(HERE / "fuzz.h") + '"\n')
    print('static char long_string[ROOM] = {[0 ... ROOM - 2] = \'x\'};\n' + "\n".join(texts))
    print("const struct function functions[] = {\n" + "\n".join(entries) + "\n};")
    print("const int function_count = sizeof functions / sizeof *functions;")


main()
