/* A model's own records of the interrupts of an execution, outside the checked memory. Included after
 * LONGEST. */

#ifndef INTERRUPT_MODEL_H
#define INTERRUPT_MODEL_H

struct interrupts_model {
    bool raised[PES];          /* since the PE has handled the last */
    unsigned handled[PES];     /* interrupts */
    uint64_t cause[LONGEST];   /* the cause of each, from the PE that handled it first; 0: none yet */
    unsigned belongs[LONGEST]; /* for a step that raises: the number of its interrupt, from 1; 0: not yet */

    void raise(unsigned me, int step) {
        raised[me] = true;
        belongs[step] = handled[me] + 1;
    }

    /* Check an interrupt of a cause that a PE handles. Returns its number, from 0. */
    unsigned handle(unsigned me, uint64_t who) {
        unsigned i = handled[me]++;
        RL_ASSERT(who && i < LONGEST && (!cause[i] || cause[i] == who));
        cause[i] = who;
        RL_ASSERT((who >> me & 1) == raised[me]);
        raised[me] = false;
        return i;
    }

    /* Return true if a PE has handled the interrupt that was raised in a step. */
    bool has_handled(unsigned me, int step) const {
        return belongs[step] && handled[me] >= belongs[step];
    }
};

#endif
