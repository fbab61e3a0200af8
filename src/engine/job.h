/* The memory that the PEs of one job share.
 *
 * A job is one anonymous mapping: a header, then one board for each PE, then, in a job of more than 64 PEs,
 * the wide group masks; then a line for each PE that sleeps (rest.h), and the processor of each PE; then, if
 * the job has them, records, buffers, the memory for messages (channel/ring/memory.h) and the memory for
 * arrays (arrays.h). All of it starts as zeros. Every word has one writer unless its comment says more. */

#ifndef UNO_JOB_H
#define UNO_JOB_H

#include <stddef.h>
#include <sys/types.h>

#include "atomic.h"

/* The number of a PE's posts that can stand at a time: a power of two, at least 2. */
#ifndef UNO_SLOTS
#define UNO_SLOTS 4
#endif

enum {
    UNO_MAX_PES = 16384,
    UNO_WORDS = UNO_MAX_PES / 64, /* words of the widest mask */
    UNO_BYTES = 48,               /* bytes of data in one post */
    UNO_FAULT_TEXT = 200,
    UNO_PROGRAM_TEXT = 260,
    UNO_SPEAKERS = 8,   /* followers that report themselves; the launcher counts the others */
    UNO_UNIT_NAME = 16, /* bytes of a unit's name, with its zero */
};

/* One post: the data that a PE puts into one operation. One cache line. */
struct uno_slot {
    uno_atomic64 header; /* sequence number << 16 | signature; 0 while it is being written */
    uno_atomic64 group;  /* the barrier mask; in a wide job a hash of it */
    uno_plain64 data[UNO_BYTES / 8];
};

enum uno_state { UNO_ABSENT, UNO_JOINED, UNO_LEFT };

/* The record in which a PE publishes its state. It is one line longer than the slots: an odd number of lines,
 * so that the boards of many PEs spread over all sets of a cache. */
struct uno_board {
    struct uno_slot slot[UNO_SLOTS];
    uno_atomic64 done;  /* the last operation whose data this PE has finished reading */
    uno_atomic64 since; /* CLOCK_MONOTONIC ns at which the present wait became long, or 0 */
    /* PEs that sleep until this one posts, which count themselves; interrupt.h adds a mark */
    uno_atomic32 parked;
    uno_atomic32 state;    /* enum uno_state; UNO_LEFT also by the launcher, when the process has ended */
    int32_t pid;           /* set before state becomes UNO_JOINED */
    int32_t awaited;       /* the PE that this one last had to wait for; see unit.h */
    uno_atomic32 messages; /* 1: it has used messages; for observers outside the job */
    /* the process that checks in as this PE, the first if several do; 0: none yet */
    uno_atomic32 claimed;
    uno_atomic32 watched;      /* 1: the launcher has been told of a process that it did not start itself */
    uint32_t sample;           /* the value at sample_at; set before state becomes UNO_JOINED, as pid */
    uno_atomic64 acknowledged; /* the number of the last interrupt that this PE has acknowledged */
    uint64_t sample_at;        /* the address of the sample in this PE's process (reach.h) */
};

_Static_assert(sizeof(struct uno_slot) == 64 && sizeof(struct uno_board) == (UNO_SLOTS + 1) * 64,
               "cache lines");

/* The record that a PE publishes while it sleeps (rest.h). One cache line. */
struct uno_rest {
    uno_atomic64 number;  /* odd while the PE rests, and never the same twice */
    uno_atomic64 doing;   /* UNO_DOING */
    uno_atomic64 how;     /* enum uno_rest_kind, and flags */
    uno_atomic64 at;      /* UNO_REST_WORD: the word's offset in bytes from the start of the job, */
    uno_atomic64 seen;    /* and the value that it had */
    uno_atomic64 context; /* UNO_REST_MESSAGE: the message's; UNO_REST_WORD: as of uno_wait (wait.h) */
    uno_atomic64 room;    /* UNO_REST_MESSAGE: bytes of the receive buffer, plus 1; 0: not known */
    uno_atomic64 unused;
};

enum { UNO_MAIL_OWN = 1 };

/* UNO_FAULT_OF + k while PE k writes its failure. */
enum uno_fault { UNO_FINE, UNO_FAULT, UNO_FAULT_OF };

struct uno_job {
    uint64_t magic;      /* UNO_MAGIC: memory of this layout */
    int32_t n;           /* PEs, 1 to UNO_MAX_PES */
    int32_t words;       /* 64-bit words of a mask */
    int32_t processors;  /* processors that the job may use at once */
    int32_t observe;     /* enum uno_observe */
    int32_t trace_file;  /* descriptor, in every process of the job, of the file for events; -1: none */
    uno_atomic32 chunks; /* chunks of events in that file; counted by the PEs that write them */
    uno_atomic32 fault;  /* enum uno_fault; moved on by the PE that fails first */
    int32_t fault_pe;    /* the PE that failed; valid, as the text, once fault is UNO_FAULT */
    char fault_text[UNO_FAULT_TEXT]; /* "PE 3 was killed by signal 9 (Killed)" */
    uint64_t fault_about;            /* a number by which a face knows the cause (fault.h); or 0 */

    /* These are for observers outside the job. */
    uno_atomic64 started;  /* CLOCK_MONOTONIC ns; 0 until the other fields are written */
    int32_t launcher;      /* the launcher's process id */
    uint32_t buffer;       /* bytes of the buffer of each slot; 0: the slots have none */
    uint64_t buffers;      /* offset of the buffers in bytes from the start of the job */
    uint64_t arrays_at;    /* offset of the memory for arrays, as `buffers`; 0: none; UNO_MAIL_OWN */
    uint64_t arrays_part;  /* bytes of the memory for arrays for each PE */
    uno_atomic64 left;     /* addresses that the PEs have left, if they are of one process (sparse.c) */
    uno_atomic32 turns;    /* turns that the job has had among others (unisono run --gang) */
    uno_atomic32 turn;     /* enum uno_turn */
    uint64_t ports_at;     /* offset of the ports of a simulated unit, as `buffers`; 0: none */
    uno_atomic64 bypassed; /* what has gone past that unit (bypass.h) */
    uint64_t nodes_at; /* offset of the nodes of a job on several machines (nodes.h), as `buffers`; 0: none */
    uint64_t mail_at;  /* offset of the memory for messages, as `buffers`; 0: none; UNO_MAIL_OWN */
    /* the address of the memory for messages once it is mapped apart, in a job of one process */
    uno_atomic64 mail;
    /* the unit that the launcher started the job for; empty: there was no launcher */
    char unit[UNO_UNIT_NAME];
    char program[UNO_PROGRAM_TEXT];     /* the command line, as far as it fits */
    uint64_t trace_device, trace_inode; /* the identity of trace_file */
    /* descriptor, in the launcher, of a pipe into which only the launcher could write */
    int32_t lifeline;
    uno_atomic32 followers; /* PEs that have ended because another one had failed */

    /* The parallel interrupt: interrupt.h. */
    uno_atomic64 interrupts;        /* interrupts that are over, times 2; plus 1 while one ends */
    uno_atomic64 raised[UNO_WORDS]; /* the PEs that have raised the present interrupt */
    uno_atomic64 cause[UNO_WORDS];  /* the PEs that had raised the last one */

    struct uno_board board[] __attribute__((aligned(64)));
};

_Static_assert(offsetof(struct uno_job, board) % 64 == 0, "boards start on a cache line");

#define UNO_MAGIC UINT64_C(0x41304f53494e5532) /* changes with the layout */

/* The turn of a job: it takes no turns, it has the turn, or it is stopped while another job has it. */
enum uno_turn { UNO_TURN_NONE, UNO_TURN_OWN, UNO_TURN_OTHERS };

/* The records of a job about its PEs (src/engine/observe.h). */
enum uno_observe { UNO_STATS = 1, UNO_TRACE = 2 };

/* Return the bytes of a job of n PEs. observe: flags of enum uno_observe. */
size_t uno_job_size(int n, int observe);

/* Write the header of a job of n PEs into zeroed memory. processors: how many the job may use at once. */
void uno_job_format(struct uno_job *job, int n, int processors, int observe);

/* Restore the constant fields of the header from `made`, an earlier copy, for a reader that must not trust
 * what a PE may have written over them. */
void uno_job_restore(struct uno_job *job, const struct uno_job *made);

/* Bytes of the buffers for operations on arrays, in a unit that has such buffers, at least; and in a job of n
 * PEs: the data that all of them put into one operation fit into a buffer. */
enum { UNO_BUFFER = 64 * 1024 };
static inline uint32_t uno_job_buffer_bytes(int n) {
    return n <= UNO_BUFFER / UNO_BYTES ? (uint32_t)UNO_BUFFER : ((uint32_t)n * UNO_BYTES + 63) / 64 * 64;
}

/* Return the offset at which the nodes of such a job (nodes.h), or else its buffers, may start. */
size_t uno_job_buffers_at(int n, int observe);

/* Return the bytes that the buffers of a job of n PEs take, of `buffer` bytes for each slot. */
size_t uno_job_buffers_size(int n, uint32_t buffer);

/* Return the bytes at the start of a job's memory that every PE maps: the job and its buffers. */
size_t uno_job_mapped(const struct uno_job *job);

/* Give each slot of a formatted job a buffer of `buffer` bytes, a multiple of 64. at: the offset of the
 * memory for them, in bytes from the start of the job. */
void uno_job_set_buffers(struct uno_job *job, uint64_t at, uint32_t buffer);

/* Return the buffer of PE k's post in the given slot. */
void *uno_job_buffer(struct uno_job *job, int k, unsigned slot);

/* Return the record that PE k of n publishes while it sleeps (rest.h). n is an argument for callers that must
 * not trust the header. */
struct uno_rest *uno_job_rest(struct uno_job *job, int n, int k);

/* Return, for each PE, the processor on which it last waited long; only to choose how to wait. */
uno_atomic32 *uno_job_processor(struct uno_job *job);

/* Return the mask of PE k's post in the given slot, in a wide job of n PEs. */
uno_atomic64 *uno_job_group(struct uno_job *job, int n, int k, unsigned slot);

/* Return word w of the group of PE k's post in the given slot, in any job. */
static inline uno_atomic64 *uno_job_group_word(struct uno_job *job, int k, unsigned slot, int w) {
    return job->words == 1 ? &job->board[k].slot[slot].group : &uno_job_group(job, job->n, k, slot)[w];
}

/* Return true if the PEs of the job are threads of one process, so that every PE reaches all memory. */
static inline bool uno_job_one_process(const struct uno_job *job) {
    return job->mail_at == UNO_MAIL_OWN;
}

/* Record that PE k has failed, unless another failure was recorded before. The text names the PE and the
 * cause. Returns true if this failure was the first. */
bool uno_job_set_fault(struct uno_job *job, int k, const char *text, uint64_t about);

/* Complete the record of a failure that PE k had begun to write when it ended. The launcher calls this. */
void uno_job_finish_fault(struct uno_job *job, int k, const char *text);

#endif
