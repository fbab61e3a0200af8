/* chaos SEED MILLISECONDS [WORD]: random operations of random groups, every result checked, for so long. Each
 * PE prints its process id first, and "done" at the end if all results were right. All PEs draw the same
 * random numbers. With WORD each prints it when all have come and have had some operations. */

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static uint64_t draw(uint64_t *state) {
    /* splitmix64 */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Return the value of PE k in step s. */
static int32_t value(uint64_t s, int k) {
    uint64_t state = s * 1024 + (uint64_t)k;
    return (int32_t)(draw(&state) % 100000);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void check(int64_t is, int64_t should, const char *operation, uint64_t s) {
    if (is == should)
        return;
    fprintf(stderr, "WRONG: PE %d, step %llu, %s: %lld, not %lld\n", p_iproc(), (unsigned long long)s,
            operation, (long long)is, (long long)should);
    _exit(9);
}

static void step(uint64_t s, uint64_t mask, unsigned operation) {
    int me = p_iproc(), last = 63 - __builtin_clzll(mask);
    int32_t sum = 0, before = 0, all[64];
    uint64_t odd = 0;
    for (int k = 0; k < p_nproc(); k++) {
        if (!(mask >> k & 1))
            continue;
        sum += value(s, k);
        before += k <= me ? value(s, k) : 0;
        odd |= (uint64_t)(value(s, k) & 1) << k;
    }
    p_enqueue(mask);
    switch (operation) {
    case 0:
        p_wait();
        break;
    case 1:
        check(p_reduceAdd32(value(s, me)), sum, "p_reduceAdd32", s);
        break;
    case 2:
        check(p_scanAdd32(value(s, me)), before, "p_scanAdd32", s);
        break;
    case 3:
        check((int64_t)p_waitvec(value(s, me) & 1), (int64_t)odd, "p_waitvec", s);
        break;
    case 4:
        check(p_putget32(value(s, me), last), value(s, last), "p_putget32", s);
        break;
    case 5:
        p_gather32(all, value(s, me));
        for (int k = 0; k < p_nproc(); k++)
            if (mask >> k & 1)
                check(all[k], value(s, k), "p_gather32", s);
        break;
    default:
        if (me == last)
            p_bcastPut32(value(s, me));
        else
            check(p_bcastGet32(), value(s, last), "p_bcastGet32", s);
    }
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4)
        return 2;
    printf("%s %d\n", getenv("UNISONO_JOB"), (int)getpid());
    fflush(stdout);
    p_init();
    uint64_t random = strtoull(argv[1], NULL, 10), s = 0;
    double end = now() + atof(argv[2]) * 1e-3;
    do {
        for (int i = 0; i < 50; i++, s++) {
            uint64_t some = draw(&random) & ALL_MASK, mine = some & OUR_MASK ? some : ~some & ALL_MASK;
            step(s, mine, draw(&random) % 7);
        }
        if (s == 50 && argc == 4) {
            printf("%s\n", argv[3]);
            fflush(stdout);
        }
        p_enqueue(ALL_MASK);
    } while (!p_any(now() >= end));
    printf("done\n");
    return p_exit(0);
}
