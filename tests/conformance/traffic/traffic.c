#include "traffic.h"

#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vertex.h>

#include "rng.h"

enum { TYPES = 4, LONGEST = 3 << 20 };

/* The behaviour of a PE in a phase: counts out of 100 steps. A step that does not write reads, tests or
 * polls. */
static const struct habit {
    int writes, sleeps;
    long pool; /* bytes */
} habits[] = {
    {.writes = 50, .sleeps = 0, .pool = 64 << 20},
    {.writes = 100, .sleeps = 0, .pool = 64 << 20}, /* reads nothing before it has written all */
    {.writes = 90, .sleeps = 0, .pool = 0},
    {.writes = 70, .sleeps = 1, .pool = 100 * 1000},
    {.writes = 20, .sleeps = 0, .pool = 4000},
};

struct traffic {
    uint64_t seed, phase;
    int me, n;
    uint32_t *written, *read; /* [PE * TYPES + type] messages so far */
    unsigned char *data;      /* room for one */
};

static void wrong(const char *what, int from, int type, uint32_t number, long is, long should) {
    char text[160];
    snprintf(text, sizeof text, "WRONG: message %u of type %d from PE %d: %s is %ld, not %ld", number, type,
             from, what, is, should);
    p_error(text);
}

/* Return the random numbers of message number `number` of this type from one PE to another: first its length,
 * then its words. */
static struct rng message(const struct traffic *t, int from, int to, int type, uint32_t number) {
    uint64_t channel = ((uint64_t)from << 32 | (uint64_t)to) * TYPES + (uint64_t)type;
    return rng_for(t->seed, t->phase, channel, number);
}

static size_t length_of(struct rng *r) {
    int kind = rng_below(r, 1000);
    if (kind < 100)
        return 0;
    if (kind < 650)
        return (size_t)rng_below(r, 65);
    if (kind < 950)
        return (size_t)rng_below(r, 2000);
    if (kind < 998)
        return (size_t)rng_below(r, 100 * 1000);
    return (size_t)rng_below(r, LONGEST + 1);
}

static void write_one(struct traffic *t, struct rng *chance) {
    int to = rng_below(chance, t->n), type = rng_below(chance, TYPES);
    struct rng r = message(t, t->me, to, type, t->written[to * TYPES + type]++);
    size_t bytes = length_of(&r);
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = rng_next(&r);
        memcpy(t->data + i, &word, 8);
    }
    nwrite(t->data, bytes, to, type);
    memset(t->data, 0xee, bytes); /* it has been copied */
}

/* Read one message as nread's arguments say, which waits, and check it. */
static void read_one(struct traffic *t, int from, int type) {
    int asked_from = from, asked_type = type;
    long bytes = (long)nread(t->data, LONGEST, &from, &type);
    if (from < 0 || from >= t->n || type < 0 || type >= TYPES)
        wrong("one of PE and type", from, type, 0, -1, 0);
    if ((asked_from != NANY && asked_from != from) || (asked_type != NANY && asked_type != type))
        wrong("the PE or type asked for", from, type, 0, asked_from, from);
    uint32_t number = t->read[from * TYPES + type]++;
    struct rng r = message(t, from, t->me, type, number);
    long expected = (long)length_of(&r);
    if (bytes != expected)
        wrong("its length", from, type, number, bytes, expected);
    for (long i = 0; i < bytes; i += 8) {
        uint64_t word = rng_next(&r);
        if (memcmp(t->data + i, &word, (size_t)(bytes - i < 8 ? bytes - i : 8)) != 0)
            wrong("the first wrong word", from, type, number, i / 8, -1);
    }
}

/* Look for a message, and read the one that was found, by one of the four ways to ask for it. */
static void read_if_there(struct traffic *t, struct rng *chance) {
    int ask = rng_below(chance, 4);
    int from = ask & 1 ? rng_below(chance, t->n) : NANY, type = ask & 2 ? rng_below(chance, TYPES) : NANY;
    int found_from = from, found_type = type;
    long bytes = (long)ntest(&found_from, &found_type);
    if (bytes < 0)
        return;
    struct rng r = message(t, found_from, t->me, found_type, t->read[found_from * TYPES + found_type]);
    long expected = (long)length_of(&r);
    if (bytes != expected)
        wrong("its length by ntest", found_from, found_type, t->read[found_from * TYPES + found_type], bytes,
              expected);
    read_one(t, from, type);
}

/* Wait for a message, and read the one that was found. */
static void probe_and_read(struct traffic *t, int from, int type) {
    long bytes = (long)nprobe(&from, &type);
    struct rng r = message(t, from, t->me, type, t->read[from * TYPES + type]);
    long expected = (long)length_of(&r);
    if (bytes != expected)
        wrong("its length by nprobe", from, type, t->read[from * TYPES + type], bytes, expected);
    read_one(t, from, type);
}

/* Compute how many messages of each PE and type this PE must have read in the end. */
static void learn(const struct traffic *t, uint32_t *expected) {
    for (int d = 0; d < t->n; d++) {
        int to = (t->me + d) % t->n, from = (t->me - d + t->n) % t->n;
        for (int type = 0; type < TYPES; type++)
            expected[from * TYPES + type] = p_putget32u(t->written[to * TYPES + type], from);
    }
}

static void read_rest(struct traffic *t, struct rng *chance) {
    uint32_t *expected = calloc((size_t)t->n * TYPES, sizeof *expected);
    if (!expected)
        p_error("out of memory");
    learn(t, expected);
    for (;;) {
        int missing = 0, one = 0;
        for (int i = 0; i < t->n * TYPES; i++) {
            if (t->read[i] > expected[i])
                wrong("the number of messages read", i / TYPES, i % TYPES, t->read[i], (long)t->read[i],
                      (long)expected[i]);
            missing += t->read[i] < expected[i];
            if (t->read[i] < expected[i] && rng_below(chance, missing) == 0)
                one = i;
        }
        if (!missing)
            break;
        int ask = rng_below(chance, 4);
        int from = ask & 1 ? one / TYPES : NANY, type = ask & 2 && ask & 1 ? one % TYPES : NANY;
        if (rng_below(chance, 4) == 0)
            probe_and_read(t, from, type);
        else
            read_one(t, from, type);
    }
    free(expected);
    int none = (int)ntest(NULL, NULL);
    if (none != -1)
        wrong("the length of one too many", -1, -1, 0, none, -1);
}

void traffic_phase(uint64_t seed, uint64_t phase, long messages) {
    int n = p_nproc(), me = p_iproc();
    struct traffic t = {.seed = seed,
                        .phase = phase,
                        .me = me,
                        .n = n,
                        .written = calloc((size_t)n * TYPES, sizeof *t.written),
                        .read = calloc((size_t)n * TYPES, sizeof *t.read),
                        .data = malloc(LONGEST + 8)};
    if (!t.written || !t.read || !t.data)
        p_error("out of memory");
    struct rng chance = rng_for(seed, phase, (uint64_t)me, 1);
    const struct habit *habit = &habits[rng_below(&chance, sizeof habits / sizeof *habits)];
    npool((size_t)habit->pool);
    while (messages > 0) {
        int step = rng_below(&chance, 100);
        if (step < habit->writes) {
            write_one(&t, &chance);
            messages--;
        } else if (rng_below(&chance, 100) < habit->sleeps) {
            nanosleep(&(struct timespec){.tv_nsec = rng_below(&chance, 2000 * 1000)}, NULL);
        } else {
            read_if_there(&t, &chance);
        }
    }
    read_rest(&t, &chance);
    p_wait();
    free(t.written);
    free(t.read);
    free(t.data);
}
