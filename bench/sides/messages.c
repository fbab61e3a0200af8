#include "messages.h"

#include <vertex.h>

#include "detector/exchange.h"

/* A stream is sent in windows: one is requested while the one before is received. */
enum { WINDOW = NPENDING / 2, WINDOWS = (BENCH_BATCH + WINDOW - 1) / WINDOW };

static void extend(int to, int from) {
    nextend(to);
    if (from != to)
        nextend(from);
}

/* Return to the standard protocol. The caller ensures that all messages on this PE's channels are
 * complete. */
static void restore(int to, int from) {
    p_wait();
    nstandard(to);
    if (from != to)
        nstandard(from);
    p_wait();
}

/* End a turn when all messages have been read: a message that was written may wait here to be delivered,
 * which happens only in calls of the library. */
static void end_turn(const struct bench_work *w) {
    if (w->after == 0)
        p_wait();
}

void vertex_ring(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    int to = (w->me + 1) % w->n, from = (w->me + w->n - 1) % w->n, type = 0;
    for (int i = 0; i < w->count; i++) {
        void *in = (char *)w->out + (size_t)i * slot;
        if (w->me == 0)
            nwrite((const char *)w->in + (size_t)i * slot, w->bytes, to, 0);
        nread(in, w->bytes, &from, &type);
        if (w->me)
            nwrite(in, w->bytes, to, 0);
    }
    end_turn(w);
}

void vertex_swap(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    int other = w->me ^ 1, type = 0;
    for (int i = 0; i < w->count; i++) {
        nwrite((const char *)w->in + (size_t)i * slot, w->bytes, other, 0);
        nread((char *)w->out + (size_t)i * slot, w->bytes, &other, &type);
    }
    end_turn(w);
}

/* Run a pattern with requests made beforehand. Each message is requested before the one before it is
 * answered: in a ring, by passing that on; in a swap, by the message sent at the same time. So a request
 * always comes before its message. */
static void known(const struct bench_work *w, int to, int from, bool ring) {
    static _Thread_local int came[2], left;
    size_t slot = bench_slot(w->bytes);
    if (w->before == 0) {
        extend(to, from);
        nrcvreq(w->out, w->bytes, from, &came[0]);
        p_wait();
    }
    for (int i = 0, number = w->before; i < w->count; i++, number++) {
        char *in = (char *)w->out + (size_t)i * slot;
        bool more = i + 1 < w->count || w->after, make = !ring || w->me == 0;
        if (more && !ring)
            nrcvreq(in + slot, w->bytes, from, &came[~number & 1]);
        if (make)
            nsend((const char *)w->in + (size_t)i * slot, w->bytes, to, &left);
        nwait(&came[number & 1]);
        if (more && ring)
            nrcvreq(in + slot, w->bytes, from, &came[~number & 1]);
        if (!make)
            nsend(in, w->bytes, to, &left);
        nwait(&left);
    }
    if (w->after == 0)
        restore(to, from);
}

void vertex_swapKnown(const struct bench_work *w) {
    known(w, w->me ^ 1, w->me ^ 1, false);
}

void vertex_ringKnown(const struct bench_work *w) {
    known(w, (w->me + 1) % w->n, (w->me + w->n - 1) % w->n, true);
}

void vertex_stream(const struct bench_work *w) {
    size_t slot = bench_slot(w->bytes);
    int other = w->me ^ 1, type = 0;
    for (int i = 0; i < w->count; i++)
        if (w->me & 1)
            nread((char *)w->out + (size_t)i * slot, w->bytes, &other, &type);
        else
            nwrite((const char *)w->in + (size_t)i * slot, w->bytes, other, 0);
    if (w->me & 1)
        nwrite(NULL, 0, other, 0);
    else
        nread(NULL, 0, &other, &type);
    end_turn(w);
}

/* Receive a stream in windows: the receiver requests one and says so by a message of 0 bytes. It has
 * requested the next window, too, while it waits for one. */
static void receive_windows(const struct bench_work *w, int other) {
    int came[BENCH_BATCH], said[WINDOWS + 1], windows = 0;
    p_wait();
    for (int i = 0, requested = 0; i < w->count; i++) {
        while (requested < w->count && requested < (i / WINDOW + 2) * WINDOW) {
            nrcvreq((char *)w->out + (size_t)requested * bench_slot(w->bytes), w->bytes, other,
                    &came[requested]);
            if (++requested % WINDOW == 0 || requested == w->count)
                nsend(NULL, 0, other, &said[windows++]);
        }
        nwait(&came[i]);
    }
    nsend(NULL, 0, other, &said[windows++]); /* all are there */
    while (windows > 0)
        nwait(&said[--windows]);
}

static void send_windows(const struct bench_work *w, int other) {
    int left[BENCH_BATCH], said[WINDOWS + 1], windows = (w->count + WINDOW - 1) / WINDOW;
    for (int k = 0; k <= windows; k++)
        nrcvreq(NULL, 0, other, &said[k]);
    p_wait(); /* the receiver may say something */
    for (int i = 0; i < w->count; i++) {
        if (i % WINDOW == 0)
            nwait(&said[i / WINDOW]);
        nsend((const char *)w->in + (size_t)i * bench_slot(w->bytes), w->bytes, other, &left[i]);
    }
    for (int i = 0; i < w->count; i++)
        nwait(&left[i]);
    nwait(&said[windows]);
}

void vertex_streamKnown(const struct bench_work *w) {
    int other = w->me ^ 1;
    if (w->before == 0)
        extend(other, other);
    if (w->me & 1)
        receive_windows(w, other);
    else
        send_windows(w, other);
    if (w->after == 0)
        restore(other, other);
}

void vertex_sobel(const struct bench_work *w) {
    for (int i = 0; i < w->count; i++)
        exchange_standard(w->part);
    end_turn(w);
}

void vertex_sobelKnown(const struct bench_work *w) {
    static _Thread_local struct exchange exchange;
    if (w->before == 0)
        exchange_open(&exchange, w->part);
    for (int i = 0; i < w->count; i++)
        exchange_extended(&exchange, i + 1 == w->count && w->after == 0);
    if (w->after == 0)
        exchange_close(&exchange);
}
