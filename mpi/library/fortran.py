"""The entries that Fortran programs call, for MPICH's ABI, for generate.py: each takes everything by address, and calls the C function
of that library. Handles are int there, and a status and a logical are the same in both languages, so little is converted: special
addresses, strings, and numbers that count from 1."""

import foreign

# What no program in Fortran calls, or what is written in face/fortran.c.
BY_HAND = {"Comm_create_keyval", "Type_create_keyval", "Keyval_create", "Comm_get_attr", "Type_get_attr", "Attr_get", "Comm_set_attr",
           "Type_set_attr", "Attr_put", "Init", "Init_thread", "Pcontrol", "Buffer_detach", "Info_create_env", "Info_get_string"}
NO_FORTRAN = ("Tools", "Handles as numbers")

# Places in arrays, which count from 0 in C.
PLACES = {"Waitany": ("indx", "1"), "Testany": ("indx", "1"), "Request_get_status_any": ("indx", "1"),
          "Waitsome": ("array_of_indices", "*outcount"), "Testsome": ("array_of_indices", "*outcount"),
          "Request_get_status_some": ("array_of_indices", "*outcount")}

BUFFERS = ("buf", "buffer", "sendbuf", "recvbuf", "inbuf", "inoutbuf", "outbuf", "location", "origin_addr", "target_addr")


def wanted(f):
    """Whether it is made from its row. Of the others nearly all are not there in C either."""
    text = " ".join(p.type for p in f.parameters)
    return (f.there and "***" not in text and "**" not in text and not any("char *" in p.type and p.array for p in f.parameters)
            and not any("_function" in p.base and p.base not in ("MPI_Comm_errhandler_function",) for p in f.parameters))


def by_value(p):
    return not p.array and not p.type.endswith("*") and p.base != "USER_FUNCTION"


def parameter(p):
    """As Fortran gives it."""
    text = foreign.declared(p, False)
    if "function" in p.type.lower():
        return f"void (*{p.name})(void)"
    return text.removesuffix(p.name) + "*" + p.name if by_value(p) else text


def c_parameter(p):
    return f"void (*{p.name})(void)" if "function" in p.type.lower() else foreign.declared(p, False)


class Argument:
    def __init__(self, p):
        n, self.before, self.after, self.length = p.name, [], [], None
        self.given = n
        if p.base == "MPI_Status":
            self.given = f"uno_fortran_status({n})"
        elif p.base == "char":
            self.length = f"size_t length_{n}"
            out = "const" not in p.type
            size = "UNO_FORTRAN_STRING" if out else f"length_{n} + 1"
            text = f"uno_fortran_unset(the_{n})" if out else f"uno_fortran_string({n}, length_{n}, the_{n})"
            self.before = [f"char the_{n}[{size}];"]
            self.given = text
            if out:
                self.after = [f"uno_fortran_pad({n}, length_{n}, the_{n});"]
        elif p.base == "void" and n in BUFFERS:
            self.given = f"(void *)uno_fortran_buffer({n})"
        elif "weights" in n and p.base == "int":
            self.given = f"(int *)uno_fortran_buffer({n})"
        elif by_value(p):
            self.given = ("uno_fortran_key(*" + n + ")") if n.endswith("keyval") else "*" + n


def names(f):
    """Those under which compilers know it."""
    for prefix in ("mpi_", "pmpi_"):
        low = prefix + f.name.lower()
        yield from (low, low + "_", low + "__", low.upper())


def entry(f):
    arguments = [Argument(p) for p in f.parameters]
    c = ", ".join(c_parameter(p) for p in f.parameters) or "void"
    out = [f"{f.result} MPI_{f.name}({c});"]
    takes = [parameter(p) for p in f.parameters]
    if f.result != "int":
        out.append(f"EXPORT {f.result} mpi_{f.name.lower()}_({', '.join(takes) or 'void'}) {{")
        return out + [f"    return MPI_{f.name}({', '.join(a.given for a in arguments)});", "}"]
    takes += ["int *ierror"] + [a.length for a in arguments if a.length]
    out.append(f"EXPORT void mpi_{f.name.lower()}_({', '.join(takes)}) {{")
    out += ["    " + line for a in arguments for line in a.before]
    out.append(f"    *ierror = MPI_{f.name}({', '.join(a.given for a in arguments)});")
    out += ["    " + line for a in arguments for line in a.after]
    if f.name in PLACES:
        places, number = PLACES[f.name]
        out += [f"    for (int i = 0; !*ierror && i < {number}; i++)", f"        {places}[i] += {places}[i] >= 0;"]
    return out + ["}"]


def none(f):
    """One that is not there, in C as in Fortran, or only in C."""
    takes = ["const void *" + p.name for p in f.parameters] + ["int *ierror"]
    unused = "".join(f"(void){p.name}, " for p in f.parameters)
    nothing = ", ".join("0" for _ in f.parameters)
    out = [] if f.there else [f"int MPI_{f.name}({', '.join(c_parameter(p) for p in f.parameters) or 'void'});"]
    what = "UNO_FORTRAN_UNSUPPORTED" if f.there else f"MPI_{f.name}({nothing})"
    return out + [f"EXPORT void mpi_{f.name.lower()}_({', '.join(takes)}) {{", f"    {unused}*ierror = {what};", "}"]


def entries(functions):
    out = ["/* The entries for Fortran: made by generate.py. */", '#include "library/face/fortran.h"']
    for f in functions:
        if f.name in BY_HAND or f.chapter in NO_FORTRAN or f.name.endswith(("_toint", "_fromint")):
            continue
        out += entry(f) if wanted(f) else none(f)
        first = f"mpi_{f.name.lower()}_"
        out += [f"SAME({name}, {first})" for name in names(f) if name != first]
    return "\n".join(out) + "\n"


def by_hand(functions):
    """fortran_names.h: the other names of what is written by hand."""
    return "\n".join(f"SAME({name}, mpi_{f.name.lower()}_)" for f in functions if f.name in BY_HAND for name in names(f)
                     if name != f"mpi_{f.name.lower()}_") + "\n"
