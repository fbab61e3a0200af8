#include "library/type/runs.h"

/* A part of the pattern's data that is still to be visited, and who visits it. */
struct walk {
    MPI_Count skip, left;
    uno_run_visit *visit;
    void *context;
};

static bool run(struct walk *w, MPI_Count at, MPI_Count bytes) {
    if (w->skip >= bytes) {
        w->skip -= bytes;
        return true;
    }
    at += w->skip;
    bytes -= w->skip;
    w->skip = 0;
    bytes = bytes < w->left ? bytes : w->left;
    w->left -= bytes;
    return w->visit(w->context, at, bytes);
}

/* Return how many parts of that many bytes lie before the part to be visited first, and skip them. */
static MPI_Count skipped(struct walk *w, MPI_Count bytes) {
    MPI_Count parts = bytes ? w->skip / bytes : 0;
    w->skip -= parts * bytes;
    return parts;
}

static bool walk(struct walk *w, const struct uno_pattern *p, MPI_Count base) {
    if (w->skip >= p->bytes) {
        w->skip -= p->bytes;
        return true;
    }
    base += p->at;
    switch (p->kind) {
    case UNO_RUN:
        return run(w, base, p->bytes);
    case UNO_LOOP:
        for (MPI_Count i = skipped(w, p->of->bytes); i < p->count && w->left; i++)
            if (!walk(w, p->of, base + i * p->step))
                return false;
        return true;
    case UNO_SPOTS:
        for (MPI_Count i = skipped(w, p->block); i < p->count && w->left; i++)
            if (!run(w, base + p->spot[i], p->block))
                return false;
        return true;
    case UNO_BLOCKS:
        for (MPI_Count i = 0; i < p->count && w->left; i++)
            if (!run(w, base + p->run[i].at, p->run[i].bytes))
                return false;
        return true;
    default:
        for (MPI_Count i = 0; i < p->count && w->left; i++)
            if (!walk(w, &p->of[i], base))
                return false;
        return true;
    }
}

bool uno_pattern_runs(const struct uno_pattern *pattern, MPI_Count base, MPI_Count from, MPI_Count bytes,
                      uno_run_visit *visit, void *context) {
    struct walk w = {.skip = from, .left = bytes, .visit = visit, .context = context};
    return !bytes || walk(&w, pattern, base);
}
