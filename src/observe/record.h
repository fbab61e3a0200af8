/* Recording the calls of one rank. A face of the library begins a call, tells which messages or collective it
 * is about, and ends it; a call that took long is then explained by what the other ranks have recorded. */

#ifndef UNO_SEEN_RECORD_H
#define UNO_SEEN_RECORD_H

#include "clock.h"
#include "engine/expect.h"
#include "events.h"
#include "memory.h"

enum { UNO_SEEN_PLACES = 4096, UNO_SEEN_ANY = -1 };

/* The state of one rank's recording. */
struct uno_seer {
    struct uno_seen_memory *memory;
    struct uno_seen_rank *own; /* its part */
    int me, n;
    /* when the last call ended that had waited, put off by the time in calls since then: since this moment
     * the rank has been in the program */
    uint64_t left;
    /* sites by where they are called, hashed: 0 is a free place, others are the site plus 1 */
    uint32_t place[UNO_SEEN_PLACES];
    struct uno_seen_key {
        const void *address;
        uint32_t function, comm;
    } key[UNO_SEEN_PLACES];
    uint32_t *function; /* of each function its name, in the text; 0: not there yet */
    uint32_t functions;
    struct uno_seen_trace trace;
    /* The place of a call that an address alone does not tell, a line of Python for example: writes it and
     * the name by which the function was called there, which may be empty, each in so many bytes, and returns
     * true. NULL: there is no such. */
    bool (*place_of)(const void *address, char *function, char *text, size_t bytes);
};

/* A mark that was read: a rank came to a message or a collective. */
struct uno_seen_arrival {
    uint64_t at, outside;
    uint32_t site;
    int tag;
};

/* A call that runs. */
struct uno_seen_call {
    uint64_t began, ended;
    uint32_t site;
    uint64_t meeting; /* the key of the collective that it is; 0: none */
    bool explained;   /* the rest tells for whom it waited last */
    enum uno_seen_wait wait;
    int rank;
    uint64_t awaited; /* the key of a collective; 0: it was a message */
    struct uno_seen_arrival arrival;
};

/* Begin and end the recording of a rank of so many. functions: how many there are. Returns 0, or -errno:
 * -EINVAL if the memory is for another number of ranks. */
int uno_seer_begin(struct uno_seer *seer, struct uno_seen_memory *memory, int me, int n, uint32_t functions);
void uno_seer_end(struct uno_seer *seer);

/* Begin a call of a function from an address, with a communicator (its number at this rank; 0: none). name:
 * the function's. */
void uno_seen_begin(struct uno_seer *seer, struct uno_seen_call *call, uint32_t function, const char *name,
                    const void *address, uint32_t comm);

/* The work of the call is done. Return true if it took long: then the caller explains it. */
static inline bool uno_seen_took_long(const struct uno_seer *seer, struct uno_seen_call *call) {
    call->ended = uno_seen_ticks(seer->memory->ticks);
    return UNO_UNLIKELY(call->ended - call->began > seer->memory->long_ticks);
}

/* End the call, in which this rank has sent so many bytes. */
void uno_seen_end(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t bytes);

/* ---- what it is about: told after the beginning, before the work ----------------------------------------
 */

/* Return the key of messages from one rank to another one; to or from UNO_SEEN_ANY: of a request that takes
 * any. comm: the communicator's id. */
uint64_t uno_seen_message(int from, int to, uint64_t comm);

/* Return the key of a collective: the one of that number on a communicator. */
uint64_t uno_seen_meeting(uint64_t comm, uint64_t number);

/* This rank sends a message now, with a communicator of that id, or asks for one of that key; tag
 * UNO_SEEN_ANY: any. Asking returns the number of this receive. */
void uno_seen_sends(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t comm, int to, int tag,
                    uint64_t bytes);
uint64_t uno_seen_asks(struct uno_seer *seer, const struct uno_seen_call *call, uint64_t key, int tag);

/* Return the number of a receive that begins now; uno_seen_asks does so too. */
static inline uint64_t uno_seen_number(struct uno_seer *seer) {
    return seer->own->asks++;
}

/* This rank comes to a collective now. */
void uno_seen_comes(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key);

/* ---- explanations, if it took long ----------------------------------------------------------------------
 */

/* It has waited for a message from that rank; for that rank to ask for a message; for a member of a
 * collective: `wait` is UNO_LATE_MEMBER or UNO_LATE_ROOT. Of several the one that came last counts, if it
 * came while the call waited. */
void uno_seen_waited_message(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key, int from,
                             int tag);
void uno_seen_waited_room(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key, uint64_t any,
                          int to, int tag);
void uno_seen_waited_member(struct uno_seer *seer, struct uno_seen_call *call, uint64_t key, int member,
                            enum uno_seen_wait wait);

/* It has waited for a rank of another machine, from which something came at this tick, or earlier; key: of
 * the collective, or 0. Where that rank was before is not known here. */
void uno_seen_waited_far(struct uno_seen_call *call, uint64_t at, uint64_t key, int rank,
                         enum uno_seen_wait wait);

/* In a timeline: the call has received a message: tag and communicator's id, and the number of its receive,
 * of uno_seen_asks. */
void uno_seen_received(struct uno_seer *seer, const struct uno_seen_call *call, int from, int tag,
                       uint64_t comm, uint64_t number);

/* Add a communicator. Returns its number. */
uint32_t uno_seen_comm(struct uno_seer *seer, uint64_t id, int size, const char *name);

#endif
