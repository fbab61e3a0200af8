#include "collective/reduction/ordered.h"

/* Room for `count` elements as they lie in memory. To be freed: *memory. */
static void *make_room(const struct uno_ordered *o, size_t count, void **memory) {
    ptrdiff_t reach = (ptrdiff_t)(count - 1) * o->layout->extent;
    ptrdiff_t low = reach < 0 ? reach : 0, high = reach < 0 ? 0 : reach;
    *memory = uno_base_allocate((size_t)(high - low + o->layout->true_extent) + 1, 1);
    return (char *)*memory - o->true_bound - low;
}

void uno_ordered_apply(const struct uno_ordered *o, const void *in, void *inout, size_t count) {
    for (size_t done = 0; done < count;) {
        size_t n = uno_least(count - done, INT_MAX);
        ptrdiff_t at = (ptrdiff_t)done * o->layout->extent;
        o->apply(o->context, (const char *)in + at, (char *)inout + at, n);
        done += n;
    }
}

static void unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out) {
    if (layout->plain)
        memcpy(out, bytes, count * layout->size);
    else
        layout->unpack(layout, bytes, count, out);
}

/* next = left combined with the next rank's, which it then stands for. */
void uno_ordered_combine(const struct uno_ordered *o, const void *const *data, int n, size_t count,
                         void *out) {
    const struct uno_layout *layout = o->layout;
    void *memory[2];
    void *left = make_room(o, count, &memory[0]), *next = make_room(o, count, &memory[1]);
    unpack(layout, data[0], count, left);
    for (int k = 1; k < n; k++) {
        unpack(layout, data[k], count, next);
        uno_ordered_apply(o, left, next, count);
        void *other = left;
        left = next;
        next = other;
    }
    if (layout->plain)
        memcpy(out, left, count * layout->size);
    else
        layout->pack(layout, left, count, out);
    free(memory[0]);
    free(memory[1]);
}
