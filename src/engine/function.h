/* The knowledge of each other that members take from an operation. */

#ifndef UNO_FUNCTION_H
#define UNO_FUNCTION_H

#include "pe.h"
#include "signature.h"

/* Describe what is learned in the PE's present operation, in which each member puts so many words. */
static inline void uno_pe_function(const struct uno_pe *pe, struct uno_function *function, unsigned signature,
                                   unsigned words) {
    if (pe->function)
        *function = *pe->function;
    else
        uno_signature_function(function, signature, words, pe->n);
}

#endif
