#include "signature.h"

#include <stddef.h>
#include <stdio.h>

/* The bounds of the section, from the linker. */
extern const struct uno_ops *const __start_uno_ops[] __attribute__((visibility("hidden")));
extern const struct uno_ops *const __stop_uno_ops[] __attribute__((visibility("hidden")));

static const char *const own_name[] = {"p_exit"};
static void own_text(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    snprintf(text, UNO_SIGNATURE_TEXT, "%s", detail ? "p_interrupt" : name);
}
static const struct uno_ops own = {.first = UNO_EXIT, .count = 1, .name = own_name, .text = own_text};
UNO_OPS_REGISTER(own);

/* The family of an operation; NULL: none that is linked here. */
static const struct uno_ops *family(unsigned op) {
    for (const struct uno_ops *const *at = __start_uno_ops; at < __stop_uno_ops; at++)
        if (op - (*at)->first < (*at)->count)
            return *at;
    return NULL;
}

const char *uno_signature_name(unsigned op) {
    const struct uno_ops *ops = family(op);
    return ops ? ops->name[op - ops->first] : NULL;
}

const char *uno_signature_text(unsigned signature, char text[UNO_SIGNATURE_TEXT]) {
    unsigned op = uno_signature_op(signature);
    const struct uno_ops *ops = family(op);
    const char *name = uno_signature_name(op);
    if (!ops)
        snprintf(text, UNO_SIGNATURE_TEXT, "unknown operation %#x", signature);
    else if (ops->text)
        ops->text(text, name, uno_signature_detail(signature));
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "%s", name);
    return text;
}

struct uno_peer_words uno_signature_peer(unsigned signature) {
    const struct uno_ops *ops = family(uno_signature_op(signature));
    return ops && ops->peer ? ops->peer(signature) : (struct uno_peer_words){.before = "with"};
}

void uno_signature_function(struct uno_function *function, unsigned signature, unsigned words, int n) {
    const struct uno_ops *ops = family(uno_signature_op(signature));
    *function = (struct uno_function){.learns = UNO_LEARNS_ALL, .bits = (int)words * 64};
    if (ops && ops->function)
        ops->function(function, signature, n);
}
