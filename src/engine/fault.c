#include "fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mask.h"
#include "kernel.h"
#include "signature.h"

/* Longer than any message that the library makes. */
enum { LINE = 512 };

/* Where the program takes errors itself, by a function that does not return, it has this one. A second one
 * ends it. */
static void hand_over(struct uno_pe *pe, const char *text) {
    void (*function)(const char *) = pe->on_error;
    char message[LINE];
    if (!function)
        return;
    pe->on_error = NULL;
    snprintf(message, sizeof message, "PE %d: %s", pe->me, text);
    function(message);
}

static _Noreturn void end(struct uno_pe *pe, const char *text, bool first) {
    char line[LINE];
    hand_over(pe, text);
    int length = pe->job ? snprintf(line, sizeof line, "unisono: PE %d: %s\n", pe->me, text)
                         : snprintf(line, sizeof line, "unisono: %s\n", text);
    if (length >= (int)sizeof line) {
        length = sizeof line - 1;
        line[length - 1] = '\n';
    }
    fflush(stdout);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        (void)0; /* nobody is left to tell */
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

void uno_fail(struct uno_pe *pe, const char *format, ...) {
    char text[LINE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    char fault[UNO_FAULT_TEXT + 32];
    snprintf(fault, sizeof fault, "PE %d ended with an error: %.*s", pe->me, UNO_FAULT_TEXT - 40, text);
    end(pe, text, !pe->job || uno_job_set_fault(pe->job, pe->me, fault));
}

void uno_fault_check(struct uno_pe *pe, int k, unsigned signature) {
    /* SYNC FAULT: who failed and how */
    if (UNO_LIKELY(uno_load32_acquire(&pe->job->fault) != UNO_FAULT))
        return;
    char text[LINE], op[UNO_CALL_TEXT], group[UNO_MASK_TEXT];
    uno_call_text(pe, signature, op);
    if (k < 0)
        snprintf(text, sizeof text, "%s; this PE was in %s, waiting for any PE", pe->job->fault_text, op);
    else if (uno_signature_is_message(signature))
        snprintf(text, sizeof text, "%s; this PE was in %s, waiting for PE %d", pe->job->fault_text, op, k);
    else
        snprintf(text, sizeof text, "%s; this PE was in %s of group %s, waiting for PE %d",
                 pe->job->fault_text, op, uno_mask_text(pe->group.mask, pe->job->words, group), k);
    end(pe, text, false);
}
