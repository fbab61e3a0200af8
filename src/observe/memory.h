/* The memory in which the calls of a job are recorded: one part for each rank, which only that rank writes.
 * It is a file without a name, which the launcher makes and reads; a rank that is killed leaves what it had
 * recorded. The ranks read in each other's parts when they have waited, to find out for whom. Its size is
 * bounded: what does not fit is counted under the first row of its table, without a name. */

#ifndef UNO_SEEN_MEMORY_H
#define UNO_SEEN_MEMORY_H

#include "engine/job.h"

/* UNISONO_MPI_OBSERVE=FD:LAUNCHER:DEVICE:INODE: that file, as UNISONO_JOB tells the job's memory. */
#define UNO_SEEN_ENVIRONMENT "UNISONO_MPI_OBSERVE"

/* Why a call waited. */
enum uno_seen_wait {
    UNO_LATE_SENDER,   /* the message was sent after the receive had begun to wait */
    UNO_LATE_RECEIVER, /* the receive was made after the send had begun to wait */
    UNO_LATE_MEMBER,   /* another member came later to a collective */
    UNO_LATE_ROOT,     /* the root came later, whose data the others wait for */
    UNO_SEEN_WAITS
};

enum {
    UNO_SEEN_COMMS = 256,    /* powers of two, all of them */
    UNO_SEEN_SITES = 2048,   /* functions that are called, by place and communicator */
    UNO_SEEN_BLAMES = 4096,  /* waits, by the waiting site, the rank waited for, and its site */
    UNO_SEEN_MARKS = 1024,   /* the latest messages sent, requested, and collectives entered, each */
    UNO_SEEN_SIZES = 48,     /* sizes of messages, by powers of two */
    UNO_SEEN_MOMENTS = 256,  /* equal parts of the run */
    UNO_SEEN_TEXT = 1 << 16, /* bytes of names */
    UNO_SEEN_NAME = 64,      /* bytes of a communicator's name, with the 0 at the end */
    UNO_SEEN_RANKS = UNO_MAX_PES,
    UNO_SEEN_EVENTS = 1024, /* events of a chunk, of which the first one describes it */
};

/* A communicator. */
struct uno_seen_comm {
    uint64_t id; /* the same at all members; 0: many others */
    int32_t size;
    char name[UNO_SEEN_NAME];
};

/* A function that is called from one place, with one communicator. Times are in ticks (clock.h). */
struct uno_seen_site {
    uint32_t function; /* its name, in the text */
    uint32_t file;     /* the path of the program or library that calls, in the text */
    uint64_t address;  /* where, as in that file; 0: `file` is the whole place, as "work at script.py:12" */
    uint32_t comm;
    uint64_t calls, bytes, ticks, longest;
    uint64_t waited[UNO_SEEN_WAITS];
};

/* The waits of one site for one rank: the one that came late, or, if that one had itself waited meanwhile,
 * the one for which it had. */
struct uno_seen_blame {
    uint32_t site;    /* of this rank, that waited */
    uint16_t wait;    /* enum uno_seen_wait */
    uint16_t through; /* 1: by way of another rank */
    uint32_t rank;    /* for whom it waited */
    uint32_t other;   /* the site of that rank, at which it came */
    uint64_t count, ticks;
    uint64_t outside; /* ticks of these that the other rank has spent in the program just before it came */
};

/* A rank has sent a message, asked for one, or come to a collective. Of a wait of the rank, `at` is when it
 * was over, `outside` how long it took, and `place` for whom: a site, and in the upper half its rank. */
struct uno_seen_mark {
    uno_atomic64 key;     /* which message or collective; 0: it is being written */
    uno_atomic64 at;      /* when */
    uno_atomic64 outside; /* ticks in the program since it has last waited */
    uno_atomic64 place;   /* the site, and in the upper half the message's tag */
};

/* The latest marks, the older ones being written over. */
struct uno_seen_marks {
    uno_atomic64 count;
    struct uno_seen_mark mark[UNO_SEEN_MARKS];
};

/* An event of a timeline (--trace). */
struct uno_seen_event {
    enum uno_seen_what {
        UNO_SEEN_NONE,
        UNO_SEEN_CHUNK,    /* the chunk's number at its rank is `number` */
        UNO_SEEN_CALLED,   /* a call */
        UNO_SEEN_WAITED,   /* a call that has waited for a collective of an earlier one, as MPI_Wait does */
        UNO_SEEN_SENT,     /* a message, in the call that begins then */
        UNO_SEEN_RECEIVED, /* a message, in the call that ends then */
    } what;
    uint32_t site;
    uint64_t began, ended; /* the call's */
    uint64_t key;          /* of a call that of the collective, or 0; of a message the communicator's id */
    uint64_t bytes;        /* that the call sends */
    uint64_t number;       /* of a call the ticks that it has waited; of what was received the number of the
                              receive, in the order in which the rank has asked for them */
    int32_t rank; /* for whom the call has waited, or -1; the other rank of a message; of a chunk its own */
    int32_t tag;  /* of a message; why the call has waited */
};

struct uno_seen_rank {
    uno_atomic64 began, ended; /* ticks; 0: not yet */
    uno_atomic64 site;         /* of the call in which the rank is, plus 1; 0: in the program */
    uno_atomic64 since;        /* ticks since then */
    uno_atomic64 pid;
    uint64_t calls, inside, waited;
    uint32_t is_pe; /* 1: its calls are of <papers.h> and its relatives; 0: of MPI */
    uint32_t comms, sites, text_used, blames;
    uint64_t messages[UNO_SEEN_SIZES]; /* sent, by size: none, 1 byte, 2 to 3, 4 to 7, ... */
    struct uno_seen_comm comm[UNO_SEEN_COMMS];
    struct uno_seen_site table[UNO_SEEN_SITES];
    struct uno_seen_blame blame[UNO_SEEN_BLAMES]; /* hashed; a free one has count 0 */
    struct uno_seen_marks sent, asked, waits;     /* in the order of time */
    struct uno_seen_mark came[UNO_SEEN_MARKS];    /* a collective's is where its key says */
    /* ticks in calls, and of these waiting, of each moment; the moments get twice as long when the run gets
     * longer than all */
    uint64_t moment; /* the length of one is 2 to the power of this, in ticks */
    uint64_t moment_inside[UNO_SEEN_MOMENTS], moment_waited[UNO_SEEN_MOMENTS];
    uint64_t asks;                                /* receives so far */
    uint64_t chunks;                              /* those that are in the file */
    uint64_t lost;                                /* events that could not be written */
    uint64_t events;                              /* of the chunk below, so far */
    struct uno_seen_event event[UNO_SEEN_EVENTS]; /* the chunk that is not full yet */
    char text[UNO_SEEN_TEXT];
    /* to each rank */
    struct {
        uint64_t messages, bytes;
    } to[];
};

struct uno_seen_memory {
    uint64_t magic;
    uno_atomic64 n;                 /* ranks; 0: the first one is still to tell */
    int32_t ticks;                  /* 1: times are counts of the processor, 0: ns */
    uint64_t long_ticks;            /* a call that takes longer may have waited */
    uint64_t ticks_began, ns_began; /* the same moment, as the launcher made this */
    uint64_t
        far[UNO_SEEN_RANKS / 64]; /* a bit for each rank that is on another machine, and marks nothing here */
    /* The file of events, which the launcher has open, and the chunks that may be in it; 0: there is none. */
    struct {
        int32_t file, launcher;
        uint64_t device, inode, most;
        uno_atomic64 chunks; /* begun, those that found no room too */
    } trace;
};

_Static_assert(sizeof(struct uno_seen_memory) <= 4096, "the ranks lie behind it");

enum { UNO_SEEN_MAGIC = 0x6e656573 };

static inline size_t uno_seen_rank_size(int n) {
    size_t size = sizeof(struct uno_seen_rank) + (size_t)n * sizeof *((struct uno_seen_rank *)0)->to;
    return (size + 4095) / 4096 * 4096;
}

static inline size_t uno_seen_size(int n) {
    return 4096 + (size_t)n * uno_seen_rank_size(n);
}

static inline int uno_seen_ranks(const struct uno_seen_memory *memory) {
    return (int)uno_load64_relaxed(&memory->n);
}

static inline bool uno_seen_is_far(const struct uno_seen_memory *memory, int k) {
    return memory->far[k / 64] >> k % 64 & 1;
}

static inline struct uno_seen_rank *uno_seen_rank(const struct uno_seen_memory *memory, int k) {
    return (struct uno_seen_rank *)((char *)memory + 4096 +
                                    (size_t)k * uno_seen_rank_size(uno_seen_ranks(memory)));
}

#endif
