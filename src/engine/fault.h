/* How a PE ends after an error. Every message is one line on standard error, in one write: "unisono: PE 3:
 * ...". Of the PEs that end because another one has failed only a few say so, and the launcher counts the
 * rest. */

#ifndef UNO_FAULT_H
#define UNO_FAULT_H

#include "pe.h"
#include "signature.h"

/* Report an error of this PE and end the job with exit status 1. */
void uno_fail(struct uno_pe *pe, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Report that PEs do not fit together and end the job. The reason is somewhere in the program, so the message
 * tells also where the program called the library, if that is known. */
void uno_fail_apart(struct uno_pe *pe, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

/* As uno_fail_apart, for a call that the program made at the address `from` (NULL: the present call). about:
 * a number of the face's own that pe->describe of the other PEs uses (job->fault_about); 0: none. */
void uno_fail_apart_from(struct uno_pe *pe, const void *from, uint64_t about, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));

/* Report that a thread that is no PE called this function. */
static UNO_COLD _Noreturn void uno_fail_outside(struct uno_pe *pe, const char *name) {
    uno_fail(pe, "%s was called %s", name, uno_pe_when(pe));
}

/* End with an error if another launcher has started this process as one of several (environment.h), each of
 * which would be number 0 of 1. call: the function that finds it; one: the word for a process of such a job;
 * remedy: a launcher to use, named before `unisono run`; "" for none. */
void uno_refuse_foreign(struct uno_pe *pe, const char *call, const char *one, const char *remedy);

/* End with an error unless the calling thread, whose state this is, is a PE. */
static inline void uno_check_inside(struct uno_pe *pe, const char *name) {
    if (UNO_UNLIKELY(!pe->job))
        uno_fail_outside(pe, name);
}

enum { UNO_CALL_TEXT = 480 };

/* Write the PE's current call with its arguments, or else the name of its operation. Returns text. */
static inline const char *uno_call_text(const struct uno_pe *pe, unsigned signature,
                                        char text[UNO_CALL_TEXT]) {
    bool told = pe->describe && pe->describe(pe, signature, text, UNO_CALL_TEXT);
    return told ? text : uno_signature_text(signature, text);
}

/* End with a message if the job has failed. k: the PE that this one waits for; negative: any. */
void uno_fault_check(struct uno_pe *pe, int k, unsigned signature);

#endif
