#include "signature.h"

#include <stdio.h>

/* The bounds of the section, from the linker. */
extern const struct uno_ops *const __start_uno_ops[] __attribute__((visibility("hidden")));
extern const struct uno_ops *const __stop_uno_ops[] __attribute__((visibility("hidden")));

static const char *const own_name[] = {"p_exit"};
static const struct uno_ops own = {.first = UNO_EXIT, .count = 1, .name = own_name};
UNO_OPS_REGISTER(own);

const char *uno_signature_text(unsigned signature, char text[UNO_SIGNATURE_TEXT]) {
    unsigned op = uno_signature_op(signature);
    for (const struct uno_ops *const *at = __start_uno_ops; at < __stop_uno_ops; at++) {
        const struct uno_ops *ops = *at;
        if (op - ops->first >= ops->count)
            continue;
        const char *name = ops->name[op - ops->first];
        if (ops->text)
            ops->text(text, name, uno_signature_detail(signature));
        else
            snprintf(text, UNO_SIGNATURE_TEXT, "%s", name);
        return text;
    }
    snprintf(text, UNO_SIGNATURE_TEXT, "unknown operation %#x", signature);
    return text;
}
