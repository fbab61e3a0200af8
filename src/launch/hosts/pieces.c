#include "pieces.h"

#include "engine/observe.h"

char *uno_piece(enum uno_piece piece, struct uno_job *job, const struct uno_seen_memory *seen, int k,
                size_t *bytes) {
    const size_t marks = offsetof(struct uno_seen_rank, sent), rest = offsetof(struct uno_seen_rank, moment);
    char *rank = (char *)uno_seen_rank(seen, k);
    switch (piece) {
    case UNO_PIECE_BOARD:
        *bytes = sizeof job->board[k];
        return (char *)&job->board[k];
    case UNO_PIECE_RECORD:
        *bytes = uno_record_size(job->n);
        return (char *)uno_record(job, k);
    case UNO_PIECE_SUMS:
        *bytes = marks;
        return rank;
    default:
        *bytes = uno_seen_rank_size(job->n) - rest;
        return rank + rest;
    }
}
