/* Communicators: their groups are computed here, from the seed; MPI makes the same. */

#include <stdlib.h>
#include <string.h>

#include "random.h"

/* The free places, so that every rank puts the same communicator in the same place. -1: none. */
static int vacant(const struct walk *w) {
    for (int i = 0; i < MAX_COMMS; i++)
        if (!w->circle[i].alive)
            return i;
    return -1;
}

static int vacancies(const struct walk *w) {
    int count = 0;
    for (int i = 0; i < MAX_COMMS; i++)
        count += !w->circle[i].alive;
    return count;
}

/* Find this process's rank in a communicator. */
static void settle(const struct walk *w, struct circle *c, const char *how, MPI_Comm comm) {
    c->alive = true;
    c->how = how;
    c->comm = comm;
    c->side = -1;
    for (int side = 0; side <= c->inter; side++)
        for (int i = 0; i < c->size[side]; i++)
            if (c->member[side][i] == w->me) {
                c->side = side;
                c->rank = i;
            }
    if ((c->side == -1) != (comm == MPI_COMM_NULL))
        fail(w, "%s: %s a communicator", how, comm == MPI_COMM_NULL ? "received no" : "received");
}

static void add(struct walk *w, const struct circle *made, const char *how, MPI_Comm comm) {
    struct circle *c = &w->circle[vacant(w)];
    *c = *made;
    settle(w, c, how, comm);
    w->made++;
}

/* The members that `draw` gives a colour (-1: none), sorted by its key and then their rank. */
struct choice {
    int colour[MAX_RANKS], key[MAX_RANKS];
};

static void choose(struct choice *choice, const struct circle *c, int colours, struct rng *r) {
    bool some = rng_below(r, 2), ordered = rng_below(r, 2);
    for (int i = 0; i < c->size[0]; i++) {
        choice->colour[i] = some && rng_below(r, 4) == 0 ? -1 : rng_below(r, colours);
        choice->key[i] = ordered ? 0 : rng_below(r, 1000);
    }
}

/* The ranks in c that have this colour, in order of their keys. */
static int pick(const struct choice *choice, const struct circle *c, int colour, int *ranks) {
    int count = 0;
    for (int i = 0; i < c->size[0]; i++) {
        if (choice->colour[i] != colour)
            continue;
        int at = count++;
        for (; at > 0 && choice->key[ranks[at - 1]] > choice->key[i]; at--)
            ranks[at] = ranks[at - 1];
        ranks[at] = i;
    }
    return count;
}

/* The circle of some ranks of another one. */
static struct circle part(const struct circle *c, const int *ranks, int count) {
    struct circle made = {.size = {count}};
    for (int i = 0; i < count; i++)
        made.member[0][i] = c->member[0][ranks[i]];
    return made;
}

static void make_dup(struct walk *w, const struct circle *c, struct rng *r) {
    MPI_Comm comm = MPI_COMM_NULL;
    bool later = !c->inter && rng_below(r, 3) == 0;
    if (c->side >= 0 && later) {
        MPI_Request request;
        MPI_Comm_idup(c->comm, &comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (c->side >= 0)
        MPI_Comm_dup(c->comm, &comm);
    add(w, c, later ? "idup" : "dup", comm);
}

/* Return true if the launcher tells that the ranks are on several nodes. */
static bool apart(void) {
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE"), *all = getenv("OMPI_COMM_WORLD_SIZE");
    return here && all && atoi(here) < atoi(all);
}

static void make_split(struct walk *w, const struct circle *c, struct rng *r) {
    int ranks[MAX_RANKS], colours = 1 + rng_below(r, 3), count;
    bool by_type = rng_below(r, 4) == 0 && !apart(); /* all on one machine */
    struct choice choice;
    MPI_Comm comm = MPI_COMM_NULL;
    if (colours > vacancies(w))
        return;
    choose(&choice, c, by_type ? 1 : colours, r);
    if (c->side >= 0) {
        int colour = choice.colour[c->rank], key = choice.key[c->rank];
        if (by_type)
            MPI_Comm_split_type(c->comm, colour < 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, key,
                                MPI_INFO_NULL, &comm);
        else
            MPI_Comm_split(c->comm, colour < 0 ? MPI_UNDEFINED : colour, key, &comm);
    }
    for (int colour = 0; colour < (by_type ? 1 : colours); colour++)
        if ((count = pick(&choice, c, colour, ranks)) > 0) {
            struct circle made = part(c, ranks, count);
            bool mine = c->side >= 0 && choice.colour[c->rank] == colour;
            add(w, &made, by_type ? "split_type" : "split", mine ? comm : MPI_COMM_NULL);
        }
}

/* Called by all of c, or only by those who will be members. */
static void make_create(struct walk *w, const struct circle *c, struct rng *r) {
    int ranks[MAX_RANKS];
    struct choice choice;
    bool by_group = rng_below(r, 2);
    choose(&choice, c, 2, r);
    int count = pick(&choice, c, 0, ranks);
    if (count == 0)
        return;
    struct circle made = part(c, ranks, count);
    MPI_Comm comm = MPI_COMM_NULL;
    bool member = c->side >= 0 && choice.colour[c->rank] == 0;
    if (c->side >= 0 && (member || !by_group)) {
        MPI_Group all, some;
        MPI_Comm_group(c->comm, &all);
        MPI_Group_incl(all, count, ranks, &some);
        if (by_group)
            MPI_Comm_create_group(c->comm, some, (int)(w->step & 1023), &comm);
        else
            MPI_Comm_create(c->comm, some, &comm);
        MPI_Group_free(&some);
        MPI_Group_free(&all);
    }
    add(w, &made, by_group ? "create_group" : "create", comm);
}

/* A grid, and its rows. */
static void make_cart(struct walk *w, const struct circle *c, struct rng *r) {
    int dims[2], ranks[MAX_RANKS];
    dims[0] = 1 + rng_below(r, c->size[0]);
    dims[1] = c->size[0] / dims[0];
    if (vacancies(w) < 1 + dims[0])
        return;
    int cells = dims[0] * dims[1];
    for (int i = 0; i < cells; i++)
        ranks[i] = i;
    struct circle grid = part(c, ranks, cells);
    MPI_Comm comm = MPI_COMM_NULL, row = MPI_COMM_NULL;
    if (c->side >= 0)
        MPI_Cart_create(c->comm, 2, dims, (int[]){1, 0}, 0, &comm);
    add(w, &grid, "cart_create", comm);
    if (rng_below(r, 2))
        return;
    if (comm != MPI_COMM_NULL)
        MPI_Cart_sub(comm, (int[]){0, 1}, &row);
    for (int i = 0; i < dims[0]; i++) {
        struct circle made = part(&grid, ranks + i * dims[1], dims[1]);
        bool mine = comm != MPI_COMM_NULL && c->rank / dims[1] == i;
        add(w, &made, "cart_sub", mine ? row : MPI_COMM_NULL);
    }
}

/* Make an intercommunicator between two halves of c, which also become communicators. */
static void make_inter(struct walk *w, const struct circle *c, struct rng *r) {
    int ranks[2][MAX_RANKS], count[2];
    struct choice choice;
    choose(&choice, c, 2, r);
    for (int side = 0; side < 2; side++)
        count[side] = pick(&choice, c, side, ranks[side]);
    if (count[0] == 0 || count[1] == 0 || vacancies(w) < 3)
        return;
    MPI_Comm half = MPI_COMM_NULL, comm = MPI_COMM_NULL;
    int colour = c->side >= 0 ? choice.colour[c->rank] : -1;
    if (c->side >= 0)
        MPI_Comm_split(c->comm, colour < 0 ? MPI_UNDEFINED : colour, choice.key[c->rank], &half);
    if (colour >= 0)
        MPI_Intercomm_create(half, 0, c->comm, ranks[!colour][0], (int)(w->step & 1023), &comm);
    struct circle made = {.inter = true, .size = {count[0], count[1]}};
    for (int side = 0; side < 2; side++) {
        struct circle group = part(c, ranks[side], count[side]);
        memcpy(made.member[side], group.member[0], sizeof group.member[0]);
        add(w, &group, "split", colour == side ? half : MPI_COMM_NULL);
    }
    add(w, &made, "intercomm_create", comm);
}

static void make_merge(struct walk *w, const struct circle *c, struct rng *r) {
    int first = rng_below(r, 2);
    MPI_Comm comm = MPI_COMM_NULL;
    if (c->side >= 0)
        MPI_Intercomm_merge(c->comm, c->side != first, &comm);
    struct circle made = {.size = {c->size[0] + c->size[1]}};
    for (int i = 0; i < made.size[0]; i++)
        made.member[0][i] = i < c->size[first] ? c->member[first][i] : c->member[!first][i - c->size[first]];
    add(w, &made, "intercomm_merge", comm);
}

static void drop(struct walk *w, int i) {
    struct circle *c = &w->circle[i];
    beside_complete(w, i);
    if (c->side >= 0)
        MPI_Comm_free(&c->comm);
    c->alive = false;
}

void comms_start(struct walk *w) {
    struct circle world = {.size = {w->n}};
    for (int i = 0; i < w->n; i++)
        world.member[0][i] = i;
    add(w, &world, "the first one", w->base);
}

/* Draw one of the living communicators. */
static int draw_circle(const struct walk *w, struct rng *r) {
    for (;;) {
        int i = rng_below(r, MAX_COMMS);
        if (w->circle[i].alive)
            return i;
    }
}

void comms_step(struct walk *w) {
    static void (*const make[])(struct walk *, const struct circle *,
                                struct rng *) = {make_dup, make_split, make_create, make_cart, make_inter};
    struct rng r = rng_step(w, 0, MEMBERS);
    int kind = rng_below(&r, 12), from = draw_circle(w, &r);
    const struct circle parent = w->circle[from];
    if (kind < 2 && vacancies(w) > 0) {
        if (parent.inter && rng_below(&r, 2))
            make_merge(w, &parent, &r);
        else if (parent.inter)
            make_dup(w, &parent, &r);
        else
            make[rng_below(&r, sizeof make / sizeof *make)](w, &parent, &r);
    } else if (kind == 2 && from > 0)
        drop(w, from);
}

void comms_stop(struct walk *w) {
    for (int i = 1; i < MAX_COMMS; i++)
        if (w->circle[i].alive)
            drop(w, i);
}
