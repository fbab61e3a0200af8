#include "key.h"

static const struct type {
    const char *name;
    unsigned bytes;
    bool is_signed, floating;
} types[] = {
    {"u8", 1, false, false}, {"u16", 2, false, false}, {"u32", 4, false, false}, {"u64", 8, false, false},
    {"i8", 1, true, false},  {"i16", 2, true, false},  {"i32", 4, true, false},  {"i64", 8, true, false},
    {"f32", 4, true, true},  {"f64", 8, true, true},
};

bool uno_sort_key(struct uno_sort_key *key, const char *name, size_t offset) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const struct type *type = &types[i];
        if (strcmp(type->name, name) != 0)
            continue;
        uint64_t top = (uint64_t)1 << (8 * type->bytes - 1);
        *key = (struct uno_sort_key){.offset = offset,
                                     .bytes = type->bytes,
                                     .sign = type->is_signed ? top : 0,
                                     .flip = type->floating ? top - 1 : 0};
        return true;
    }
    return false;
}
