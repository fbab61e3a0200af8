/* p_init, p_exit, p_team, p_error, p_onError, p_onWait; who and how many. */

#include <stdlib.h>

#include "engine/arrays.h"
#include "engine/channel/channel.h"
#include "meet.h"
#include "unit/handling.h"

int p_init(void) {
    struct uno_pe *pe = uno_self;
    if (pe->job)
        uno_fail(pe, "p_init: PE %d has checked in already", pe->me);
    if (pe == &uno_pe_forked)
        uno_fail(pe, "p_init was called %s", uno_pe_when(pe));
    if (pe == &uno_pe_after)
        uno_fail(pe, "p_init was called after p_exit; a process checks in once");
    uno_self = uno_unit_join();
    return 0;
}

int p_exit(int e) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, "p_exit");
    if (pe->files)
        pe->end_files(pe);
    uno_channel_end(pe);
    uno_arrays_end(pe);
    if (pe->unit->part)
        pe->unit->part(pe);
    uno_self = &uno_pe_after;
    return e;
}

int p_team(int n, int (*function)(void *), void *argument) {
    if (uno_self->job)
        uno_fail(uno_self, "p_team: this thread is PE %d already; call it outside p_init and p_exit",
                 uno_self->me);
    if (n < 1 || n > UNO_MAX_PES)
        uno_fail(uno_self, "p_team: %d PEs; a team has 1 to %d", n, UNO_MAX_PES);
    if (!function)
        uno_fail(uno_self, "p_team: the function is a null pointer");
    return uno_unit_team(n, function, argument);
}

void p_error(const char *message) {
    uno_fail(uno_self, "%s", message ? message : "p_error: the message is a null pointer");
}

void p_interrupt(void) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, "p_interrupt");
    pe->unit->interrupt(pe);
}

void p_onInterrupt(void (*handler)(const uint64_t *cause)) {
    struct uno_pe *pe = uno_self;
    uno_check_inside(pe, "p_onInterrupt");
    pe->on_interrupt = handler;
    pe->handle = handler ? uno_handle : NULL;
}

void p_onError(void (*function)(const char *message)) {
    uno_check_inside(uno_self, "p_onError");
    uno_self->on_error = function;
}

void p_onWait(void (*function)(uint64_t ns)) {
    uno_check_inside(uno_self, "p_onWait");
    uno_self->on_wait = function;
}

int p_iproc(void) {
    uno_check_inside(uno_self, "p_iproc");
    return uno_self->me;
}

int p_nproc(void) {
    uno_check_inside(uno_self, "p_nproc");
    return uno_self->n;
}
