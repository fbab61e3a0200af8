/* A unit of rtl/ with its register faces, made into a program by Verilator. */

#ifndef UNO_MODEL_H
#define UNO_MODEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct uno_model;

/* The unit of that name, with room for n PEs, after its reset. NULL: there is none. */
struct uno_model *uno_model_make(const char *unit, int n);

/* In the present clock PE k writes a word to a register; or reads one, which uno_model_word then tells. */
void uno_model_write(struct uno_model *model, int k, unsigned address, uint32_t word);
void uno_model_read(struct uno_model *model, int k, unsigned address);

/* The word that PE k reads in the present clock, valid after uno_model_settle. */
void uno_model_settle(struct uno_model *model);
uint32_t uno_model_word(struct uno_model *model, int k);

/* Go on to the next clock, in which nobody writes yet. */
void uno_model_clock(struct uno_model *model);

#ifdef __cplusplus
}
#endif

#endif
