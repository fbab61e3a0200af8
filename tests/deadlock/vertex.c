/* Calls of the functions of vertex.h, as script.h says. */

#include <papers.h>
#include <pthread.h>
#include <signal.h>
#include <vertex.h>
#include <vertex/cube.h>

#include "pe_script.h"

enum { LARGE = 1 << 20 };

static char data[LARGE];
static int flag[8];

/* to, type, bytes */
static void write_message(const long *number) {
    nwrite(data, (size_t)number[2], (int)number[0], (int)number[1]);
}

/* from (-1: any), type (-1: any) */
static void read_message(const long *number) {
    int node = (int)number[0], type = (int)number[1];
    nread(data, sizeof data, &node, &type);
}

static void probe(const long *number) {
    int node = (int)number[0], type = (int)number[1];
    nprobe(&node, &type);
}

static void extend(const long *number) {
    nextend((int)number[0]);
}

/* bytes from a node, and await them */
static void request(const long *number) {
    nrcvreq(data, (size_t)number[1], (int)number[0], &flag[0]);
    nwait(&flag[0]);
}

static void spread(const long *number) {
    nspread(data, 8, (int)number[0]);
}

static void keep(void *left, const void *right, size_t bytes, void *context) {
    (void)left, (void)right, (void)bytes, (void)context;
}

static void combine(const long *number) {
    (void)number;
    ncombine(data, 8, keep, NULL);
}

static void subcube(const long *number) {
    nsubcube((int)number[0]);
}

static void *sleep_on(void *unused) {
    for (;;)
        pause();
    return unused;
}

/* another thread, which might call */
static void begin_thread(const long *number) {
    pthread_t thread;
    (void)number;
    if (pthread_create(&thread, NULL, sleep_on, NULL))
        p_error("there is no other thread");
}

static void overlook(int number) {
    (void)number;
}

/* of a signal, whose handler might call */
static void handle(const long *number) {
    signal((int)number[0], overlook);
}

int main(int argc, char **argv) {
    static const struct script_call calls[] = {
        {"thread", begin_thread}, {"handle", handle},   {"write", write_message}, {"read", read_message},
        {"probe", probe},         {"extend", extend},   {"request", request},     {"spread", spread},
        {"combine", combine},     {"subcube", subcube}, PE_SCRIPT_CALLS,          {0}};
    return pe_script_main(calls, argc, argv);
}
