/* many [all]: a few PEs of a job of very many, of which all others are programs that are no PEs; `all`: all
 * are. The first four and the last four, or all, go through operations of a wide group, and that with number
 * k exchanges a message with that k before the last. The few then print a line for each memory, in KiB:
 *
 *     pe      of its own process, before the first operation and at the end
 *     node    the job's memory on its node
 *     agent   of its agent's process
 */

#include <papers.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <vertex.h>

#include "engine/pe.h"

enum { EACH = 4, ROUNDS = 10 };

static int me, n;

/* Return the KiB of a process that it shares with none. */
static long private_of(int process) {
    char name[40], line[200];
    long all = 0, kib;
    snprintf(name, sizeof name, "/proc/%d/smaps_rollup", process);
    FILE *file = fopen(name, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Private_Clean: %ld", &kib) == 1 || sscanf(line, "Private_Dirty: %ld", &kib) == 1)
            all += kib;
    if (!file || !all)
        p_error("the memory of a process is not known");
    fclose(file);
    return all;
}

static long shared(void) {
    struct stat st;
    if (fstat(uno_self->memory.fd, &st))
        p_error("the job's memory is not known");
    return (long)st.st_blocks / 2;
}

static void check(int right, const char *what) {
    if (!right)
        p_error(what);
}

/* Let the members, in ascending order, go through operations on their numbers. */
static void operate(const int *member, int count) {
    int32_t *all = calloc((size_t)n, sizeof *all);
    uint64_t *vector = calloc((size_t)(n + 63) / 64, sizeof *vector);
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += member[i];
    check(p_reduceAdd64(me) == sum, "a sum of integers is wrong");
    check(p_reduceAddd(me) == (double)sum, "a sum of reals is wrong");
    check(p_reduceMax32(me) == n - 1, "a greatest value is wrong");
    p_gather32(all, me);
    for (int i = 0; i < count; i++)
        check(all[member[i]] == member[i], "gathered values are wrong");
    if (me == n - 1)
        p_bcastPut32(7);
    else
        check(p_bcastGet32() == 7, "a broadcast is wrong");
    p_waitvecWide(vector, me % 2);
    for (int i = 0; i < count; i++)
        check((vector[member[i] / 64] >> member[i] % 64 & 1) == (uint64_t)member[i] % 2,
              "a vector of bits is wrong");
    free(vector);
    free(all);
}

static void exchange(void) {
    int other = n - 1 - me, from = other, type = 1;
    if (other == me)
        return;
    int64_t data = me;
    nwrite(&data, sizeof data, other, type);
    nread(&data, sizeof data, &from, &type);
    check(data == other, "a message is wrong");
}

/* Make the group of PEs from the numbers of its members. */
static void enqueue(const int *member, int count) {
    uint64_t *mask = calloc((size_t)(n + 63) / 64, sizeof *mask);
    for (int i = 0; i < count; i++)
        mask[member[i] / 64] |= UINT64_C(1) << member[i] % 64;
    p_enqueueWide(mask);
    free(mask);
}

int main(int argc, char **argv) {
    p_init();
    me = p_iproc();
    n = p_nproc();
    bool all = argc > 1 && strcmp(argv[1], "all") == 0;
    long before = private_of(uno_self->board->pid);
    int count = all ? n : 2 * EACH, *member = calloc((size_t)count, sizeof *member);
    for (int i = 0; i < count; i++)
        member[i] = all || i < EACH ? i : n - count + i;
    enqueue(member, count);
    for (int round = 0; round < ROUNDS; round++) {
        operate(member, count);
        exchange();
    }
    p_wait();
    if (!me && !all)
        printf("pe %ld %ld\nnode %ld\nagent %ld\n", before, private_of(uno_self->board->pid), shared(),
               private_of((int)uno_self->memory.launcher));
    p_wait();
    free(member);
    return p_exit(0);
}
