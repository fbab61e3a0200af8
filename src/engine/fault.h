/* How a PE ends when something went wrong. Every message is one line on standard error, in one write:
 * "unisono: PE 3: ...". Of PEs that end because others have failed a few say so, and the launcher counts the
 * rest. */

#ifndef UNO_FAULT_H
#define UNO_FAULT_H

#include "pe.h"
#include "signature.h"

/* Report an error of this PE and end the job with exit status 1. */
void uno_fail(struct uno_pe *pe, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* The same of PEs that do not fit together, each of which must look for the reason in its program: tells
 * also where that has called the library, if it is known. */
void uno_fail_apart(struct uno_pe *pe, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* The same, and the program has called what does not fit where that address is; NULL: it is there now. about:
 * a number of the face's own, for the others' pe->describe (job->fault_about); 0: none. */
void uno_fail_apart_from(struct uno_pe *pe, const void *from, uint64_t about, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

/* Report that the function, or operation, is no use to a thread that is no PE. */
static UNO_COLD _Noreturn void uno_fail_outside(struct uno_pe *pe, const char *name) {
    uno_fail(pe, "%s was called %s", name, uno_pe_when(pe));
}

/* Ends with an error unless the calling thread, whose state this is, is a PE. */
static inline void uno_check_inside(struct uno_pe *pe, const char *name) {
    if (UNO_UNLIKELY(!pe->job))
        uno_fail_outside(pe, name);
}

enum { UNO_CALL_TEXT = 480 };

/* What this PE is in: the call with its arguments, or the name of the operation. Returns text. */
static inline const char *uno_call_text(const struct uno_pe *pe, unsigned signature,
                                        char text[UNO_CALL_TEXT]) {
    bool told = pe->describe && pe->describe(pe, signature, text, UNO_CALL_TEXT);
    return told ? text : uno_signature_text(signature, text);
}

/* End with a message if the job has failed. k: the PE that this one waits for; negative: any. */
void uno_fault_check(struct uno_pe *pe, int k, unsigned signature);

#endif
