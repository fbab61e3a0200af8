/* The primes up to a limit, one a line, in a file: primes LIMIT FILE. Each PE searches a share of the
 * numbers, a piece at a time, and all write their primes together, in order, though each has found another
 * number of them. Then they read the file, each its share of the bytes, and count the lines. */

#include <papers/file.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1000 /* numbers for each PE at once */, LINE = 12 };

static bool is_prime(long n) {
    if (n < 2)
        return false;
    for (long d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return true;
}

/* Write the primes from `from` on, below `to`, as text. Returns its bytes. */
static size_t list(char *text, long from, long to) {
    size_t length = 0;
    for (long n = from; n < to; n++)
        if (is_prime(n))
            length += (size_t)sprintf(text + length, "%ld\n", n);
    return length;
}

/* Report an error of p_fileError, by one PE, since it is the same at all PEs. */
static int fail(void) {
    if (p_iproc() == 0)
        fprintf(stderr, "primes: %s\n", p_fileError());
    return p_exit(1);
}

static bool write_all(const char *path, long limit) {
    static char text[PIECE * LINE];
    int file = p_open(path, "w");
    if (file < 0)
        return false;
    for (long start = 0; start <= limit; start += (long)p_nproc() * PIECE) {
        long from = start + (long)p_iproc() * PIECE, to = from + PIECE <= limit ? from + PIECE : limit + 1;
        /* after an error, p_write fails again, and p_close does, too */
        p_write(file, text, list(text, from, to));
    }
    return p_close(file) == 0;
}

/* Return the lines of the file; negative: it cannot be read. */
static int64_t count_lines(const char *path) {
    char text[4096];
    int64_t lines = 0, got, all;
    int file = p_open(path, "r");
    if (file < 0)
        return -1;
    do {
        got = p_read(file, text, sizeof text);
        for (int64_t i = 0; i < got; i++)
            lines += text[i] == '\n';
        all = p_reduceAdd64(got);
    } while (got >= 0 && all > 0);
    return p_close(file) || got < 0 ? -1 : p_reduceAdd64(lines);
}

int main(int argc, char **argv) {
    long limit = argc == 3 ? atol(argv[1]) : 0;
    if (limit < 1 || limit > 1000000000) {
        fprintf(stderr, "usage: primes LIMIT FILE, with a limit from 1 to 1000000000\n");
        return 2;
    }
    p_init();
    if (!write_all(argv[2], limit))
        return fail();
    int64_t lines = count_lines(argv[2]);
    if (lines < 0)
        return fail();
    if (p_iproc() == 0)
        printf("%lld primes up to %ld, by %d PEs\n", (long long)lines, limit, p_nproc());
    return p_exit(0);
}
