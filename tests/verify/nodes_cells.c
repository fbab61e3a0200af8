/* src/engine/channel/far/interrupt.c in the model of nodes: the one word of its own memory that other threads
 * may change becomes a cell of the checker. */

#include "engine/channel/far/interrupt.c"

void model_interrupt_cells(struct uno_pe *pe, unsigned number) {
    pe->far->interrupts->raised.number = number;
}
