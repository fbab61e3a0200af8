/* A few endpoints at once: those of threads, or of processes, which know each other's addresses.
 *
 *     static void body(struct member *m) { ... }
 *     company_run(&company, body);
 */

#ifndef TEST_NET_COMPANY_H
#define TEST_NET_COMPANY_H

#include "net/net.h"

#include "engine/atomic.h"

enum { MEMBERS = 4, SECONDS = 40 /* after which a check hangs */ };

struct member;

/* The state that the members share; processes have it in shared memory. */
struct company {
    const struct uno_net_kind *kind;
    struct uno_net_wishes wishes;
    int members;
    bool processes;
    uint64_t seed;
    uno_atomic32 arrivals; /* at all meetings so far */
    size_t address_bytes[MEMBERS];
    char address[MEMBERS][UNO_NET_ADDRESS];
    void (*body)(struct member *m);
};

struct member {
    struct company *company;
    const struct uno_net_kind *kind;
    int me;
    struct uno_net *net;
    uint64_t peer[MEMBERS]; /* the number of each member, but of this one */
    uint32_t meetings;
    void (*arrived)(struct member *m, const struct uno_net_event *event); /* has a packet, and releases it */
    void (*ended)(struct member *m, const struct uno_net_event *event); /* has the end of a send or a write */
    void *state;                                                        /* of the body */
};

/* Run the body as each member, whose endpoint is open and knows the others. Ends the program if one fails. */
void company_run(struct company *company, void (*body)(struct member *m));

/* See one event, if there is one. Returns true if there was. */
bool go_on(struct member *m);

/* Wait until all members are here, and go on with the network meanwhile. */
void meet(struct member *m);

/* Send, and go on as long as there is no room. */
void send_patiently(struct member *m, int to, const struct iovec *parts, int count, void *context);

/* Close the endpoint before the body ends. */
void leave(struct member *m);

/* End the program: the test has failed. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

#define CHECK(condition)                                                                                     \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            fail("%s:%d: %s does not hold", __FILE__, __LINE__, #condition);                                 \
    } while (0)

/* CLOCK_MONOTONIC in seconds, and a sleep. */
double now(void);
void pause_for(double seconds);

#endif
