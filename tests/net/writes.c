/* Writes to the memory of others. Each member writes to parts of the memory of each other one, and says so in
 * a packet behind the write. The other one then finds the data there, clears them, and answers that the part
 * is free again. */

#include "checks.h"

#include "rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 2 /* of each writer in each memory */, PART_BYTES = 1 << 18, WRITES = 40 };

/* A packet, which is short enough to need no context. */
struct note {
    enum { KEY, WRITTEN, FREE, END } what;
    int from, part;
    size_t at, bytes;
    struct uno_net_key key; /* KEY */
};

/* A part in the memory of another member. */
struct part {
    unsigned char *data; /* that are being written there; NULL: none are */
    size_t bytes;
    bool used; /* until its owner has cleared it */
};

struct writes {
    unsigned char (*memory)[PARTS][PART_BYTES]; /* the parts of each writer */
    struct uno_net_key keys[MEMBERS];
    int keys_count, ended;
    struct note answers[MEMBERS * PARTS]; /* that are to be sent */
    int answers_count;
    struct part part[MEMBERS][PARTS];
};

static unsigned char byte_of(int writer, size_t i) {
    return (unsigned char)(1 + (i * 31 + (i >> 8) * 17 + (size_t)writer * 91) % 255);
}

static void check_part(struct member *m, const struct note *note) {
    struct writes *w = m->state;
    unsigned char *part = w->memory[note->from][note->part];
    for (size_t i = 0; i < PART_BYTES; i++) {
        bool inside = i >= note->at && i < note->at + note->bytes;
        int expected = inside ? byte_of(note->from, i) : 0;
        if (part[i] != expected)
            fail("member %d: byte %zu of what member %d has written is %d, and not %d", m->me, i, note->from,
                 part[i], expected);
    }
    memset(part, 0, PART_BYTES);
}

static void note_arrived(struct member *m, const struct uno_net_event *event) {
    struct writes *w = m->state;
    struct note note;
    CHECK(event->bytes == sizeof note);
    memcpy(&note, event->data, sizeof note);
    m->kind->release(m->net, event->packet);
    if (note.what == KEY) {
        w->keys[note.from] = note.key;
        w->keys_count++;
    } else if (note.what == WRITTEN) {
        check_part(m, &note);
        w->answers[w->answers_count++] = note;
    } else if (note.what == END) {
        w->ended++;
    } else {
        w->part[note.from][note.part].used = false;
    }
}

/* The data are this member's again, who changes them: nothing may be sent from there any more. */
static void write_ended(struct member *m, const struct uno_net_event *event) {
    struct part *part = event->context;
    if (event->what == UNO_NET_FAILED)
        fail("member %d: a write or a packet has failed: %s", m->me, event->text);
    memset(part->data, 0, part->bytes);
    free(part->data);
    part->data = NULL;
}

static void send_note(struct member *m, int to, struct note note) {
    note.from = m->me;
    send_patiently(m, to, &(struct iovec){&note, sizeof note}, 1, NULL);
}

static void go_on_answering(struct member *m) {
    struct writes *w = m->state;
    go_on(m);
    while (w->answers_count) {
        struct note note = w->answers[--w->answers_count];
        note.what = FREE;
        send_note(m, note.from, note);
    }
}

static void write_some(struct member *m, struct rng *rng) {
    struct writes *w = m->state;
    int to = (m->me + 1 + rng_below(rng, m->company->members - 1)) % m->company->members;
    int number = rng_below(rng, PARTS), error;
    struct part *part = &w->part[to][number];
    struct note note = {.what = WRITTEN, .part = number};
    while (part->used || part->data)
        go_on_answering(m);
    note.bytes = part->bytes = 1 + (size_t)rng_below(rng, rng_below(rng, 3) ? 5000 : PART_BYTES);
    note.at = (size_t)rng_below(rng, PART_BYTES - (int)note.bytes + 1);
    part->data = malloc(part->bytes);
    part->used = true;
    CHECK(part->data);
    for (size_t i = 0; i < part->bytes; i++)
        part->data[i] = byte_of(m->me, note.at + i);
    size_t from = (size_t)((m->me * PARTS + number) * PART_BYTES) + note.at;
    while ((error = m->kind->write(m->net, m->peer[to], &w->keys[to], from, part->data, part->bytes, part)) ==
           -EAGAIN)
        go_on(m);
    CHECK(error == 0);
    send_note(m, to, note);
}

static void write_body(struct member *m) {
    struct writes w = {.memory = calloc(MEMBERS, sizeof *w.memory)};
    struct rng rng = rng_for(m->company->seed, (uint64_t)m->me, 1, 0);
    struct note note = {.what = KEY};
    void *exposed;
    m->state = &w;
    m->arrived = note_arrived;
    m->ended = write_ended;
    CHECK(w.memory);
    int error = m->kind->expose(m->net, w.memory, MEMBERS * sizeof *w.memory, &note.key, &exposed);
    if (error)
        fail("member %d cannot expose memory: %s", m->me, strerror(-error));
    int others = m->company->members - 1;
    for (int k = 0; k <= others; k++)
        if (k != m->me)
            send_note(m, k, note);
    while (w.keys_count < others)
        go_on(m);
    for (int i = 0; i < WRITES; i++)
        write_some(m, &rng);
    for (int k = 0; k < MEMBERS * PARTS; k++)
        while (w.part[k / PARTS][k % PARTS].used || w.part[k / PARTS][k % PARTS].data)
            go_on_answering(m);
    for (int k = 0; k <= others; k++)
        if (k != m->me)
            send_note(m, k, (struct note){.what = END});
    while (w.ended < others) /* they wait for answers */
        go_on_answering(m);
    meet(m);
    m->kind->hide(m->net, exposed);
    free(w.memory);
}

void check_writes(struct company *company) {
    company->members = MEMBERS;
    company_run(company, write_body);
}
