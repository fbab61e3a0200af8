/* Memory that the kernel does not let other ranks reach: its rank accesses it for them, when it is in any
 * call of the library. Each access is asked for by messages to that rank, which answers when it is done
 * (serve.h). */

#ifndef UNO_MPI_ASK_H
#define UNO_MPI_ASK_H

#include "library/object/op.h"
#include "library/window/spot.h"
#include "library/window/stream.h"

enum uno_ask_for { UNO_ASK_WRITE, UNO_ASK_READ, UNO_ASK_COMBINE, UNO_ASK_SWAP };

/* The first message of an access. The runs follow in another one, and behind them the data. */
struct uno_ask {
    enum uno_ask_for what;
    bool before; /* the target's elements are to be sent back */
    uint64_t place;
    size_t runs, bytes; /* bytes: of the data that follow */
    size_t width;
    MPI_Op op;
    MPI_Datatype basic;
};

/* Return true if the memory there is reached by messages. */
static inline bool uno_is_remote(const struct uno_spot *spot) {
    return UNO_UNLIKELY(spot->win->remote != NULL) && spot->rank != spot->win->me;
}

/* Return the bytes of all runs. */
size_t uno_runs_bytes(const struct uno_runs *runs);

/* As uno_win_write and uno_win_read; and as uno_win_combine, for elements of `width` bytes, of a predefined
 * type. */
int uno_ask_write(const struct uno_spot *spot, const struct uno_runs *runs, const char *bytes);
int uno_ask_read(const struct uno_spot *spot, const struct uno_runs *runs, char *bytes);
int uno_ask_combine(const struct uno_spot *spot, const struct uno_runs *runs, size_t width, MPI_Op op,
                    MPI_Datatype basic, const char *bytes, char *before);

/* Store an element if the one there is equal to another; *before is what it was. */
int uno_ask_swap(const struct uno_spot *spot, size_t width, const void *compare, const void *with,
                 void *before);

#endif
