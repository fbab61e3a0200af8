/* The collective that a rank is in, in words: "MPI_Bcast(count 4, MPI_INT, root 0, MPI_COMM_WORLD)". */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "library/blocking/collectives.h"
#include "library/type/predefined.h"
#include "library/type/sequence.h"

/* A text that ends where its room does. */
struct text {
    char *at;
    size_t left;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    size_t step = length < 0 ? 0 : uno_least((size_t)length, text->left - 1);
    text->at += step;
    text->left -= step;
}

static void add_type(struct text *text, const struct uno_mpi_type *type) {
    if (*type->name)
        add(text, "%s, ", type->name);
    else if (uno_type_is_predefined(type))
        add(text, "%s, ", uno_predefined_type_name(type));
    else
        add(text, "a type of %zu bytes, ", type->layout.size);
}

static const char *op_name(const struct uno_mpi_op *op) {
    static const char *const names[UNO_OPS_TO - UNO_OPS_FROM] = {
#define N(name) [(uintptr_t)MPI_##name - UNO_OPS_FROM] = "MPI_" #name
        N(SUM),  N(MIN), N(MAX),  N(PROD),   N(BAND),  N(BOR), N(BXOR),
        N(LAND), N(LOR), N(LXOR), N(MINLOC), N(MAXLOC)
#undef N
    };
    const char *name = op->function ? NULL : names[op->object.handle - UNO_OPS_FROM];
    return name ? name : "an operation of the program's";
}

/* The call in which the rank is, by that signature; NULL: none. The rank is found by its PE, not by the
 * thread: the one that keeps a PE's port asks, too, while the PE waits (unit/board/). */
static const struct uno_told *told_of(const struct uno_pe *pe, unsigned signature) {
    const struct uno_rank *rank = (const void *)(uintptr_t)uno_load64_relaxed(&pe->channel->box->rank);
    bool told = rank && rank->told.comm && !uno_signature_is_message(signature) &&
                rank->lane.present == &rank->told.comm->comm;
    return told ? &rank->told : NULL;
}

/* Bytes and packed data fit every type: where one rank has these, the signatures may differ by the mark of
 * the other one's. */
bool uno_told_fits_but(const struct uno_told *told, unsigned differing) {
    unsigned differs = uno_signature_detail(differing), of = differs >> 4;
    if (!told->type || !told->count || uno_signature_op(differing))
        return false;
    if (told->type->sequence != UNO_SEQUENCE_ANY)
        return differs == told->type->mark;
    return differs % 16 == UNO_SEQUENCE_LOW && of > 0 && of < UNO_SEQUENCE_MARKS;
}

bool uno_told_fits(const struct uno_pe *pe, unsigned signature, unsigned theirs) {
    const struct uno_told *told = told_of(pe, signature);
    return told && uno_told_fits_but(told, signature ^ theirs);
}

void uno_told_text(const struct uno_told *told, const char *name, char *text, size_t bytes) {
    struct text to = {text, bytes};
    add(&to, "%s(", name);
    if (told->type) {
        add(&to, "count %lld, ", (long long)told->count);
        add_type(&to, told->type);
    }
    if (told->op)
        add(&to, "%s, ", op_name(told->op));
    if (told->root >= 0)
        add(&to, "root %d, ", told->root);
    if (*told->comm->name)
        add(&to, "%s)", told->comm->name);
    else
        add(&to, "communicator %d)", told->comm->id);
}

bool uno_told_describe(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes) {
    const struct uno_told *told = told_of(pe, signature);
    char name[UNO_SIGNATURE_TEXT];
    if (!told)
        return false;
    uno_told_text(told, uno_signature_text(signature, name), text, bytes);
    return true;
}
