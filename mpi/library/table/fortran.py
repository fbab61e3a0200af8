"""The entries that Fortran programs call, for generate.py: each takes everything by address, and calls the C function
of the library for the same ABI. A status and a logical are the same in both languages, so what is converted are special
addresses, strings, numbers that count from 1, and handles where they are not int in C as well: face/fortran_ABI.h."""

import foreign

# The words of what C alone has.
NO_FORTRAN = {"tool", "c"}


def wanted(f):
    """Return true if its entry is generated from its row. Nearly all of the other functions do not exist in C
    either."""
    return f.there and not any(p.kind.meaning in ("C", "strings") or (p.kind.meaning == "string" and p.array) or
                               (p.kind.meaning == "function" and not p.kind.of) for p in f.parameters)


def there(f):
    return not (f.words & NO_FORTRAN or f.numbered)


def by_value(p):
    return not p.way and p.kind.meaning != "function" and not p.kind.forms[0].endswith("*")


def handle(p, abi):
    """The kind of the handles that are something else in C; or None."""
    return p.kind.object if abi == "openmpi" or p.kind.object == "file" else None


def parameter(p, abi):
    """Return the parameter as Fortran passes it."""
    if handle(p, abi):
        return f"{'const ' * (p.way == 'IN' or by_value(p))}int *{p.name}"
    text = c_parameter(p)
    return text.removesuffix(p.name) + "*" + p.name if by_value(p) else text


def c_parameter(p):
    return f"void (*{p.name})(void)" if p.kind.meaning == "function" else foreign.declared(p, False)


class Argument:
    def __init__(self, f, p, abi):
        n, self.f, self.p, self.before, self.after, self.length = p.name, f, p, [], [], None
        self.given, kind, meaning = n, handle(p, abi), p.kind.meaning
        if kind and p.array:
            self.handles(kind)
        elif kind and p.way:
            self.handle_at(kind)
        elif kind:
            self.given = f"uno_c_{kind}(*{n})"
        elif meaning == "status":
            self.given = f"uno_fortran_status({n})"
        elif meaning == "string":
            self.length = f"uno_fortran_length length_{n}"
            out = p.way != "IN"
            size = "UNO_FORTRAN_STRING" if out else f"length_{n} + 1"
            text = f"uno_fortran_unset(the_{n})" if out else f"uno_fortran_string({n}, length_{n}, the_{n})"
            self.before = [f"char the_{n}[{size}];"]
            self.given = text
            if out:
                self.after = [f"uno_fortran_pad({n}, length_{n}, the_{n});"]
        elif meaning in ("data", "buffer", "address", "weights"):
            self.given = f"({'int' if meaning == 'weights' else 'void'} *)uno_fortran_buffer({n})"
        elif by_value(p):
            self.given = f"uno_fortran_key(*{n})" if p.kind.of == "keyval" else "*" + n

    def handle_at(self, kind):
        n, both = self.p.name, self.p.way == "INOUT"
        first = f"uno_c_{kind}(*{n})" if both else "0"
        self.before = [f"uno_face_{kind} the_{n} = {first};"]
        self.given = "&the_" + n
        self.after = [f"{'' if both else f'if (the_{n}) '}*{n} = uno_f_{kind}(the_{n});"]
        if any(q.kind.meaning == "function" and q.kind.of == kind for q in self.f.parameters):
            self.after.append(f"if (the_{n}) uno_fortran_function_of_{kind}(the_{n});")

    def in_c(self, name):
        q = self.f[name]
        return f"uno_c_{q.kind.object}(*{name})" if q.kind.object else "*" * by_value(q) + name

    def handles(self, kind):
        """An array of C's handles beside that of Fortran's numbers."""
        n = self.p.name
        length = self.p.given_length(self.in_c, face="fortran", to_c="fortran")
        self.before = [f"long n_{n} = {length};", f"uno_face_{kind} few_{n}[UNO_FORTRAN_FEW];", f"few_{n}[0] = 0;",
                       f"uno_face_{kind} *the_{n} = uno_fortran_beside(few_{n}, n_{n}, sizeof *few_{n});"]
        self.given = "the_" + n
        each, out = f"for (long i = 0; i < n_{n}; i++)", self.p.way == "OUT"
        self.before.append(f"{each} the_{n}[i] = {'0' if out else f'uno_c_{kind}({n}[i])'};")
        if self.p.way != "IN":
            self.after.append(f"{each} {f'if (the_{n}[i]) ' if out else ''}{n}[i] = uno_f_{kind}(the_{n}[i]);")
        self.after.append(f"uno_fortran_beside_end(the_{n}, few_{n});")


# The generic MPI_Sizeof of Open MPI's modules: a function for each type and number of dimensions.
SIZES = {"character": 1, "logical": 4, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "real32": 4, "real64": 8, "real128": 16,
         "complex32": 8, "complex64": 16, "complex128": 32}


def sizes():
    for kind, size in SIZES.items():
        first = f"mpi_sizeof_{kind}_scalar_"
        yield f"EXPORT void {first}(const void *x, int *size, int *ierror) {{\n    (void)x, *size = {size}, *ierror = 0;\n}}"
        yield from (f"SAME({prefix}mpi_sizeof_{kind}_{shape}_, {first})" for prefix in ("", "p") for shape in
                    ["scalar"] * (prefix == "p") + [f"r{n}" for n in range(1, 16)])


def names(f, abi):
    """Return the names by which compilers know the function, and those by which Open MPI's modules call it."""
    low = f.name.lower()
    before = abi == "openmpi" and "mpix" in f.words
    address = any(p.kind.meaning == "memory place" for p in f.parameters)  # which compilers know by another name, too
    for start, name in [("mpi_", f.name)] + [("mpix_", f.name)] * before + [("mpi_", f.name + "_cptr")] * address:
        for prefix in (start, "p" + start):
            full = prefix + name.lower()
            yield from (full, full + "_", full + "__", full.upper())
            yield from (prefix.upper() + name + end for end in ("_f", "_f08") if abi == "openmpi")
        if abi == "openmpi":
            yield f"o{start}{name.lower()}_f"


def called(request):
    """Return the statement that tells the library of C where the program has called, which C's entry takes for this
    library."""
    return f"    if (!*ierror)\n        uno_fortran_called({request}, __builtin_return_address(0));"


def entry(f, abi):
    arguments = [Argument(f, p, abi) for p in f.parameters]
    c = ", ".join(c_parameter(p) for p in f.parameters) or "void"
    out = [f"{f.result} UNO_C({f.name})({c});"]
    takes = [parameter(p, abi) for p in f.parameters]
    if f.result != "int":
        out.append(f"EXPORT {f.result} mpi_{f.name.lower()}_({', '.join(takes) or 'void'}) {{")
        return out + [f"    return UNO_C({f.name})({', '.join(a.given for a in arguments)});", "}"]
    takes += ["int *ierror"] + [a.length for a in arguments if a.length]
    out.append(f"EXPORT void mpi_{f.name.lower()}_({', '.join(takes)}) {{")
    out += ["    " + line for a in arguments for line in a.before]
    out.append(f"    *ierror = UNO_C({f.name})({', '.join(a.given for a in arguments)});")
    out += [called(next((a.given for a in arguments if a.p.kind.object == "request"), "NULL"))] if "begins" in f.words else []
    out += ["    " + line for a in arguments for line in a.after]
    for p in (p for p in f.parameters if p.kind.meaning == "index"):
        out += [f"    for (int i = 0; !*ierror && i < {'*' + p.filled if p.array else 1}; i++)", f"        {p.name}[i] += {p.name}[i] >= 0;"]
    return out + ["}"]


def none(f):
    """Return the entry of a function that does not exist, in C and Fortran, or only in C."""
    takes = ["const void *" + p.name for p in f.parameters] + ["int *ierror"]
    unused = "".join(f"(void){p.name}, " for p in f.parameters)
    nothing = ", ".join("0" for _ in f.parameters)
    out = [] if f.there else [f"int UNO_C({f.name})({', '.join(c_parameter(p) for p in f.parameters) or 'void'});"]
    what = "UNO_FORTRAN_UNSUPPORTED" if f.there else f"UNO_C({f.name})({nothing})"
    return out + [f"EXPORT void mpi_{f.name.lower()}_({', '.join(takes)}) {{", f"    {unused}*ierror = {what};", "}"]


def same(f, abi):
    first = f"mpi_{f.name.lower()}_"
    return [f"SAME({name}, {first})" for name in names(f, abi) if name != first]


def entries(functions, abi):
    out = [f"/* The entries for Fortran, of {abi}'s ABI: made by generate.py. */", f'#include "library/face/fortran_{abi}.h"']
    for f in functions:
        if there(f) and not f.words & {"written", "keyed"}:
            out += entry(f, abi) if wanted(f) else none(f)
            out += same(f, abi)
    out += sizes() if abi == "openmpi" else []
    return "\n".join(out) + "\n"


def by_hand(functions, abi):
    """fortran_ABI_names.h: the other names of entries that are written by hand; either file includes it."""
    parts = [[line for f in functions if word in f.words for line in same(f, abi)] for word in ("keyed", "written")]
    return "\n".join(["#ifdef UNO_FORTRAN_ATTRIBUTES", *parts[0], "#else", *parts[1], "#endif"]) + "\n"


# ---- the module mpi_f08 of MPICH


def f08_given(p):
    if p.kind.meaning == "status":
        return f"uno_f08_status({p.name})"
    return f"uno_f08_weights({p.name})" if p.kind.meaning == "weights" else p.name


def f08_part(f, p):
    """The count and the type of data, where they may be told in another way: nothing combines them."""
    count, kind, _ = f.elements(p) if p.kind.meaning == "data" else (None, None, None)
    told = count and kind and not (count.array or kind.array) and kind.kind.name == "COMMITTED"
    return (count.name, kind.name) if told and not any(q.kind.object == "op" for q in f.parameters) else None


def f08_entry(f):
    """Hands on to the entry of mpif.h."""
    listed = [p for p in f.parameters if p.kind.meaning != "C"]
    choices = [p.name for p in listed if p.kind.meaning in ("data", "buffer", "memory", "address")]
    lengths = ["length_" + p.name for p in listed if p.kind.meaning in ("string", "strings")]
    low, end = f.name.lower(), "_f08ts_" if choices else "_f08_"
    kinds = ["void *"] * len(listed) + ["int *"] * (f.result == "int") + ["size_t"] * len(lengths)
    takes = [f"{'const struct uno_f08_array' if p.name in choices else 'void'} *{p.name}" for p in listed]
    takes += ["int *ierror"] * (f.result == "int") + ["size_t " + length for length in lengths]
    given = [f"data_{p.name}" if p.name in choices else f08_given(p) for p in listed]
    out = [f"{'void' if f.result == 'int' else f.result} mpi_{low}_({', '.join(kinds) or 'void'});"]
    if f.result != "int":
        out += [f"EXPORT {f.result} mpi_{low}{end}({', '.join(takes) or 'void'}) {{", f"    return mpi_{low}_({', '.join(given)});", "}"]
    else:
        out += [f"EXPORT void mpi_{low}{end}({', '.join(takes)}) {{", "    int unwanted;"]
        out += [f"    void *data_{name} = uno_f08_data({name});" for name in choices]
        out += ["    ierror = ierror ? ierror : &unwanted;"]
        parts = [(name, *f08_part(f, f[name])) for name in choices if f08_part(f, f[name])]
        for name, count, kind in parts:
            out += [f"    struct uno_f08_part part_{name} = {{0}};", f"    if (!data_{name})",
                    f"        data_{name} = uno_f08_part({name}, &{count}, &{kind}, &part_{name});"]
        if choices:
            out += [f"    if ({' || '.join(f'!data_{name}' for name in choices)}) {{",
                    f"        *ierror = uno_f08_fails(\"MPI_{f.name}\");", "        return;", "    }"]
        out += [f"    mpi_{low}_({', '.join(given + ['ierror'] + lengths)});"]
        out += [called(next((p.name for p in listed if p.kind.object == "request"), "NULL"))] if "begins" in f.words else []
        out += [f"    uno_f08_part_end(&part_{name});" for name, _, _ in parts] + ["}"]
    return out + [f"SAME(pmpir_{low}{end}, mpi_{low}{end})"]


def f08(functions):
    out = ["/* The entries for the module mpi_f08 of MPICH: made by generate.py. */", '#include "library/face/f08_mpich.h"']
    for f in functions:
        if there(f) and "mpifh" not in f.words:
            out += f08_entry(f)
    return "\n".join(out) + "\n"
