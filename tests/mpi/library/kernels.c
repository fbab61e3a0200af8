/* The kernels for processors that take more elements at a time give the same bits as those for every
 * processor, also where the result lies where the first or the second member's elements are. Pairs and
 * numbers of 80 bits are left out, which have bits that nobody sets. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "collective/reduction/kernels.h"
#include "rng.h"

enum { MEMBERS = 3, MOST = 70, BYTES = MOST * 32 };

static const struct {
    enum uno_class class;
    size_t extent;
} kinds[] = {{UNO_SIGNED, 1},   {UNO_SIGNED, 2},   {UNO_SIGNED, 4},   {UNO_SIGNED, 8},  {UNO_UNSIGNED, 1},
             {UNO_UNSIGNED, 2}, {UNO_UNSIGNED, 4}, {UNO_UNSIGNED, 8}, {UNO_REAL, 4},    {UNO_REAL, 8},
             {UNO_COMPLEX, 8},  {UNO_COMPLEX, 16}, {UNO_BOOL, 1},     {UNO_LOGICAL, 4}, {UNO_BYTE, 1}};

static _Alignas(16) char member[MEMBERS][BYTES], want[BYTES], got[MEMBERS][BYTES];

static int wrong;

static void check(size_t kind, enum uno_operator operator, int n, size_t count) {
    uno_kernel plain = uno_kernels_plain(kinds[kind].class, kinds[kind].extent)[operator];
    uno_kernel wide = uno_kernels_wide(kinds[kind].class, kinds[kind].extent)[operator];
    if (!plain || !wide) {
        wrong += !plain != !wide;
        return;
    }
    const void *data[MEMBERS] = {member[0], member[1], member[2]};
    size_t bytes = count * kinds[kind].extent;
    plain(data, n, count, want);
    for (int place = -1; place < 2; place++) { /* apart, and where member `place` is */
        memcpy(got, member, sizeof got);
        const void *own[MEMBERS] = {got[0], got[1], got[2]};
        void *out = place < 0 ? got[2] : got[place];
        wide(place < 0 ? data : own, n, count, out);
        if (memcmp(want, out, bytes)) {
            printf("kind %zu, operator %d, %d members of %zu elements, result %d: other bits\n", kind,
                   (int)operator, n, count, place);
            wrong++;
        }
    }
}

int main(void) {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) {
        puts("skipped: this processor has no AVX2");
        return 77;
    }
    struct rng rng = {1};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t count = 1; count <= MOST; count++) {
            /* finite numbers, of which hardly two are the same */
            for (size_t i = 0; i < sizeof member; i++)
                ((char *)member)[i] = (char)rng_below(&rng, kinds[kind].class == UNO_BOOL ? 2 : 0x40);
            for (int n = 2; n <= MEMBERS; n++)
                for (int operator= 0; operator<UNO_OPERATORS; operator++)
                    check(kind, (enum uno_operator) operator, n, count);
        }
    return wrong > 0;
}
