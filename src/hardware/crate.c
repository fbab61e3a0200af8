/* The clock goes on only while every PE has something to do at its port, and a port operation takes the same
 * number of clocks for each. So what happens depends on the programs alone, and not on when their processes
 * are run. Time that a PE spends elsewhere does not exist for the unit.
 *
 * A static unit has one barrier, and the PEs that are checked in are its group. Who is checked in next is for
 * the operating system of a cluster to arrange, PEN in the papers, whose part this file plays: a group whose
 * members all wait for the same operation gets a turn, the one with the lowest member first. Its members
 * check in, which the others have to be out for, and each reads CONTROL until all are there. As long as the
 * group stays the same, as it does in a program without groups, this costs nothing.
 *
 * An interrupt is for all PEs, so at a static unit they are all checked in for it: a round. */

#include "crate.h"

#include <string.h>

#include "engine/bell.h"

static int count(const struct uno_crate *crate) {
    return crate->job->n;
}

static bool in_turn(const struct uno_crate *crate, int k) {
    return crate->turn >> k & 1;
}

/* ---- commands ----------------------------------------------------------------------------------------- */

static void take_command(const struct uno_crate *crate, struct uno_seat *seat) {
    const struct uno_port *port = seat->port;
    seat->taken++;
    seat->at = 0;
    if (!crate->dynamic)
        seat->stage = UNO_QUEUED;
    else
        seat->stage = seat->mask == port->mask ? UNO_POSTS : UNO_MASKS;
}

static void answer(struct uno_seat *seat) {
    uint64_t rung = 0;
    seat->stage = UNO_IDLE;
    /* SYNC ANSWER: the results */
    uno_store64_release(&seat->port->answer, seat->taken);
    uno_bell_ring(&seat->port->bell, &rung);
}

/* ---- turns at a static unit --------------------------------------------------------------------------- */

static bool served(const struct uno_seat *seat) {
    return seat->stage > UNO_QUEUED;
}

/* Return true if the PE has raised an interrupt that the unit does not know of yet. */
static bool raises(const struct uno_seat *seat) {
    return !seat->gone && uno_load32_relaxed(&seat->port->raises) != seat->raised;
}

static bool wants_round(const struct uno_crate *crate) {
    for (int k = 0; k < count(crate); k++)
        if (raises(&crate->seat[k]))
            return true;
    return false;
}

static bool round_over(const struct uno_crate *crate) {
    for (int k = 0; k < count(crate); k++)
        if (!crate->seat[k].gone && !crate->seat[k].heard)
            return false;
    return !wants_round(crate);
}

/* Return true if all members of PE k's group wait for an operation of this group. */
static bool complete(const struct uno_crate *crate, int k) {
    uint64_t mask = crate->seat[k].port->mask;
    for (int m = 0; m < count(crate); m++) {
        const struct uno_seat *seat = &crate->seat[m];
        if (mask >> m & 1 && (seat->stage != UNO_QUEUED || seat->port->mask != mask))
            return false;
    }
    return crate->seat[k].stage == UNO_QUEUED;
}

static void give_turn(struct uno_crate *crate, uint64_t turn) {
    bool same = crate->turn == turn;
    crate->turn = turn;
    for (int k = 0; k < count(crate); k++)
        if (in_turn(crate, k))
            crate->seat[k].stage = same ? UNO_POSTS : UNO_ENTERS;
}

static void begin_round(struct uno_crate *crate) {
    crate->round = true;
    crate->turn = 0;
    for (int k = 0; k < count(crate); k++) {
        crate->seat[k].heard = false;
        if (!crate->seat[k].gone)
            crate->turn |= (uint64_t)1 << k;
    }
}

/* Choose the group that is served next, when none is. */
static void schedule(struct uno_crate *crate) {
    for (int k = 0; k < count(crate); k++)
        if (served(&crate->seat[k]))
            return;
    if (crate->round && !round_over(crate))
        return;
    crate->round = false;
    if (wants_round(crate)) {
        begin_round(crate);
        return;
    }
    for (int k = 0; k < count(crate); k++)
        if (complete(crate, k)) {
            give_turn(crate, crate->seat[k].port->mask);
            return;
        }
}

/* Return true if the PE sleeps in an operation that does not go through the unit: a receive. */
static bool rests(const struct uno_crate *crate, int k) {
    /* SYNC REST: not needed here */
    return uno_load64_acquire(&uno_job_rest(crate->job, crate->job->n, k)->number) % 2;
}

/* ---- what a PE does next at its port ------------------------------------------------------------------ */

static void act(struct uno_seat *seat, bool writes, unsigned address, uint32_t word) {
    seat->acts = true;
    seat->writes = writes;
    seat->address = address;
    seat->word = word;
}

static void decide(const struct uno_crate *crate, struct uno_seat *seat, int k) {
    const struct uno_port *port = seat->port;
    /* a PE that is in no operation acknowledges in its next one, since nobody can do that for it */
    if (seat->alarm == UNO_ALARMED && (seat->stage != UNO_IDLE || rests(crate, k))) {
        act(seat, true, UNO_INTERRUPT, UNO_ACKNOWLEDGE);
        return;
    }
    if (seat->alarm == UNO_OVER) {
        act(seat, false, UNO_INTERRUPT, 0);
        return;
    }
    if (raises(seat) && (crate->dynamic || crate->round)) {
        act(seat, true, UNO_INTERRUPT, UNO_RAISE);
        return;
    }
    switch (seat->stage) {
    case UNO_IDLE: /* someone looks after the ports of those who are away */
        if (crate->round || seat->away)
            act(seat, false, UNO_POST, 0);
        break;
    case UNO_QUEUED:
        if (crate->round)
            act(seat, false, UNO_POST, 0);
        break;
    case UNO_ENTERS:
        act(seat, false, UNO_CONTROL, 0);
        break;
    case UNO_MASKS:
        act(seat, true, UNO_MASK, (uint32_t)port->mask);
        break;
    case UNO_POSTS:
    case UNO_RELEASE:
        act(seat, true, UNO_POST, port->post[seat->at]);
        break;
    case UNO_WAITS:
    case UNO_READS:
    case UNO_RELEASED:
        act(seat, false, UNO_POST, 0);
        break;
    }
}

/* ---- the results of an operation ----------------------------------------------------------------------- */

/* Note in every status that is read whether there is an interrupt. */
static void heed(struct uno_seat *seat, uint32_t status) {
    seat->heard = seat->alarm == UNO_CALM && !(status & UNO_PENDING);
    if (seat->alarm == UNO_STOPPED && !(status & UNO_ACKNOWLEDGED))
        seat->alarm = UNO_OVER;
    else if (seat->alarm == UNO_CALM && status & UNO_PENDING)
        seat->alarm = UNO_ALARMED;
}

/* End the post for this PE. A PE that is stopped by an interrupt stays. */
static void pass(struct uno_seat *seat, uint32_t result) {
    seat->ready = true;
    seat->result = result;
    if (seat->alarm != UNO_CALM)
        return;
    seat->port->post[seat->at] = result;
    if (++seat->at == seat->port->count)
        answer(seat);
    else
        seat->stage = UNO_POSTS;
}

static void took_status(const struct uno_crate *crate, struct uno_seat *seat, uint32_t status) {
    heed(seat, status);
    if (seat->stage == UNO_WAITS && seat->ready) {
        pass(seat, seat->result);
    } else if (seat->stage == UNO_WAITS && status & UNO_READY) {
        if (crate->follows && seat->port->what == UNO_COMMAND_POSTS)
            seat->stage = UNO_READS;
        else
            pass(seat, status >> UNO_RESULT);
    } else if (seat->stage == UNO_READS) {
        seat->result = status >> UNO_RESULT;
        seat->stage = UNO_RELEASE;
    } else if (seat->stage == UNO_RELEASED && status & UNO_READY) {
        pass(seat, seat->result);
    }
}

/* End an interrupt; its handler runs when the PE has its answer. */
static void took_cause(struct uno_seat *seat, uint32_t cause) {
    struct uno_port *port = seat->port;
    uint32_t number = uno_load32_relaxed(&port->interrupts);
    uno_store32_relaxed(&port->cause[number % UNO_PORT_CAUSES], cause);
    uno_store32_relaxed(&port->interrupts, number + 1);
    seat->alarm = UNO_CALM;
}

static void wrote(struct uno_seat *seat) {
    switch (seat->address) {
    case UNO_CONTROL:
        seat->live = seat->word;
        seat->mask = 0;
        break;
    case UNO_INTERRUPT:
        if (seat->word == UNO_RAISE)
            seat->raised = uno_load32_relaxed(&seat->port->raises);
        else
            seat->alarm = UNO_STOPPED;
        break;
    case UNO_MASK:
        seat->mask = seat->word;
        seat->stage = UNO_POSTS;
        break;
    default:
        seat->ready = false;
        seat->stage = seat->stage == UNO_RELEASE ? UNO_RELEASED : UNO_WAITS;
    }
}

static void took(const struct uno_crate *crate, struct uno_seat *seat, uint32_t word) {
    if (seat->address == UNO_INTERRUPT)
        took_cause(seat, word);
    else if (seat->address == UNO_POST)
        took_status(crate, seat, word);
    else if (word == crate->turn)
        seat->stage = UNO_POSTS;
}

/* ---- steps -------------------------------------------------------------------------------------------- */

/* Check PEs in or out where that is due. Return true if there were any: then nothing else happens in this
 * step. */
static bool plug(struct uno_crate *crate) {
    bool any = false;
    for (int k = 0; k < count(crate); k++) {
        struct uno_seat *seat = &crate->seat[k];
        bool live = !seat->gone && (crate->dynamic || in_turn(crate, k));
        if (live != seat->live) {
            act(seat, true, UNO_CONTROL, live);
            any = true;
        }
    }
    return any;
}

/* Carry out the port operations that all PEs have chosen. */
static void carry_out(struct uno_crate *crate) {
    uint32_t word[UNO_PORT_MAX_PES];
    for (int k = 0; k < count(crate); k++) {
        const struct uno_seat *seat = &crate->seat[k];
        if (seat->acts && seat->writes)
            uno_model_write(crate->model, k, seat->address, seat->word);
        else if (seat->acts)
            uno_model_read(crate->model, k, seat->address);
    }
    uno_model_settle(crate->model);
    for (int k = 0; k < count(crate); k++)
        word[k] = uno_model_word(crate->model, k);
    for (int i = 0; i < crate->ports->clocks_each; i++)
        uno_model_clock(crate->model);
    uno_store64_relaxed(&crate->ports->clocks,
                        uno_load64_relaxed(&crate->ports->clocks) + (uint64_t)crate->ports->clocks_each);
    bool raised = false;
    for (int k = 0; k < count(crate); k++) {
        struct uno_seat *seat = &crate->seat[k];
        if (!seat->acts)
            continue;
        uno_store64_relaxed(&seat->port->operations, uno_load64_relaxed(&seat->port->operations) + 1);
        if (seat->writes)
            wrote(seat);
        else
            took(crate, seat, word[k]);
        raised |= seat->writes && seat->address == UNO_INTERRUPT && seat->word == UNO_RAISE;
    }
    /* what has been read so far does not show this interrupt */
    for (int k = 0; k < count(crate) && raised; k++)
        crate->seat[k].heard = false;
}

void uno_crate_step(struct uno_crate *crate) {
    enum uno_stage stage[UNO_PORT_MAX_PES];
    enum uno_alarm alarm[UNO_PORT_MAX_PES];
    bool changed = false;
    for (int k = 0; k < count(crate); k++) {
        crate->seat[k].acts = false;
        stage[k] = crate->seat[k].stage;
        alarm[k] = crate->seat[k].alarm;
    }
    if (!plug(crate))
        for (int k = 0; k < count(crate); k++)
            if (!crate->seat[k].gone)
                decide(crate, &crate->seat[k], k);
    carry_out(crate);
    for (int k = 0; k < count(crate); k++) {
        const struct uno_seat *seat = &crate->seat[k];
        changed |= (seat->acts && seat->writes) || seat->stage != stage[k] || seat->alarm != alarm[k];
    }
    crate->quiet = changed ? 0 : crate->quiet + 1;
}

/* ---- the ports ---------------------------------------------------------------------------------------- */

/* Return true if PE k has something to do at its port, or is known to be busy elsewhere. */
static bool there(struct uno_crate *crate, int k) {
    struct uno_seat *seat = &crate->seat[k];
    if (raises(seat))
        crate->quiet = 0;
    if (seat->gone || seat->stage != UNO_IDLE)
        return true;
    /* SYNC LEFT: the interrupts that it has raised */
    enum uno_state state = (enum uno_state)uno_load32_acquire(&crate->job->board[k].state);
    /* SYNC COMMAND: the posts, and the interrupts that it has raised before */
    if (uno_load64_acquire(&seat->port->command) != seat->taken) {
        seat->away = false;
        crate->quiet = 0;
        take_command(crate, seat);
        return true;
    }
    if (state == UNO_LEFT) {
        crate->quiet = 0;
        if (raises(seat))
            return true; /* that first */
        seat->gone = true;
    }
    if (seat->away && seat->alarm == UNO_ALARMED && rests(crate, k))
        crate->quiet = 0; /* it can acknowledge now, and could not before it rested */
    return seat->gone || seat->away;
}

bool uno_crate_look(struct uno_crate *crate) {
    enum { SETTLED = 2 }; /* a word that is written in one step takes effect in the next */
    bool all = true;
    for (int k = 0; k < count(crate); k++)
        all &= there(crate, k);
    if (!all)
        return false;
    if (!crate->dynamic)
        schedule(crate);
    return crate->quiet < SETTLED;
}

bool uno_crate_empty(const struct uno_crate *crate) {
    for (int k = 0; k < count(crate); k++)
        if (!crate->seat[k].gone)
            return false;
    return true;
}

void uno_crate_open(struct uno_crate *crate, struct uno_job *job, struct uno_model *model) {
    memset(crate, 0, sizeof *crate);
    crate->job = job;
    crate->ports = uno_ports(job);
    crate->model = model;
    crate->dynamic = strcmp(job->unit, "papers1") == 0;
    crate->follows = strcmp(job->unit, "ttl_papers") == 0;
    crate->turn = ((uint64_t)1 << job->n) - 1;
    for (int k = 0; k < job->n; k++)
        crate->seat[k].port = &crate->ports->port[k];
}
