/* Counts of instructions. `count COMMAND` starts itself twice by the command, which runs it in an emulator
 * that counts. There loops of known lengths are counted, by one thread and by two at once, in blocks within a
 * page and across its end, and both runs must have the same counts. Where nobody counts, there is no count.
 * Atomic operations of both sides on shared memory must not get lost. */

#define _GNU_SOURCE
#include "engine/count.h"
#include "engine/atomic.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ADDED = 300000, RUNS = 2, SHARED = 9 /* descriptor */ };

static int wrong;

static void check(const char *what, uint64_t expected, uint64_t got) {
    if (expected == got)
        return;
    fprintf(stderr, "%s: expected %llu, got %llu\n", what, (unsigned long long)expected,
            (unsigned long long)got);
    wrong++;
}

/* ---- loops of known lengths -------------------------------------------------------------------------- */

/* A loop of so many instructions a turn. */
struct loop {
    const char *name;
    void (*run)(uint64_t turns);
    uint64_t instructions;
};

void within_page(uint64_t turns);
void across_pages(uint64_t turns);
void repeated(uint64_t turns);

#if defined __x86_64__
/* The loop of across_pages has an instruction of 10 bytes, of which 5 are in the next page. */
__asm__(".text\n"
        ".balign 64\n"
        "within_page:\n"
        "1: add $1, %rax\n"
        "dec %rdi\n"
        "jnz 1b\n"
        "ret\n"
        ".balign 4096\n"
        ".skip 4096 - 12\n"
        "across_pages:\n"
        "1: nop\n"
        "add $1, %rcx\n"
        "nop\n"
        "nop\n"
        "movabs $0x1122334455667788, %rax\n"
        "dec %rdi\n"
        "jnz 1b\n"
        "ret\n"
        "repeated:\n"
        "mov %rdi, %rcx\n"
        "1: push %rcx\n"
        "mov $3, %ecx\n"
        "lea -64(%rsp), %rdi\n"
        "rep stosb\n"
        "pop %rcx\n"
        "dec %rcx\n"
        "jnz 1b\n"
        "ret\n");
static const struct loop loops[] = {
    {"a loop within a page", within_page, 3},
    {"a loop across the end of a page", across_pages, 7},
    {"a loop with an instruction that repeats 3 times", repeated, 6 + 4},
};
#elif defined __aarch64__
__asm__(".text\n"
        "within_page:\n"
        "1: add x1, x1, 1\n"
        "subs x0, x0, 1\n"
        "bne 1b\n"
        "ret\n");
static const struct loop loops[] = {{"a loop within a page", within_page, 3}};
#else
static const struct loop loops[] = {{NULL, NULL, 0}}; /* for this kind of processor there is none */
#endif

enum { LOOPS = sizeof loops / sizeof loops[0] };

static uint64_t now(void) {
    uint64_t count = 0;
    check("there is a counter", true, uno_count(&count));
    return count;
}

/* Return the count of so many turns, the call of the loop and that of the counter included. */
__attribute__((noinline)) static uint64_t around(const struct loop *loop, uint64_t turns) {
    uint64_t before = now();
    loop->run(turns);
    return now() - before;
}

/* Check all loops. Return what that counts. */
static uint64_t count_loops(void) {
    const volatile uint64_t one = 1; /* so that the compiler makes one `around` for all numbers */
    uint64_t start = now();
    for (int i = 0; i < LOOPS; i++)
        for (uint64_t turns = 2; turns < 300000; turns = turns * 7 + 1)
            check(loops[i].name, (turns - 1) * loops[i].instructions,
                  around(&loops[i], turns) - around(&loops[i], one));
    errno = 0;
    uint64_t end = now();
    check("errno", 0, (uint64_t)errno);
    return end - start;
}

static void *thread(void *count) {
    *(uint64_t *)count = count_loops();
    return NULL;
}

/* ---- both sides -------------------------------------------------------------------------------------- */

static void add(uno_atomic32 *shared) {
    for (int i = 0; i < ADDED; i++)
        uno_add32_seq_cst(shared, 1);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static uno_atomic32 *map(void) {
    void *shared = mmap(NULL, sizeof(uno_atomic32), PROT_READ | PROT_WRITE, MAP_SHARED, SHARED, 0);
    if (shared == MAP_FAILED)
        fail("mmap");
    return shared;
}

/* Under the emulator. */
static int counted(void) {
    add(map());
    uint64_t own = count_loops(), all = now(), of[2]; /* threads may wait for one another from here */
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, thread, &of[i]))
            fail("pthread_create");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    check("a thread's count beside another thread", own, of[0]);
    check("the other one's", own, of[1]);
    printf("%llu %llu\n", (unsigned long long)own, (unsigned long long)all);
    return wrong ? 1 : 0;
}

/* Run this program by the command and read its counts. */
static void start(char **command, char *counts, size_t size) {
    int ends[2];
    uno_atomic32 *shared = map();
    uno_store32_relaxed(shared, 0);
    if (pipe(ends))
        fail("pipe");
    pid_t child = fork();
    if (child < 0)
        fail("fork");
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execv(command[0], command);
        fail(command[0]);
    }
    close(ends[1]);
    while (!uno_load32_relaxed(shared) && waitpid(child, NULL, WNOHANG) == 0)
        ;
    add(shared);
    ssize_t length = read(ends[0], counts, size - 1);
    counts[length < 0 ? 0 : length] = 0;
    close(ends[0]);
    int status = 1;
    waitpid(child, &status, 0);
    check("the emulator's exit status", 0, (uint64_t)status);
    check("a sum of both sides", 2 * ADDED, uno_load32_relaxed(shared));
}

int main(int arguments, char **argument) {
    if (!loops[0].run) {
        printf("skipped: the test has no loop for this kind of processor\n");
        return 77;
    }
    if (arguments == 1)
        return counted();
    uint64_t count = 12345;
    for (int i = 0; i < 2; i++)
        check("without a counter there is none", false, uno_count(&count));
    check("what is not counted", 12345, count);

    int memory = memfd_create("count", 0);
    if (memory < 0 || ftruncate(memory, sizeof(uno_atomic32)) || dup2(memory, SHARED) < 0)
        fail("memfd_create");
    char counts[RUNS][64];
    for (int i = 0; i < RUNS; i++)
        start(argument + 1, counts[i], sizeof counts[i]);
    if (strcmp(counts[0], counts[1])) {
        fprintf(stderr, "two runs differ:\n%s%s", counts[0], counts[1]);
        wrong++;
    }
    return wrong ? 1 : 0;
}
