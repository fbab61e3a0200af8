/* Arrays for which there is no memory: NULL at every member, no signal, and freed memory is used again. */

#include <exchange.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"

static void too_large(size_t bytes) {
    CHECK(!p_alloc(bytes));
}

/* Ask for more memory than there is, in several ways; and then for arrays that fit, again and again. */
static void memory(void) {
    size_t all = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    too_large(SIZE_MAX);
    too_large(SIZE_MAX / 2);
    too_large(all);
    too_large(all + all / 2);
    for (int i = 0; i < 50; i++) {
        enum { SOME = 8 << 20 };
        char *data = p_alloc(SOME);
        CHECK(data);
        for (int k = p_enumerate(); k < SOME; k += 4096 * p_population()) {
            CHECK(!data[k]);
            data[k] = 1;
        }
        p_free(data);
    }
}

/* Limit one PE's addresses: a larger array exists for no member, one that fits does, and freed addresses can
 * be had again in another size. */
static void addresses(void) {
    enum { SOME = 80 << 20 };
    struct rlimit limit = {256 << 20, 256 << 20};
    if (p_iproc() == 1)
        CHECK(!setrlimit(RLIMIT_AS, &limit));
    for (int i = 1; i <= 4; i++) {
        too_large(512 << 20);
        size_t bytes = SOME + (size_t)i * (20 << 20);
        char *data = p_alloc(bytes);
        CHECK(data);
        data[bytes / 2 + (size_t)p_iproc()] = (char)(i + p_iproc());
        p_wait();
        CHECK(data[bytes / 2 + !p_iproc()] == i + !p_iproc());
        p_free(data);
    }
}

/* A limit of the launcher: no array for anyone. Small exchanges take no memory beside the posts. */
static void none(void) {
    too_large(8);
    uint64_t to[2] = {0}, from[2] = {(uint64_t)p_iproc() + 10, (uint64_t)p_iproc() + 20};
    p_allToAll(to, from, sizeof *to);
    CHECK(to[0] == 10 + 10 * (uint64_t)p_iproc() && to[1] == to[0] + 1);
}

static int body(void *unused) {
    (void)unused;
    if (test.word && strcmp(test.word, "addresses") == 0)
        addresses();
    else if (test.word)
        none();
    else {
        p_enqueue(test_near());
        memory();
    }
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
