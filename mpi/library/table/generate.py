#!/usr/bin/env python3
"""Makes the face of the MPI library from its one table, functions.txt: mpi.h, the entries with their checks, and the
list in docs/mpi-library.md.

    generate.py header mpi.h.in      mpi.h, to standard output
    generate.py calls                calls.h: what there is behind the entries, uno_mpi_send for MPI_Send
    generate.py face                 face.c: MPI_Send and PMPI_Send, which check, convert handles, and call that
    generate.py face ABI             face_ABI.c: those of another ABI, mpich or openmpi (foreign.py)
    generate.py values ABI           values_ABI.h: how handles and numbers of that one are converted
    generate.py fortran ABI [names]  fortran_ABI.c: what Fortran programs of that one call (fortran.py); or other
                                     names of what is written by hand
    generate.py observe ABI          observe_ABI.c: entries that record calls (observe.py); also of the standard's
                                     ABI, standard
    generate.py f08                  f08_mpich.c: what Fortran programs with MPICH's module mpi_f08 call
    generate.py docs FILE            writes the list into FILE, between its two marks; with --check only compares"""

import re
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True  # beside the sources

import foreign  # noqa: E402
import fortran  # noqa: E402
import observe  # noqa: E402
from rows import KINDS, functions  # noqa: E402

INLINE = "static inline __attribute__((always_inline)) "


# ---- mpi.h


def header(template):
    out = []
    for f in functions():
        for name, large in f.forms:
            out.append(f.prototype("MPI_" + name, large) + ";")
            out.append(f.prototype("PMPI_" + name, large) + ";")
    return Path(template).read_text().replace("@PROTOTYPES@\n", "\n".join(out) + "\n")


# ---- the declarations behind the entries


def inner_parameter(f, p):
    """Return its declaration behind the entries, where there is one form of each function."""
    if f.plain:
        return p.form(True)
    if p.looked_up:
        return f"struct uno_mpi_{p.looked_up} *{p.name}"
    if p.kind.meaning == "function" and p.kind.two:
        return f"void (*{p.name})(void)" + ", bool large" * (p is f.chooser)
    if p.numbers:
        return f"struct uno_numbers {p.name}"
    if p.kind.two and not (p.array and p.kind.forms[0] == "int"):
        constant, pointer = "const " * (p.way == "IN"), "*" * bool(p.way and not p.array)
        return f"{constant}MPI_Count {pointer}{p.name}{p.brackets}"
    return p.form(False)


def inner_prototypes(f):
    listed = [inner_parameter(f, p) for p in f.parameters] + ["bool large"] * f.makes_type
    return [f"{f.result} {name}({', '.join(listed) or 'void'});" for name in (f.inner, f.between) if name]


def calls():
    out = ["/* The functions behind the entries: made by generate.py. */", "#ifndef UNO_MPI_CALLS_H", "#define UNO_MPI_CALLS_H",
           '#include "library/object/objects.h"']
    out += [f"struct uno_mpi_{kind};" for kind in sorted({kind.object for kind in KINDS.values() if kind.object})]
    for f in functions():
        out += inner_prototypes(f) if f.there else []
    return "\n".join(out + ["#endif"]) + "\n"


# ---- the entries


def object_check(f, p):
    """Return the statement that finds the object of a handle."""
    if p.late:
        return f"struct uno_mpi_{p.kind.object} *the_{p.name} = uno_find_{p.kind.object}({p.name});"
    how, _, null = p.kind.look.partition(" or ")
    peer = f.peer(p) if how == "committed" else None
    how, more = ("carried", f", {peer}") if peer else (how, "")
    look = f'uno_check_{how}(&call, QUICK, "{p.name}", {p.name}{more})'
    null = f"{p.name} == {null} ? NULL : " if null else ""
    return f"struct uno_mpi_{p.kind.object} *the_{p.name} = {null}{look};"


def data_check(f, p):
    """The check of data of the program's, as many as the next count says, of the type behind that, or bytes."""
    count, kind, peer = f.elements(p)
    found = f"the_{kind.name}" if kind else "uno_find_type(MPI_BYTE)"
    look = f'uno_check_buffer(&call, QUICK, "{p.name}", {p.name}, {count.name if count else 1}, {found});'
    return f"if (QUICK || {peer} != MPI_PROC_NULL)\n        {look}" if peer else look


def check(f, p):
    """The statement that looks at an argument; or None."""
    if p.looked_up:
        return object_check(f, p)
    if p.late:
        return None
    if p.array:
        counted = p.length in {q.name for q in f.parameters} and not p.special
        return f'uno_check_array(&call, QUICK, "{p.name}", {p.name}, {p.length});' if counted else None
    if p.kind.meaning == "data":
        return data_check(f, p)
    if p.kind.meaning == "status" and p.way == "OUT":
        return None
    if p.way or p.kind.look == "pointer":
        return f'uno_check_pointer(&call, QUICK, "{p.name}", (const void *)(uintptr_t){p.name});'
    return f'uno_check_{p.kind.look}(&call, QUICK, "{p.name}", {p.name});' if p.kind.look else None


def argument(f, p, large):
    form = str(large).lower()
    if p.looked_up:
        return "the_" + p.name
    if p.numbers:
        return f"(struct uno_numbers){{{p.name}, {form}}}"
    if p.kind.meaning == "function" and p.kind.two:
        return f"(void (*)(void)){p.name}" + f", {form}" * (p is f.chooser)
    if p.narrow and not large:
        return "&large_" + p.name
    if p.kind.two and p.way and p.kind.forms != ("int", "MPI_Count"):
        return f"({'const ' * (p.way == 'IN')}MPI_Count *){p.name}"
    return p.name


def checks(f):
    # first the object whose error handler is called for errors in the others, and data after their types
    ordered = sorted(f.parameters, key=lambda p: (p.kind.meaning == "data") - p.owner)
    return ["    " + c for c in (check(f, p) for p in ordered) if c]


def raises(f, error):
    """The call by which an error is handled."""
    if not f.blames:
        return f"uno_call_raise(call.name, call.comm, {error})"
    return f"uno_call_raise_{'file' if f.blames == 'file' else 'owner'}(call.name, call.owner, {error})"


def does(f, large):
    """Return the call of the function behind the entry, and the entry's end."""
    listed = ", ".join([argument(f, p, large) for p in f.parameters] + [str(large).lower()] * f.makes_type)
    narrow = [p for p in f.parameters if p.narrow and not large]
    out = [f"    MPI_Count large_{p.name} = *{p.name};" for p in narrow]
    if f.between:
        out.append(f"    int outcome = UNO_UNLIKELY(the_comm->scheduled) ? {f.between}({listed})")
        out.append(f"                                                    : {f.inner}({listed});")
        out.append("    if (UNO_UNLIKELY(outcome == UNO_BY_MESSAGES))")
        out.append(f"        outcome = {f.between}({listed});")
    else:
        out.append(f"    int outcome = {f.inner}({listed});")
    out += [f"    *{p.name} = uno_narrow(large_{p.name});" for p in narrow]
    if f.makes_comm:
        out.append(f"    if (UNO_LIKELY(!outcome))\n        uno_comm_made(*{f.makes_comm}, \"MPI_{f.name}\", the_{f.comm});")
    out.append(f"    return UNO_LIKELY(!outcome) ? MPI_SUCCESS : {raises(f, 'outcome')};")
    return out


def wrong(f, name, large):
    """Return the function for wrong arguments: it reports which one is wrong. If they are only unusual, it does the
    call."""
    out = [f"static UNO_COLD {f.prototype('wrong_' + name, large)} {{", "    enum { QUICK = false };",
           f"    struct uno_call call = {{.name = \"MPI_{name}\"}};"]
    out += checks(f)
    unused = [f"(void){p.name};" for p in f.parameters] + [f"(void)the_{p.name};" for p in f.parameters if p.looked_up]
    out.append("    " + " ".join(unused))
    if not f.suspects:
        return out + [f"    return {raises(f, 'call.error')};", "}"]
    return out + ["    if (call.error)", f"        return {raises(f, 'call.error')};", *does(f, large), "}"]


def body(f, name, large):
    """Return what an entry does once its thread has the rank."""
    out = ["    enum { QUICK = true };"] if checks(f) else []
    out.append(f"    struct uno_call call = {{.name = \"MPI_{name}\"}};")
    if "begins" in f.words:
        out.append("    uno_rank->from = from;")
    for c in checks(f):  # one jump for each, which costs less than what all have found
        out += [c, "    if (UNO_UNLIKELY(call.error))\n        goto wrong;"]
    out += does(f, large)
    if checks(f):
        out.append(f"wrong:\n    return wrong_{name}({', '.join(p.name for p in f.parameters)});")
    return out


def absent(f, name):
    """Return the body of an entry behind which there is nothing."""
    unused = "".join(f"(void){p.name}, " for p in f.parameters).removesuffix(", ")
    out = [f"    {unused};"] if unused else []
    if "tool" in f.words:
        return out + ["    return MPI_ERR_UNSUPPORTED_OPERATION;"]
    return out + [f"    return {foreign.unsupported(f, name, f.comm or 'MPI_COMM_SELF')};"]


def entry(f, name, large):
    """The standard's entry: its text."""
    listed = [p.form(large) for p in f.parameters] + (["..."] if f.variadic else [])
    head = f"EXPORT {f.prototype('PMPI_' + name, large)} {{"
    if not f.there:
        return [head, *absent(f, name), "}"]
    if f.plain:
        return [head, *foreign.with_rank(f, f"{f.inner}({foreign.arguments(f)})"), "}"]
    out = wrong(f, name, large) if checks(f) else []
    return out + foreign.threaded(f, name, listed, head, "PMPI_" + name, body(f, name, large))


def converted_entry(f, name, large):
    """The standard's entry as a function in line, which that of another ABI calls."""
    out = wrong(f, name, large) if not f.plain and checks(f) else []
    if f.plain:
        return out + [f"static inline {f.prototype('abi_' + name, large)} {{", f"    return {f.inner}({foreign.arguments(f)});", "}"]
    listed = foreign.from_where(f, [p.form(large) for p in f.parameters])
    return out + [f"{INLINE}{f.result} abi_{name}({', '.join(listed) or 'void'}) {{", *body(f, name, large), "}"]


def face():
    out = ["/* The entries of the library: made by generate.py. */", '#include "library/calls.h"', '#include "library/face/check.h"',
           '#define EXPORT __attribute__((visibility("default")))']
    for f in functions():
        for name, large in f.forms:
            out += entry(f, name, large)
            out.append(f"{f.prototype('MPI_' + name, large)} __attribute__((weak, alias(\"PMPI_{name}\"), visibility(\"default\")));")
    return "\n".join(out) + "\n"


def foreign_face(abi):
    out = [f"/* The entries of {abi}'s ABI: made by generate.py. */", '#include "library/calls.h"', f'#include "library/face/{abi}.h"']
    out += foreign.tables(abi)
    for f in functions():
        for name, large in f.forms:
            out += converted_entry(f, name, large) if f.there else []
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
                if not there:
                    instead = next(f.instead for f in rows if f.chapter == chapter and f.instead)
                    text += f" Instead, {instead}."
                out.append(textwrap.fill(text, 120, subsequent_indent="  ", break_long_words=False))
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
    elif what == "observe":
        sys.stdout.write(observe.entries(arguments[0], functions()))
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
