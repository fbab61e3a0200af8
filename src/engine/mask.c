#include "mask.h"

#include <stdio.h>

const char *uno_mask_text(const uint64_t *mask, int words, char text[UNO_MASK_TEXT]) {
    /* room for the longest item, ",16383-16383", and the end, "...}" */
    enum { LAST = UNO_MASK_TEXT - 20 };
    int at = 0, next = 0;
    text[at++] = '{';
    UNO_FOR_EACH_PE (k, mask, words) {
        if (k < next)
            continue;
        if (at > LAST) {
            at += sprintf(text + at, "...");
            goto end;
        }
        next = k + 1;
        while (next < words * 64 && mask[next / 64] >> (next % 64) & 1)
            next++;
        at += sprintf(text + at, at > 1 ? ",%d" : "%d", k);
        if (next - k > 1)
            at += sprintf(text + at, "-%d", next - 1);
    }
end:
    sprintf(text + at, "}");
    return text;
}
