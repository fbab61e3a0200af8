/* Arrays lie on huge pages where the kernel can make some, also where it makes none for shared memory by
 * itself; at every member they begin where such a page may. */

#define _GNU_SOURCE
#include <exchange.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

enum { HUGE_PAGE = 2 << 20, ARRAY = 4 * HUGE_PAGE, UNALIGNED = ARRAY + 4096 };

/* Return how many bytes of the mapping that contains `data` this process has as huge pages. */
static size_t huge_bytes(const void *data) {
    FILE *f = fopen("/proc/self/smaps", "r");
    char line[512];
    bool inside = false;
    size_t bytes = 0;
    CHECK(f);
    while (fgets(line, sizeof line, f)) {
        unsigned long begin, end, kilobytes;
        char what[32];
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            inside = (unsigned long)data >= begin && (unsigned long)data < end;
        else if (inside && sscanf(line, "%31[A-Za-z]: %lu kB", what, &kilobytes) == 2 &&
                 (strcmp(what, "AnonHugePages") == 0 || strcmp(what, "ShmemPmdMapped") == 0))
            bytes += kilobytes << 10;
    }
    fclose(f);
    return bytes;
}

/* Return true if the kernel makes a huge page of shared memory when it is asked to. */
static bool makes_huge_pages(void) {
    int file = memfd_create("probe", MFD_CLOEXEC);
    char *room = mmap(NULL, 2 * HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(file >= 0 && room != MAP_FAILED && !ftruncate(file, HUGE_PAGE));
    char *page = room + (-(uintptr_t)room % HUGE_PAGE);
    CHECK(mmap(page, HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == page);
    *page = 1;
    bool makes = !madvise(page, HUGE_PAGE, MADV_COLLAPSE);
    munmap(room, 2 * HUGE_PAGE);
    close(file);
    return makes;
}

static int body(void *unused) {
    (void)unused;
    p_enqueue(test_near());
    bool makes = p_all(makes_huge_pages());
    for (int i = 0; i < 3; i++) { /* also where one was before */
        char *first = p_alloc(UNALIGNED), *second = p_alloc(ARRAY);
        CHECK(first && second);
        CHECK((uintptr_t)first % HUGE_PAGE == 0 && (uintptr_t)second % HUGE_PAGE == 0);
        for (size_t k = 0; k < ARRAY; k += 512)
            CHECK(!second[k]);
        p_wait();
        for (size_t k = (size_t)p_enumerate() * 512; k < ARRAY; k += 512 * (size_t)p_population())
            second[k] = first[k] = 1;
        p_wait();
        if (makes && (huge_bytes(first) < ARRAY || huge_bytes(second) < ARRAY))
            test_fail("of two arrays of %d bytes %zu and %zu are on huge pages", ARRAY, huge_bytes(first),
                      huge_bytes(second));
        p_free(second);
        p_free(first);
    }
    if (!makes && p_enumerate() == 0)
        printf("skipped: the kernel makes no huge pages of shared memory (Linux 6.1 does)\n");
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
