/* Schedules in words, and how calls of several ranks are known to differ. */

#include <stdio.h>
#include <string.h>

#include "engine/caller.h"
#include "engine/fault.h"
#include "library/blocking/collectives.h"
#include "library/communicator/comm.h"
#include "library/schedule/schedule.h"
#include "library/type/predefined.h"

/* ---- the mark ------------------------------------------------------------------------------------------
 *
 * It is that of a blocking collective (uno_tell), with the function in its low 6 bits: a call that does not
 * wait is another one than one that does. Between the groups of an intercommunicator, and of neighbours,
 * ranks say different things, and only the functions are compared. */

static unsigned op_of(enum uno_schedule_of of, bool at_once) {
    return 1 + 2 * (unsigned)of + at_once;
}

void uno_schedule_tell(struct uno_schedule *s, MPI_Count count, const struct uno_mpi_type *type,
                       const struct uno_mpi_op *op, int root) {
    unsigned detail = 0;
    if (!s->comm->remote) {
        size_t bytes = type ? (size_t)count * type->layout.size : 0;
        detail = ((unsigned)bytes & (UNO_COMM_MARKED - 1)) ^ uno_told_mark(s->comm, count, type, op, root);
    }
    s->told = (struct uno_told){s->comm, count, type, op, root};
    s->mark = (uint16_t)UNO_SIGNATURE(op_of(s->of, s->form == UNO_AT_ONCE), detail);
}

static enum uno_schedule_form form_of(unsigned mark, bool made) {
    return (uno_signature_op(mark) - 1) % 2 ? UNO_AT_ONCE : made ? UNO_MADE : UNO_BEGUN;
}

/* The name of the function that messages of that mark are of. */
static const char *name_of(unsigned mark, bool made, char text[UNO_SIGNATURE_TEXT]) {
    unsigned of = (uno_signature_op(mark) - 1) / 2;
    return of < UNO_SCHEDULES ? uno_schedule_name((enum uno_schedule_of)of, form_of(mark, made), text)
                              : "nothing that is known";
}

/* The call of this rank, and what another one has sent of its call with the same number. */
static UNO_COLD _Noreturn void differ(const struct uno_told *told, const char *name, const void *from,
                                      uint64_t word, int source, const char *other) {
    char mine[UNO_CALL_TEXT];
    struct uno_pe *pe = uno_rank->pe;
    uno_told_text(told, name, mine, sizeof mine);
    uno_fail_apart_from(pe, from, word, "mismatch: PE %d is in %s, but what PE %d sent is of %s", pe->me,
                        mine, source, other);
}

void uno_schedule_compare(const struct uno_schedule *s, const struct uno_step *receive) {
    char name[UNO_SIGNATURE_TEXT], other[UNO_SIGNATURE_TEXT];
    unsigned theirs = receive->receive.mark;
    if (!uno_told_fits_but(&s->told, s->mark ^ theirs))
        differ(&s->told, uno_schedule_name(s->of, s->form, name), s->from, uno_schedule_word(s),
               receive->source, name_of(theirs, s->form == UNO_MADE, other));
}

/* ---- the last calls
 * ----------------------------------------------------------------------------------------- */

void uno_schedule_note(const struct uno_schedule *s) {
    struct uno_begun *b = &uno_rank->begun[uno_rank->begun_ever++ % UNO_BEGUN_KEPT];
    *b = (struct uno_begun){.word = uno_schedule_word(s),
                            .of = (unsigned char)s->of,
                            .form = (unsigned char)s->form,
                            .mark = s->mark,
                            .from = s->from,
                            .comm = s->comm->id,
                            .told = s->told};
    b->told.comm = s->comm == uno_rank->world || s->comm == uno_rank->self ? s->comm : NULL;
    if (b->told.type && !uno_type_is_predefined(b->told.type))
        b->told.type = NULL;
    if (b->told.op && b->told.op->function)
        b->told.op = NULL;
}

/* The last one of that word; NULL: it is not kept any more. */
static const struct uno_begun *find_begun(uint64_t word) {
    for (unsigned i = 1; i <= UNO_BEGUN_KEPT; i++) {
        const struct uno_begun *b = &uno_rank->begun[(uno_rank->begun_ever - i) % UNO_BEGUN_KEPT];
        if (b->word == word)
            return b;
    }
    return NULL;
}

/* Return the recorded arguments; their communicator may be gone, and is then known by its number. */
static struct uno_told told_of(const struct uno_begun *b, struct uno_mpi_comm *stand_in) {
    struct uno_told told = b->told;
    *stand_in = (struct uno_mpi_comm){.id = b->comm};
    told.comm = told.comm ? told.comm : stand_in;
    return told;
}

void uno_schedules_compare_left(void) {
    struct uno_channel *channel = uno_rank->channel;
    const struct uno_messages *messages = &channel->messages;
    char name[UNO_SIGNATURE_TEXT], other[UNO_SIGNATURE_TEXT];
    struct uno_mpi_comm stand_in;
    uno_channel_progress(channel);
    for (size_t i = 0; i < messages->chains; i++)
        for (const struct uno_message *m = messages->chain[0][i].first; m; m = m->next[0]) {
            uint64_t word = uno_channel_word(m->envelope.context, m->envelope.tag);
            const struct uno_begun *b = m->mark ? find_begun(word) : NULL;
            struct uno_told told;
            if (!b || b->mark == m->mark)
                continue;
            told = told_of(b, &stand_in);
            if (!uno_told_fits_but(&told, b->mark ^ m->mark))
                differ(&told, uno_schedule_name(b->of, b->form, name), b->from, word, m->envelope.source,
                       name_of(m->mark, b->form == UNO_MADE, other));
        }
}

/* ---- words -----------------------------------------------------------------------------------------------
 */

int uno_schedule_outcome(const struct uno_schedule *s) {
    char name[UNO_SIGNATURE_TEXT];
    if (!s->error || !s->wrong)
        return s->error;
    return uno_error(s->error, "%s: rank %d has sent %zu bytes, of which this one expects %zu",
                     uno_schedule_name(s->of, s->form, name), uno_comm_rank_of(s->comm, s->wrong->source),
                     s->wrong->receive.bytes, s->wrong->receive.room);
}

/* The one that was begun first of those that run, and of those that this rank waits for, if there are any. */
static const struct uno_schedule *first_of(unsigned signature) {
    const struct uno_schedule *first = NULL, *awaited = NULL;
    for (const struct uno_schedule *s = uno_rank->schedule; s; s = s->next) {
        first = s;
        awaited = uno_schedule_signature(s->of, s->form) == signature ? s : awaited;
    }
    return awaited ? awaited : first;
}

/* A call, and where the program has called for it, behind what the PE is in. */
static void describe(const struct uno_told *told, const char *name, const void *from, const char *before,
                     const char *after, char *text, size_t bytes) {
    char call[UNO_CALL_TEXT / 2], caller[UNO_CALLER_TEXT] = "";
    uno_told_text(told, name, call, sizeof call);
    if (from && !uno_rank->pe->on_error)
        uno_caller_at(from, caller);
    snprintf(text, bytes, "%s%s%s%s%s%s", before, call, after, *caller ? " (" : "",
             *caller ? caller + strlen("; ") : "", *caller ? ")" : "");
}

bool uno_schedule_describe(const struct uno_pe *pe, unsigned signature, char *text, size_t bytes) {
    char op[UNO_CALL_TEXT / 2], name[UNO_SIGNATURE_TEXT], before[UNO_CALL_TEXT / 2 + 8];
    struct uno_mpi_comm stand_in;
    if (!uno_rank || uno_rank->pe != pe)
        return false;
    if (!uno_told_describe(pe, signature, op, sizeof op))
        uno_signature_text(signature, op);
    snprintf(before, sizeof before, "%s, with ", op);
    const struct uno_begun *asked = pe->job->fault_about ? find_begun(pe->job->fault_about) : NULL;
    const struct uno_schedule *s = first_of(signature);
    if (asked && (!s || uno_schedule_word(s) != asked->word)) {
        struct uno_told told = told_of(asked, &stand_in);
        describe(&told, uno_schedule_name(asked->of, asked->form, name), asked->from, before, "", text,
                 bytes);
    } else if (s) {
        bool awaited = uno_schedule_signature(s->of, s->form) == signature;
        const char *wait = s->form == UNO_AT_ONCE ? "" : "MPI_Wait of ";
        describe(&s->told, uno_schedule_name(s->of, s->form, name), s->from, awaited ? wait : before,
                 awaited ? "" : " not complete", text, bytes);
    } else {
        return uno_told_describe(pe, signature, text, bytes);
    }
    return true;
}
