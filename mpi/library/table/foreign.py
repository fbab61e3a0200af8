"""The entries of an ABI other than the standard's, for generate.py: each converts what the program gives, calls the
standard's entry, and converts what comes back. What a parameter is its kind says (kinds.txt): a new function needs
nothing here if its parameters are of kinds that are."""

import re
from pathlib import Path

from rows import KINDS

TABLES = Path(__file__).parent

# The kinds of objects, and C's type of a handle of each.
HANDLES = {kind.object: kind.forms[0] for kind in KINDS.values() if kind.object}

# Open MPI's handles are addresses of objects of these sizes, which programs may have copies of.
OPENMPI_SIZES = {"comm": 512, "group": 256, "type": 512, "op": 2048, "errhandler": 1024, "info": 256, "request": 256,
                 "message": 256, "win": 512, "file": 1536, "session": 512}


class Value:
    def __init__(self, words):
        self.name, self.mpich, self.openmpi = words[:3]
        self.fortran = words[3] if len(words) > 3 else "-"

    def of(self, face):
        return getattr(self, face).split(",")[0]

    def all_of(self, face):
        """Return that number, and other numbers of the ABI that mean the same to the core."""
        return getattr(self, face).split(",")


def sections():
    """Return the names in values.txt, each with its rows."""
    out, rows = {}, None
    for line in (TABLES / "values.txt").read_text().splitlines():
        if line.startswith("## "):
            out[line[3:]] = rows = []
        elif line and not line.startswith("#"):
            rows.append(Value(line.split()))
    return out


# ---- numbers


def in_bits(name, rows, face):
    for way in ("in", "out"):
        pairs = [(v.of(face), v.name)[:: 1 if way == "in" else -1] for v in rows]
        yield f"static inline int uno_{way}_{name}(int v) {{"
        yield "    return " + " | ".join(f"(v & {a} ? {b} : 0)" for a, b in pairs) + ";"
        yield "}"


def first_case(name, limit):
    """Return the code for the most frequent values, which are not converted."""
    if name in ("rank", "tag"):
        return ["    if (UNO_LIKELY(v >= 0))", "        return v;"]
    if name == "error":
        return [f"    if (v >= {limit[0]})", f"        return v - {limit[0]} + {limit[1]};"]
    return []


def numbers(name, rows, face):
    """Write uno_in_NAME and uno_out_NAME. A number with a meaning in the standard's ABI alone is invalid."""
    there = [v for v in rows if v.of(face) not in "-" and v.of(face)[0] != "="]
    limits = ["(UNO_FACE_USER_ERRORS - 1)", "MPI_ERR_LASTCODE"]
    number = "MPI_Offset" if name == "displacement" else "int"
    function, rest = f"static inline {number}", name
    if name == "error":  # nearly all calls of the program end with these conversions, and nearly all return no error
        function, rest = "static __attribute__((noinline, cold, unused)) int", "code"
    yield f"{function} uno_in_{rest}({number} v) {{"
    yield from first_case(name, limits)
    yield "    switch (v) {"
    yield from (f"    case {n}: return {v.name};" for v in there for n in v.all_of(face))
    yield "    default: break;\n    }"
    if name != "argument":
        yield "    switch (v) {"
        yield from (f"    case {v.name}:" for v in rows)
        yield "        return UNO_INVALID;\n    default: break;\n    }"
    yield "    return v;\n}"
    values = {v.name: v.of(face) for v in rows}
    yield f"{function} uno_out_{rest}({number} v) {{"
    yield from first_case(name, limits[::-1])
    yield "    switch (v) {"
    yield from (f"    case {n}: return {values[x[1:]] if x[0] == '=' else x};" for n, x in values.items() if x != "-")
    yield "    default: return v;\n    }\n}"
    if name == "error":
        yield from (f"static inline int uno_{way}_error(int v) {{\n    return UNO_LIKELY(v == 0) ? 0 : uno_{way}_code(v);\n}}" for way in ("in", "out"))


# ---- handles


def in_handle(kind, rows, face):
    upper = HANDLES[kind]
    yield f"static inline {upper} uno_in_{kind}(uno_face_{kind} handle) {{"
    if face == "openmpi":
        yield "    return uno_face_in(handle);\n}"
        yield f"static inline uno_face_{kind} uno_out_{kind}({upper} handle) {{\n    return uno_face_out(handle);\n}}"
        yield f"static inline int uno_number_of_{kind}(uno_face_{kind} handle) {{"
        yield "    uintptr_t number = (uintptr_t)uno_face_in(handle);"
        yield "    if (number < UNO_FACE_PREDEFINED)\n        return uno_face_fortran[number];"
        yield f"    return uno_mpi_{kind}_toint(uno_in_{kind}(handle));\n}}"
        yield f"static inline uno_face_{kind} uno_{kind}_of_number(int number) {{"
        yield "    switch (number) {"
        yield from (f"    case {v.fortran}: return uno_out_{kind}({v.name});" for v in rows if v.fortran != "-")
        yield "    default: break;\n    }"
        yield f"    return number < UNO_FIRST_NUMBER ? NULL : uno_out_{kind}(uno_mpi_{kind}_fromint(number));\n}}"
        return
    if kind == "file":
        yield "    return handle ? handle : MPI_FILE_NULL;\n}"
        yield "static inline uno_face_file uno_out_file(MPI_File handle) {\n    return handle == MPI_FILE_NULL ? NULL : handle;\n}"
        return
    if kind == "type":
        yield "    int at = UNO_FACE_TYPE_AT(handle);"
        yield "    if (UNO_LIKELY(uno_face_types[at].handle == handle))"
        yield "        return (MPI_Datatype)(uintptr_t)uno_face_types[at].number;"
    else:
        yield "    switch (handle) {"
        yield from (f"    case {v.mpich}: return {v.name};" for v in rows)
        yield "    default: break;\n    }"
    yield f"    return uno_face_object(handle, UNO_{kind.upper()});\n}}"
    yield f"static inline int uno_out_{kind}({upper} handle) {{\n    return uno_face_out(handle);\n}}"


def values(face):
    """values_FACE.h: the conversions of values.txt."""
    out = ["/* Conversions of handles and numbers: made by generate.py of table/values.txt. */"]
    if face == "mpich":
        out.append("extern const struct uno_face_type_number { int handle, number; } uno_face_types[256];")
    for name, rows in sections().items():
        if name in HANDLES:
            out += in_handle(name, rows, face)
        elif name.endswith(" bits"):
            out += in_bits(name.removesuffix(" bits"), rows, face)
        else:
            out += numbers(name, rows, face)
    return "\n".join(out) + "\n"


def tables(face):
    """Write the tables of predefined objects."""
    rows = {k: v for k, v in sections().items() if k in HANDLES}
    if face == "mpich":
        yield "const int uno_face_number[UNO_FACE_PREDEFINED] = {"
        yield from (f"    [(uintptr_t){v.name}] = (int){v.mpich}," for all in rows.values() for v in all)
        yield "};\nconst struct uno_face_type_number uno_face_types[256] = {"
        yield from (f"    [UNO_FACE_TYPE_AT({v.mpich})] = {{(int){v.mpich}, (int)(uintptr_t){v.name}}}," for v in rows["type"])
        yield "};"
        return
    for kind, all in rows.items():
        for v in (v for v in all if v.openmpi != "-"):
            yield (f'__attribute__((visibility("default"))) union {{ uintptr_t handle; char room[{OPENMPI_SIZES[kind]}]; }} {v.openmpi} = '
                   f"{{(uintptr_t){v.name}}};")
    yield "void *const uno_face_object[UNO_FACE_PREDEFINED] = {"
    yield from (f"    [(uintptr_t){v.name}] = &{v.openmpi}," for all in rows.values() for v in all if v.openmpi != "-")
    yield "};\nconst short uno_face_fortran[UNO_FACE_PREDEFINED] = {"
    yield from (f"    [(uintptr_t){v.name}] = {v.fortran}," for all in rows.values() for v in all if v.fortran != "-")
    yield "};"


# ---- entries


def length(f, p):
    """Return the length of an array, in C."""
    def in_c(name):
        return ("the_" if f[name].kind.object else "") + name
    return p.given_length(in_c, face="face", to_c="in")


def beside(p):
    """True if an array of the standard's ABI lies beside that of the program."""
    return p.array and (p.kind.object or p.kind.meaning == "status" or (p.kind.meaning == "number" and p.way == "IN"))


class Conversion:
    """The conversion of one parameter of a function: code before the call, the argument, code after it."""

    def __init__(self, f, p, large, face):
        self.f, self.p, self.before, self.given, self.after, self.end = f, p, [], p.name, [], []
        kind, name, meaning = p.kind.object, p.name, p.kind.meaning
        if meaning == "status":
            self.status()
        elif kind and p.array:
            self.handles(kind)
        elif kind and p.way:
            self.handle_at(kind)
        elif kind:
            self.before.append(f"{p.kind.forms[0]} the_{name} = uno_in_{kind}({name});")
            self.given = "the_" + name
        elif meaning == "number":
            self.number(p.kind.of)
        elif meaning in ("buffer", "weights") or (meaning == "data" and p.late):
            to_c = "uno_face_weights" if meaning == "weights" else "uno_in_buffer"
            self.given = f"({p.form(large).removesuffix(name)}){to_c}({name})"
        elif face == "openmpi" and meaning == "string" and p.kind.of:
            what, told = p.kind.of, f.parameters[f.parameters.index(p) + 1].name
            self.before.append(f"char the_{name}[MPI_MAX_{what}];")
            self.given = f"{name} ? the_{name} : NULL"
            self.after.append(f"if (!outcome)\n        uno_face_cut({name}, the_{name}, UNO_FACE_{what}, {told});")
        elif meaning == "contents":
            kind = next(q.name for q in f.parameters if q.kind.object == "type")
            self.after.append(f"if (!outcome)\n        uno_face_contents(the_{kind}, {name});")
        elif meaning == "buffer place":
            self.after.append(f"if (!outcome)\n        *(const void **){name} = uno_out_buffer(*(void **){name});")

    def beside(self, base, kind=None):
        """An array of the standard's ABI beside that of the program. Of many things of a kind it ends with the first
        that is none: that is wrong, and the length of the program's may be. Another one of the same length is then as
        short."""
        n, f = self.p.name, self.f
        earlier = (q for q in f.parameters[:f.parameters.index(self.p)] if beside(q) and q.length == self.p.length)
        same = next(earlier, None)
        self.before.append(f"long n_{n} = {f'n_{same.name}' if same else length(f, self.p)};")
        if kind and not same and self.p.length in {q.name for q in f.parameters}:
            self.before.append(f"for (long i = 0; n_{n} > UNO_FEW && {n} && i < n_{n}; i++)\n"
                               f"        n_{n} = uno_face_is_{kind}(uno_in_{kind}({n}[i])) ? n_{n} : i + 1;")
        self.before += [f"{base} few_{n}[UNO_FEW], *the_{n} = {n} ? uno_beside(few_{n}, n_{n}, sizeof *few_{n}) : NULL;"]
        self.given = "the_" + n
        self.end.append(f"if (the_{n})\n        uno_beside_end(the_{n}, few_{n});")

    def handles(self, kind):
        n, p = self.p.name, self.p
        self.beside(p.kind.forms[0], kind)
        each = f"for (long i = 0; the_{n} && i < n_{n}; i++)\n        "
        if p.way == "OUT":
            self.before.append(each + f"the_{n}[i] = NULL;")
            self.after.append(each + f"if (the_{n}[i])\n            {n}[i] = uno_out_{kind}(the_{n}[i]);")
            return
        self.before.append(each + f"the_{n}[i] = uno_in_{kind}({n}[i]);")
        if p.way == "INOUT":
            self.after.append(each + f"{n}[i] = uno_out_{kind}(the_{n}[i]);")

    def handle_at(self, kind):
        n, both = self.p.name, self.p.way == "INOUT"
        first = f"{n} ? uno_in_{kind}(*{n}) : NULL" if both else "NULL"
        self.before.append(f"{self.p.kind.forms[0]} the_{n} = {first};")
        self.given = f"{n} ? &the_{n} : NULL"
        self.after.append(f"if ({n}{'' if both else f' && the_{n}'})\n        *{n} = uno_out_{kind}(the_{n});")

    def status(self):
        n, p = self.p.name, self.p
        if p.array:
            self.beside("MPI_Status")
            self.before[-1] = self.before[-1].replace(f"= {n} ?", f"= UNO_FACE_GIVEN({n}) ?")
            filled = p.filled and (f"*{p.filled} ? {p.length} : 0" if self.f[p.filled].kind.name == "LOGICAL" else
                                   f"*{p.filled} > 0 ? *{p.filled} : 0")
            self.after.append(f"if (the_{n} && (!outcome || outcome == MPI_ERR_IN_STATUS))\n        "
                              f"for (long i = 0, done = {filled or 'n_' + n}; i < done; i++)\n"
                              f"            uno_out_status(&the_{n}[i], &{n}[i]);")
            return
        self.before.append(f"MPI_Status the_{n};")
        self.given = f"UNO_FACE_GIVEN({n}) ? &the_{n} : NULL"
        if p.way == "OUT":
            self.before.append(f"uno_status_unset(&the_{n});")
        else:
            self.before.append(f"if (UNO_FACE_GIVEN({n}))\n        uno_in_status({n}, &the_{n});")
        if p.way != "IN":
            self.after.append(f"if (UNO_FACE_GIVEN({n}))\n        uno_out_status(&the_{n}, {n});")

    def number(self, kind):
        n, p = self.p.name, self.p
        if beside(p):
            self.beside("int", kind)
            self.before.append(f"for (long i = 0; the_{n} && i < n_{n}; i++)\n        the_{n}[i] = uno_in_{kind}({n}[i]);")
        elif p.array:
            self.after.append(f"for (long i = 0; !outcome && {n} && i < {length(self.f, p)}; i++)\n        {n}[i] = uno_out_{kind}({n}[i]);")
        elif not p.way:
            self.given = f"uno_in_{kind}({n})"
        elif p.way == "INOUT":
            self.before.append(f"int the_{n} = {n} ? uno_in_{kind}(*{n}) : 0;")
            self.given = f"{n} ? &the_{n} : NULL"
            self.after.append(f"if ({n})\n        *{n} = uno_out_{kind}(the_{n});")
        else:
            self.after.append(f"if (!outcome)\n        *{n} = uno_out_{kind}(*{n});")


def in_face(text):
    """C's text with the types of the ABI in the place of the standard's."""
    for kind, standard in HANDLES.items():
        text = re.sub(rf"\b{standard}\b", "uno_face_" + kind, text)
    return re.sub(r"\bMPI_Status\b", "struct uno_face_status", text)


def declared(p, large):
    """The parameter as a program of the ABI has it."""
    return in_face(p.form(large))


def arguments(f):
    return ", ".join(p.name for p in f.parameters)


def from_where(f, listed, as_parameter=True):
    """The parameters or arguments, and behind them from where a function with the word `begins` was called."""
    return listed + ["const void *from" if as_parameter else "from"] * ("begins" in f.words)


# When an entry finds that its thread has not got the rank that it needs, by the mark of its row.
LACKS = {"+": "UNO_UNLIKELY(!uno_rank)", "*": "UNO_UNLIKELY(!uno_rank) && uno_call_between()"}


def with_rank(f, call):
    """The body of an entry without errors: one that converts handles to numbers needs the rank where threads share
    it."""
    if not f.numbered:
        return [f"    return {call};"]
    return ["    bool entered = UNO_UNLIKELY(!uno_rank) && uno_threads_enter();", f"    __typeof__({call}) outcome = {call};",
            "    if (UNO_UNLIKELY(entered))\n        uno_threads_leave();", "    return outcome;"]


def threaded(f, name, listed, head, symbol, body):
    """An entry with that head, name of the function in C, and body, and what it does for a thread that has not got the
    rank (rank/threads.h): it takes it, calls the entry again, or its body if that must know from where the program has
    called, and gives it back."""
    if f.mark not in LACKS:
        return [head, *body, "}"]
    names, begins = [p.name for p in f.parameters], "begins" in f.words
    there = ["__builtin_return_address(0)"] if begins else []
    cold = f"static UNO_COLD int threaded_{name}({', '.join(from_where(f, listed)) or 'void'})"
    check = [f"    if ({LACKS[f.mark]})", f"        return threaded_{name}({', '.join(names + there)});"]
    out = [cold + ";"]
    if begins:
        again = f"do_{name}({', '.join(names + ['from'])})"
        out += [f"static inline __attribute__((always_inline)) int do_{name}({', '.join(from_where(f, listed))}) {{", *body, "}"]
        out += [head, *check, f"    return do_{name}({', '.join(names + there)});", "}"]
    else:
        again = f"{symbol}({', '.join(names)})"
        out += [head, *check, *body, "}"]
    return out + [cold + " {", f"    uno_call_enter(\"MPI_{name}\");", f"    int outcome = {again};", "    uno_threads_leave();",
                  "    return outcome;", "}"]


def unsupported(f, name, comm):
    """The call that reports, at that communicator, that a function is not there, and what works instead."""
    instead = f.instead.replace("`", "")
    return f'uno_call_unsupported("MPI_{name}", "{instead}", {comm})'


def entry(f, name, large, face):
    """The entry of one form of a function: its text."""
    listed = [declared(p, large) for p in f.parameters] + (["..."] if f.variadic else [])
    head = f"UNO_FACE({in_face(f.result)}, {name}, ({', '.join(listed) or 'void'})) {{"
    if not f.there:
        unused = "".join(f"(void){p.name}, " for p in f.parameters).removesuffix(", ")
        comm = f"uno_in_comm({f.comm})" if f.comm else "MPI_COMM_SELF"
        what = "MPI_ERR_UNSUPPORTED_OPERATION" if "tool" in f.words else unsupported(f, name, comm)
        return [head] + ([f"    {unused};"] if unused else []) + [f"    return uno_out_error({what});", "}"]
    if f.numbered:
        convert = f"uno_{f.numbered}_of_number" if f.made.object else f"uno_number_of_{f.numbered}"
        return [head, *with_rank(f, f"{convert}({arguments(f)})"), "}"]
    if f.plain:
        return [head, f"    return abi_{name}({arguments(f)});", "}"]
    # the communicator first, by which lengths of arrays are found
    parts, body = [Conversion(f, p, large, face) for p in f.parameters], []
    for part in sorted(parts, key=lambda c: not c.p.owner):
        body += ["    " + line for line in part.before]
    body.append(f"    int outcome = abi_{name}({', '.join(from_where(f, [part.given for part in parts], False))});")
    for part in parts:
        body += ["    " + line for line in part.after + part.end]
    return threaded(f, name, listed, head, "face_" + name, body + ["    return uno_out_error(outcome);"])


def others(face, functions):
    """Write the names that the ABI's library has and the standard's has not: table/FACE.txt."""
    if face == "openmpi":
        yield from (f"UNO_FACE_SAME(MPIX_{f.name}, {f.name})" for f in functions if "mpix" in f.words)
    for line in (TABLES / f"{face}.txt").read_text().splitlines():
        words = line.split()
        if line.startswith("= "):
            yield f"UNO_FACE_SAME({words[1] if words[1].startswith('MPIX_') else 'MPI_' + words[1]}, {words[2]})"
        elif line.startswith("- "):
            names = words[1:] + ["P" + name for name in words[1:] if name.startswith("MPIX_")]
            yield from (f"UNO_FACE_NONE({name})" for name in names)
