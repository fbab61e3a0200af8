/* The agent's part in --stats and --trace: when its PEs have ended, it sends their records to the
 * coordinator, no more at a time than the stream takes, and behind them its last word. */

#ifndef UNO_GIVE_H
#define UNO_GIVE_H

#include "frames.h"
#include "launch/run.h"

struct uno_places;

struct uno_giving {
    enum { UNO_GIVES_LATER, UNO_GIVES_WHEN_ASKED, UNO_GIVES, UNO_HAS_GIVEN } state;
    struct uno_places *places;          /* the programs' files, for their source lines; or NULL */
    int pe;                             /* the next one whose record is to be sent, */
    int file;                           /* and behind all of them the next file of events, */
    off_t at;                           /* from here on */
    int32_t status, signal, checked_in; /* the last word: the frame OVER */
};

/* The PEs of this node have ended, with this last word. */
void uno_give_begin(struct uno_giving *giving, struct uno_run *run, struct uno_link *link);

/* The coordinator asks for the records. */
void uno_give_asked(struct uno_giving *giving);

/* Put what is next to be sent, if there is room in the stream. Returns false if nothing was put. */
bool uno_give_step(struct uno_giving *giving, struct uno_run *run, struct uno_link *link);

/* Return true if the last word is said. */
bool uno_give_over(const struct uno_giving *giving);

#endif
