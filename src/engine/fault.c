#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caller.h"
#include "environment.h"
#include "mask.h"
#include "kernel.h"
#include "signature.h"

/* Longer than any message that the library makes. */
enum { LINE = 1536 };

/* Pass the error to the program's function p_onError, which does not return. A second error ends the
 * program. */
static void hand_over(struct uno_pe *pe, const char *text) {
    void (*function)(const char *) = pe->on_error;
    char message[LINE];
    if (!function)
        return;
    pe->on_error = NULL;
    snprintf(message, sizeof message, "PE %d: %s", pe->me, text);
    function(message);
}

/* Write the message of this PE, in one line. */
static void tell(const struct uno_pe *pe, const char *text) {
    char line[LINE];
    int length = pe->job ? snprintf(line, sizeof line, "unisono: PE %d: %s\n", pe->me, text)
                         : snprintf(line, sizeof line, "unisono: %s\n", text);
    if (length >= (int)sizeof line) {
        length = sizeof line - 1;
        line[length - 1] = '\n';
    }
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        (void)0; /* nobody is left to tell */
}

static _Noreturn void end(struct uno_pe *pe, const char *text, bool first, bool speaks) {
    hand_over(pe, text);
    fflush(stdout);
    if (speaks)
        tell(pe, text);
    if (pe->ends)
        _exit(EXIT_FAILURE); /* an exit handler has failed, too: whatever it waits for, it would wait for ever
                              */
    pe->ends = pe->job;
    /* PEs that are threads end together, and only one of them may run the exit handlers. */
    if (!first && pe->job) {
        /* SYNC FAULT: who failed and how. Its writer has passed the point of no return: it takes an instant,
         * or the launcher sees that it has ended. */
        while (uno_load32_acquire(&pe->job->fault) != UNO_FAULT)
            uno_kernel_yield();
        while (pe->board->pid == pe->job->board[pe->job->fault_pe].pid)
            pause();
    }
    exit(EXIT_FAILURE);
}

/* A PE ends because another one has failed, or does not fit it. A thousand may, with the same line but for
 * their numbers: the first ones say so, and the launcher tells how many more there were. PEs that are threads
 * have no launcher. */
static bool is_speaker(struct uno_pe *pe) {
    return !pe->job->launcher || pe->on_error || uno_add32_seq_cst(&pe->job->followers, 1) < UNO_SPEAKERS;
}

static const char with_error[] = "ended with an error: ";

/* follows: others fail likewise, so that this PE may only be one more of them. about: as of
 * uno_fail_apart_from. */
static _Noreturn void fail(struct uno_pe *pe, const char *text, const char *caller, bool follows,
                           uint64_t about) {
    char fault[UNO_FAULT_TEXT + 32], whole[LINE];
    snprintf(fault, sizeof fault, "PE %d %s%.*s", pe->me, with_error, UNO_FAULT_TEXT - 40, text);
    snprintf(whole, sizeof whole, "%s%s", text, caller);
    bool first = !pe->job || uno_job_set_fault(pe->job, pe->me, fault, about);
    end(pe, whole, first, first || !follows || is_speaker(pe));
}

void uno_fail(struct uno_pe *pe, const char *format, ...) {
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail(pe, text, "", false, 0);
}

/* Find where the program called the library. A program that takes errors itself knows that. from: the address
 * of the call, if it is not the present one. */
static const char *find_caller(const struct uno_pe *pe, const void *from, char text[UNO_CALLER_TEXT]) {
    *text = 0;
    if (pe->on_error)
        return text;
    return from && *uno_caller_at(from, text) ? text : uno_caller_here(text);
}

void uno_fail_apart(struct uno_pe *pe, const char *format, ...) {
    char text[LINE], caller[UNO_CALLER_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail(pe, text, find_caller(pe, NULL, caller), true, 0);
}

void uno_fail_apart_from(struct uno_pe *pe, const void *from, uint64_t about, const char *format, ...) {
    char text[LINE], caller[UNO_CALLER_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail(pe, text, find_caller(pe, from, caller), true, about);
}

void uno_fault_check(struct uno_pe *pe, int k, unsigned signature) {
    /* SYNC FAULT: who failed and how */
    if (UNO_LIKELY(uno_load32_acquire(&pe->job->fault) != UNO_FAULT))
        return;
    char text[LINE], op[UNO_CALL_TEXT], group[UNO_MASK_TEXT], caller[UNO_CALLER_TEXT] = "";
    uno_call_text(pe, signature, op);
    if (strstr(pe->job->fault_text, with_error)) /* it may be this PE's, which does not fit */
        find_caller(pe, NULL, caller);
    if (k < 0)
        snprintf(text, sizeof text, "%s; this PE was in %s, waiting for any PE%s", pe->job->fault_text, op,
                 caller);
    else if (uno_signature_is_message(signature))
        snprintf(text, sizeof text, "%s; this PE was in %s, waiting for PE %d%s", pe->job->fault_text, op, k,
                 caller);
    else
        snprintf(text, sizeof text, "%s; this PE was in %s of group %s, waiting for PE %d%s",
                 pe->job->fault_text, op, uno_mask_text(uno_pe_group(pe)->mask, pe->job->words, group), k,
                 caller);
    end(pe, text, false, is_speaker(pe));
}

void uno_refuse_foreign(struct uno_pe *pe, const char *call, const char *one, const char *remedy) {
    int processes;
    const char *variable = uno_environment_foreign(&processes);
    if (variable)
        uno_fail(
            pe,
            "%s: another launcher has started %d of these processes (%s), each of which would be %s 0 of "
            "1; use %s`unisono run -n %d PROGRAM`; or set " UNO_ENVIRONMENT "= for jobs of one %s",
            call, processes, variable, one, remedy, processes, one);
}
