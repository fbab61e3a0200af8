/* Long messages that both ends copy, as they ship in channel/shared/, under Relacy's C11 memory model.
 *
 * One writer sends messages to one reader, which waits for each of them or does not: then it is kept, and all
 * of it goes in pieces. Every sequence of LENGTH messages over 1 to 4 parts and both readers. Any copy from
 * or to the other PE's memory may be refused, before it begins or in its middle. In every execution every
 * part must be copied once, to its place; no two accesses of plain memory may race, of which the data are a
 * part: the writer writes the next message over them as soon as it may, and the reader reads and clears its
 * own; nobody may wait for ever.
 *
 *     verify-share poll|sleep LENGTH bound|deep|random LIMIT [FIRST LAST]
 *
 * The rest is as in channel.cc. Lines of the ring are numbered by one atomic counter here: it orders what
 * they order. The bells are those that ship. */

#define CHECKER_CELLS 64

#define UNO_SPLIT_MOST UNO_SPLIT_LEAST

#include "model.h"

#include "engine/channel/shared/join.c"
#include "engine/channel/shared/share.c"

#include "bell_model.h"

enum {
    WRITER,
    READER,
    PES,
    LONGEST = 3,
    PARTS = 4,
    UNIT = (int)UNO_SPLIT_LEAST /
           2, /* bytes that are one cell of the model; every second message ends with half a part */
    UNITS = PARTS * (int)UNO_SPLIT_LEAST / UNIT,
    LINES = LONGEST * (PARTS + 2),
};

/* The steps: the reader, plus the number of parts, less 1, times READERS. */
enum reader { WAITS, KEEPS, READERS };

static unsigned sequence[LONGEST];
static int length;

static enum reader reader_of(int step) {
    return (enum reader)(sequence[step] % READERS);
}

static size_t units_of(int step) {
    size_t parts = sequence[step] / READERS + 1;
    return parts * ((int)UNO_SPLIT_LEAST / UNIT) - (parts % 2 == 0);
}

static uint64_t datum(int step, size_t unit) {
    return (uint64_t)(step + 1) * 100 + unit;
}

/* Memory of the program: addresses for the engine, cells for the checker. */
struct region {
    char address[PARTS * (int)UNO_SPLIT_LEAST];
    uno_plain64 unit[UNITS];
};
static region written, wanted[2]; /* wanted: in turn */
static uno_plain64 piece[LONGEST][UNITS];

/* Return the cells at this address of one of these regions. */
static uno_plain64 *cells_at(region *of, int count, const void *address, size_t bytes) {
    for (int i = 0; i < count; i++) {
        size_t at = (uintptr_t)address - (uintptr_t)of[i].address;
        if (at >= sizeof of[i].address)
            continue;
        RL_ASSERT(at % UNIT == 0 && bytes % UNIT == 0 && at + bytes <= sizeof of[i].address);
        return &of[i].unit[at / UNIT];
    }
    RL_ASSERT(!"a place that nobody named");
    abort();
}

struct line {
    unsigned kind;
    struct uno_piece piece;
};

struct model : rl::test_suite<model, PES> {
    static model *now;

    checker_cells cells;
    alignas(64) unsigned char ring[sizeof(uno_ring)];
    alignas(64) unsigned char channels[PES][sizeof(uno_channel) + PES * sizeof(uno_link)];
    uno_pe pe[PES];
    sleeper sleepers[PES];
    uno_atomic64 lines;
    struct line line[LINES];
    uint64_t put, taken;             /* lines; of the writer, and of the reader */
    int step[PES];                   /* the message that each is at */
    unsigned copies[LONGEST][UNITS]; /* of each unit, by anybody */

    uno_channel *channel(int me) {
        return (uno_channel *)channels[me];
    }

    void before() {
        uno_share *share = &((uno_ring *)ring)->share;
        now = this;
        checker = &cells;
        cells.begin();
        memset(channels, 0, sizeof channels);
        memset(pe, 0, sizeof pe);
        memset(copies, 0, sizeof copies);
        put = taken = 0;
        for (uno_atomic64 *a : {&share->split, &share->copied, &lines})
            a->number = cells.fresh64(0);
        fresh(&share->place, 1);
        for (region *r : {&written, &wanted[0], &wanted[1]})
            fresh(r->unit, UNITS);
        for (int s = 0; s < length; s++)
            fresh(piece[s], UNITS);
        channel(WRITER)->link[READER].out.ring = channel(READER)->link[WRITER].in.ring = (uno_ring *)ring;
        for (int k = 0; k < PES; k++) {
            channel(k)->pe = &pe[k];
            sleepers[k].give(&pe[k]);
            pe[k].spin = spins;
        }
    }

    void fresh(uno_plain64 *p, size_t count) {
        for (size_t i = 0; i < count; i++)
            p[i].number = cells.fresh_plain();
    }

    /* Copy; or be refused, after any number of units. */
    bool copy(uno_plain64 *to, const uno_plain64 *from, size_t bytes, bool may_fail) {
        size_t units = bytes / UNIT, end = may_fail ? rl::rand(units + 1) : units;
        for (size_t i = 0; i < end; i++)
            uno_write64_plain(&to[i], uno_read64_plain(&from[i]));
        return end == units;
    }

    /* Count units of the present message, from the address `data` on, that have been copied for good. */
    void count(unsigned me, const uno_plain64 *data, size_t bytes) {
        for (size_t i = 0; i < bytes / UNIT; i++)
            RL_ASSERT(copies[step[me]][data - written.unit + i]++ == 0);
    }

    /* Nobody sleeps in `poll`, so the model must not rely there on a stronger fence than the library's. */
    void ring_bell(unsigned of, uint64_t *rung) {
        if (sleeps)
            uno_bell_ring(&sleepers[of].bell, rung);
    }

    void put_line(unsigned kind, const struct uno_piece &piece) {
        line[put++] = {kind, piece};
        uno_store64_release(&lines, put);
        ring_bell(READER, &channel(WRITER)->link[READER].rung);
    }

    bool came() {
        return uno_load64_acquire(&lines) > taken;
    }

    void write() {
        for (step[WRITER] = 0; step[WRITER] < length; step[WRITER]++) {
            size_t units = units_of(step[WRITER]);
            for (size_t i = 0; i < units; i++)
                uno_write64_plain(&written.unit[i], datum(step[WRITER], i));
            uno_sending s = {
                .channel = channel(WRITER), .k = READER, .data = written.address, .bytes = units * UNIT};
            uno_share_send(&s);
        }
        for (size_t i = 0; i < UNITS; i++)
            uno_write64_plain(&written.unit[i], 0);
    }

    /* Take one line of a message, as channel/shared/join.c and link/coming.c do. Return true if the message
     * has ended. */
    bool take(enum reader reader, uno_link *link, size_t total) {
        struct line *l = &line[taken++];
        if (l->kind == UNO_KIND_CLOSED)
            return true;
        if (l->kind == UNO_KIND_OPENED) {
            RL_ASSERT(l->piece.total == total);
            return reader == WAITS && join(channel(READER), WRITER, &l->piece);
        }
        uno_plain64 *from = &piece[step[READER]][l->piece.to / UNIT];
        copy(cells_at(wanted, 2, link->to + l->piece.to, l->piece.bytes), from, l->piece.bytes, false);
        link->got += l->piece.bytes;
        return link->got == total && !link->joined;
    }

    void read() {
        uno_link *link = &channel(READER)->link[WRITER];
        for (step[READER] = 0; step[READER] < length; step[READER]++) {
            region *r = &wanted[step[READER] % 2];
            size_t units = units_of(step[READER]);
            for (size_t i = 0; i < UNITS; i++)
                uno_write64_plain(&r->unit[i], 0);
            link->to = r->address;
            link->room = sizeof r->address;
            link->got = 0;
            link->joined = false;
            for (bool ended = false; !ended;) {
                wait_until(&pe[READER], [&] { return came(); });
                do
                    ended = take(reader_of(step[READER]), link, units * UNIT);
                while (!ended && came());
                ring_bell(WRITER, &link->rung);
            }
            for (size_t i = 0; i < UNITS; i++) {
                RL_ASSERT(uno_read64_plain(&r->unit[i]) == (i < units ? datum(step[READER], i) : 0));
                RL_ASSERT(copies[step[READER]][i] == (i < units));
            }
        }
    }

    void thread(unsigned me) {
        if (me == READER)
            read();
        else
            write();
    }
};

model *model::now;

/* ---- what these files call --------------------------------------------------------------------------- */

bool uno_reach_allowed(struct uno_pe *, int) {
    return true;
}

bool uno_reach_write(struct uno_pe *, int, uint64_t to, const void *data, size_t bytes) {
    uno_plain64 *from = cells_at(&written, 1, data, bytes);
    if (!model::now->copy(cells_at(wanted, 2, (void *)to, bytes), from, bytes, true))
        return false;
    model::now->count(WRITER, from, bytes);
    return true;
}

bool uno_reach_read(struct uno_pe *, int, uint64_t from, void *data, size_t bytes) {
    uno_plain64 *there = cells_at(&written, 1, (void *)from, bytes);
    if (!model::now->copy(cells_at(wanted, 2, data, bytes), there, bytes, true))
        return false;
    model::now->count(READER, there, bytes);
    return true;
}

bool uno_channel_take_in(struct uno_channel *, int) {
    RL_ASSERT(!"nobody here looks for more than a line of its own");
    return false;
}

/* Lines are taken by the model (take). */
void uno_coming_begin(struct uno_channel *, int, const struct uno_piece *, uint64_t) {
    RL_ASSERT(!"no line of a ring comes here");
}

void uno_coming_end(struct uno_channel *, int) {
    RL_ASSERT(!"no line of a ring comes here");
}

void uno_channel_put_or_queue(const struct uno_sending *, const struct uno_put *line) {
    struct uno_piece piece = {0};
    if (line->bytes)
        memcpy(&piece, line->data, sizeof piece);
    model::now->put_line(line->kind, piece);
}

void uno_channel_send_pieces(const struct uno_sending *s, unsigned first, size_t done, size_t end) {
    model *m = model::now;
    size_t bytes = end - done;
    uno_plain64 *from = cells_at(&written, 1, s->data + done, bytes);
    m->copy(&piece[m->step[WRITER]][done / UNIT], from, bytes, false);
    m->count(WRITER, from, bytes);
    m->put_line(first, {s->bytes, bytes, 0, done});
}

void uno_channel_wait_for_reader(struct uno_channel *channel, struct uno_wait *wait, int) {
    wait->steps++;
    wait_step(wait, [&] { return uno_split_settled(channel->settling, channel->settling_parts); });
}

void uno_channel_wait_over(struct uno_channel *, struct uno_wait *wait) {
    wait_end(wait);
}

int main(int argc, char **argv) {
    std::vector<unsigned> choices;
    for (unsigned i = 0; i < PARTS * READERS; i++)
        choices.push_back(i);
    return explore_main<model>(argc, argv, choices, sequence, LONGEST, &length,
                               "messages of 1 to " + std::to_string(PARTS) + " parts");
}
