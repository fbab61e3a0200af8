/* The record of a PE, in the pieces in which an agent sends it. They lie in the coordinator's memory as in
 * the agent's. */

#ifndef UNO_PIECES_H
#define UNO_PIECES_H

#include "engine/job.h"
#include "observe/memory.h"

enum uno_piece {
    UNO_PIECE_BOARD,  /* the PE's board, */
    UNO_PIECE_RECORD, /* its record of operations, */
    UNO_PIECE_SUMS,   /* the sums of its calls, and, behind the marks by which neighbours find whom they wait
                         for, */
    UNO_PIECE_REST,   /* the rest of its part of that memory */
    UNO_PIECES
};

/* Return a piece of PE k's record, and its bytes. */
char *uno_piece(enum uno_piece piece, struct uno_job *job, const struct uno_seen_memory *seen, int k,
                size_t *bytes);

#endif
