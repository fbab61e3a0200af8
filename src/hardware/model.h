/* A unit of rtl/ with its register faces, compiled into a program by Verilator. */

#ifndef UNO_MODEL_H
#define UNO_MODEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uno_model;

/* Make the unit of that name for n PEs, after its reset. NULL: there is none. */
struct uno_model *uno_model_make(const char *unit, int n);

/* Let PE k write a word to a register in the present clock; or read one, which uno_model_word then
 * returns. */
void uno_model_write(struct uno_model *model, int k, unsigned address, uint32_t word);
void uno_model_read(struct uno_model *model, int k, unsigned address);

/* Compute the present clock; then return the word that PE k reads in it. */
void uno_model_settle(struct uno_model *model);
uint32_t uno_model_word(struct uno_model *model, int k);

/* Go on to the next clock, in which no PE writes yet. */
void uno_model_clock(struct uno_model *model);

#ifdef __cplusplus
}
#endif

#endif
