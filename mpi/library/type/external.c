/* Packing into MPI's representation of data for all machines, "external32": big-endian, with its own sizes
 * for some types (MPI 5.0, 14.5.2). */

#include <string.h>

#include "library/calls.h"
#include "library/type/parts.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are reversed on their way");

/* A basic element: so many numbers, with their bytes in memory and in the representation. */
struct format {
    int numbers, here, there;
    bool fills;    /* with its sign, where a longer number is here */
    bool extended; /* x87's long double, there one of 113 bits */
};

static struct format format_of(const struct uno_mpi_type *basic) {
    const struct uno_mpi_type *t = basic->same ? basic->same : basic;
    int size = (int)t->layout.size;
    switch (t->object.handle) {
    case (uintptr_t)MPI_LONG:
        return (struct format){1, size, 4, true, false};
    case (uintptr_t)MPI_UNSIGNED_LONG:
        return (struct format){1, size, 4, false, false};
    case (uintptr_t)MPI_WCHAR:
        return (struct format){1, size, 2, false, false};
    case (uintptr_t)MPI_LONG_DOUBLE:
        return (struct format){1, size, 16, false, true};
    case (uintptr_t)MPI_C_LONG_DOUBLE_COMPLEX:
    case (uintptr_t)MPI_CXX_LONG_DOUBLE_COMPLEX:
        return (struct format){2, size / 2, 16, false, true};
    case (uintptr_t)MPI_C_FLOAT_COMPLEX:
    case (uintptr_t)MPI_C_DOUBLE_COMPLEX:
    case (uintptr_t)MPI_CXX_FLOAT_COMPLEX:
    case (uintptr_t)MPI_CXX_DOUBLE_COMPLEX:
    case (uintptr_t)MPI_COMPLEX:
    case (uintptr_t)MPI_DOUBLE_COMPLEX:
    case (uintptr_t)MPI_COMPLEX8:
    case (uintptr_t)MPI_COMPLEX16:
    case (uintptr_t)MPI_COMPLEX32:
        return (struct format){2, size / 2, size / 2, false, false};
    default:
        return (struct format){1, size, size, false, false};
    }
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static void reverse(char *to, const char *from, int bytes) {
    for (int i = 0; i < bytes; i++)
        to[i] = from[bytes - 1 - i];
}

static void write_number(const struct format *f, const char *here, char *there) {
    if (f->extended) {
        long double number;
        _Float128 wide;
        memcpy(&number, here, sizeof number);
        wide = number;
        reverse(there, (const char *)&wide, f->there);
    } else {
        reverse(there, here, f->there);
    }
}

static void read_number(const struct format *f, char *here, const char *there) {
    if (f->extended) {
        _Float128 wide;
        reverse((char *)&wide, there, f->there);
        long double number = (long double)wide;
        memcpy(here, &number, sizeof number);
    } else {
        reverse(here, there, f->there);
        memset(here + f->there, f->fills && (signed char)there[0] < 0 ? 0xff : 0,
               (size_t)(f->here - f->there));
    }
}

/* ---- elements ------------------------------------------------------------------------------------------ */

struct way {
    bool packs;
    char *there;
};

static void convert(void *context, const struct uno_mpi_type *basic, char *at, MPI_Count count) {
    struct way *w = context;
    struct format f = format_of(basic);
    for (MPI_Count i = 0; i < count * f.numbers; i++, at += f.here, w->there += f.there)
        if (w->packs)
            write_number(&f, at, w->there);
        else
            read_number(&f, at, w->there);
}

/* Return the bytes of one element in the representation. */
static MPI_Count size_of(const struct uno_mpi_type *t) {
    MPI_Count parts = uno_type_parts(t), step = parts && uno_type_parts_equal(t) ? parts : 1, size = 0;
    struct format f = format_of(t);
    if (!parts && t->elements)
        return (MPI_Count)f.numbers * f.there;
    for (MPI_Count i = 0; i < parts; i += step) {
        struct uno_part part = uno_type_part(t, i);
        size += step * part.count * size_of(part.type);
    }
    return size;
}

/* Check that datarep is "external32", and that so many bytes fit from the position on. */
static int check(const char *datarep, MPI_Count bytes, MPI_Count room, MPI_Count position) {
    if (strcmp(datarep, "external32") != 0)
        return uno_error(MPI_ERR_UNSUPPORTED_DATAREP, "datarep is \"%.40s\"; there is \"external32\"",
                         datarep);
    if (position < 0 || bytes > room - position)
        return uno_error(MPI_ERR_TRUNCATE, "%lld bytes are more than there are from position %lld of %lld on",
                         (long long)bytes, (long long)position, (long long)room);
    return MPI_SUCCESS;
}

int uno_mpi_pack_external_size(const char *datarep, MPI_Count incount, struct uno_mpi_type *datatype,
                               MPI_Count *size) {
    *size = incount * size_of(datatype);
    return check(datarep, 0, 0, 0);
}

int uno_mpi_pack_external(const char *datarep, const void *inbuf, MPI_Count incount,
                          struct uno_mpi_type *datatype, void *outbuf, MPI_Count outsize,
                          MPI_Count *position) {
    MPI_Count bytes = incount * size_of(datatype);
    int error = check(datarep, bytes, outsize, *position);
    if (error)
        return error;
    struct way way = {true, (char *)outbuf + *position};
    uno_type_visit(datatype, (char *)inbuf, incount, convert, &way);
    *position += bytes;
    return MPI_SUCCESS;
}

int uno_mpi_unpack_external(const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position,
                            void *outbuf, MPI_Count outcount, struct uno_mpi_type *datatype) {
    MPI_Count bytes = outcount * size_of(datatype);
    int error = check(datarep, bytes, insize, *position);
    if (error)
        return error;
    struct way way = {false, (char *)inbuf + *position};
    uno_type_visit(datatype, outbuf, outcount, convert, &way);
    *position += bytes;
    return MPI_SUCCESS;
}
