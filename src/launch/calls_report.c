/* The recorded calls, for people and for programs. */

#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "text.h"

enum {
    SITES = 10,   /* places shown */
    RANKS = 16,   /* ranks shown one by one */
    WAITERS = 64, /* in the JSON, ranks that have waited at one place for another rank */
};

static double share(double a, double b) {
    return b > 0 ? a / b : 0;
}

/* The file and line alone, without the folders. */
static const char *short_place(const char *place) {
    const char *slash = strrchr(place, '/'), *blank = strrchr(place, ' ');
    return slash && (!blank || blank < slash) ? slash + 1 : place;
}

/* ---- what to look at --------------------------------------------------------------------------------- */

/* The waits for one rank at one of its sites, by all places that waited for it. */
struct group {
    const struct uno_call_blame *most; /* the longest of them */
    double ns, direct, outside;        /* direct: without those through other ranks, */
    double known;   /* and without those of other machines, which do not know where the rank was before */
    uint64_t count; /* of those */
};

struct group_key {
    const struct group *group;
    const struct uno_call_blame *blame;
};

static bool same_group(const void *argument, int number) {
    const struct group_key *key = argument;
    const struct uno_call_blame *most = key->group[number].most;
    return most->rank == key->blame->rank && most->other == key->blame->other;
}

/* Add a wait to its group, of so many. Returns how many groups there are then. */
static int add_to_group(struct group *group, int groups, struct uno_index *index,
                        const struct uno_call_blame *blame) {
    struct group_key key = {group, blame};
    uint64_t hash = uno_index_hash((uint64_t)blame->rank, (uint64_t)(uint32_t)blame->other);
    int i = uno_index_find(index, hash, same_group, &key);
    if (i < 0) {
        if (!uno_index_add(index, hash, groups))
            return groups;
        i = groups++;
        group[i].most = blame; /* they are in order, so the first one of a group is the longest */
    }
    group[i].ns += blame->ns;
    if (!blame->through) {
        group[i].direct += blame->ns;
        group[i].known += blame->known;
        group[i].outside += blame->outside;
        group[i].count += blame->count;
    }
    return groups;
}

/* Return the group with the longest waits; without `most` if nothing waited. */
static struct group longest(const struct uno_calls *calls) {
    struct group found = {0}, *group = calloc((size_t)calls->blames + 1, sizeof *group);
    struct uno_index index = {0};
    int groups = 0;
    for (int i = 0; group && i < calls->blames; i++)
        groups = add_to_group(group, groups, &index, &calls->blame[i]);
    for (int i = 0; i < groups; i++)
        if (group[i].ns > found.ns)
            found = group[i];
    uno_index_free(&index);
    free(group);
    return found;
}

static const char *member(const struct uno_calls *calls) {
    return calls->pes ? "PE" : "rank";
}

static void write_group(const struct uno_calls *calls, const struct group *group, char *text, size_t bytes) {
    static const char *const how[] = {[UNO_LATE_SENDER] = "sends late in",
                                      [UNO_LATE_RECEIVER] = "receives late in",
                                      [UNO_LATE_MEMBER] = "comes late to",
                                      [UNO_LATE_ROOT] = "comes late, as the root, to"};
    const struct uno_call_blame *most = group->most;
    const struct uno_call_site *site = &calls->site[most->site];
    const struct uno_call_site *other = most->other < 0 ? site : &calls->site[most->other];
    char all[UNO_DURATION], each[UNO_DURATION], who[UNO_MEMBER], elsewhere[256] = "", average[64] = "";
    if (site != other)
        snprintf(elsewhere, sizeof elsewhere, ", most of it in %s at %s", site->function,
                 short_place(site->place));
    if (group->count)
        snprintf(average, sizeof average, ", by %s on average",
                 uno_duration(group->direct / (double)group->count, each));
    snprintf(text, bytes,
             "%s %s %s %s at %s%s: the others wait %s for it%s%s, which is %.0f %% of all waiting%s",
             member(calls), uno_member(most->rank, uno_seats_host(uno_calls_seats(calls), most->rank), who),
             how[most->wait], other->function, short_place(other->place), average,
             uno_duration(group->ns, all), group->ns > group->direct ? ", directly or for one another" : "",
             elsewhere, 100 * share(group->ns, calls->waited),
             group->known <= 0                   ? ""
             : group->outside > group->known / 2 ? "; it spends the time in the program before that call"
                                                 : "; before that call it was in other calls");
}

void uno_calls_sentence(const struct uno_calls *calls, char *text, size_t bytes) {
    static const double LITTLE = 0.02; /* of the time of all ranks */
    struct group group = longest(calls);
    if (!group.most || share(calls->waited, calls->ran) < LITTLE)
        snprintf(text, bytes, "no %s waited long for another: %.1f %% of the time of all %ss", member(calls),
                 100 * share(calls->waited, calls->ran), member(calls));
    else
        write_group(calls, &group, text, bytes);
}

/* ---- for people -------------------------------------------------------------------------------------- */

/* Return the rank for which a place waited longest, and its share of the waiting; -1: it did not wait. */
static int longest_for(const struct uno_calls *calls, int site, double *part) {
    double *ns = calloc((size_t)calls->n, sizeof *ns), most = 0;
    int rank = -1;
    for (int i = 0; ns && i < calls->blames; i++) {
        const struct uno_call_blame *blame = &calls->blame[i];
        if (blame->site == site && (ns[blame->rank] += blame->ns) > most) {
            most = ns[blame->rank];
            rank = blame->rank;
        }
    }
    free(ns);
    *part = share(most, calls->site[site].all_waited);
    return rank;
}

static void write_sites(FILE *f, const struct uno_calls *calls) {
    char waited[UNO_DURATION], inside[UNO_DURATION];
    int shown = calls->sites < SITES ? calls->sites : SITES;
    fprintf(f, "\n  %9s %6s %10s %9s  %s\n", "waited", "share", "calls", "in them",
            "place; for whom it waited most");
    for (int i = 0; i < shown; i++) {
        const struct uno_call_site *site = &calls->site[i];
        double part;
        int rank = longest_for(calls, i, &part);
        fprintf(f, "  %9s %4.0f %% %10llu %9s  %s at %s", uno_duration(site->all_waited, waited),
                100 * share(site->all_waited, calls->waited), (unsigned long long)site->calls,
                uno_duration(site->ns, inside), site->function, short_place(site->place));
        if (rank >= 0)
            fprintf(f, "; %s %d, %.0f %%", member(calls), rank, 100 * part);
        if (site->unfinished)
            fprintf(f, "; %llu unfinished", (unsigned long long)site->unfinished);
        fputc('\n', f);
    }
    if (shown < calls->sites)
        fprintf(f, "  and %d more places\n", calls->sites - shown);
}

static void write_ranks(FILE *f, const struct uno_calls *calls) {
    char ran[UNO_DURATION], inside[UNO_DURATION], waited[UNO_DURATION], for_it[UNO_DURATION];
    const struct uno_seats *seats = uno_calls_seats(calls);
    char label[UNO_MEMBER];
    int width = uno_member_width(6, seats, calls->n);
    double most = 0;
    for (int k = 0; k < calls->n; k++)
        most = calls->rank[k].waited_for > most ? calls->rank[k].waited_for : most;
    fprintf(f, "\n  %-*s %9s %9s %9s %13s\n", width, member(calls), "ran for", "in calls", "waited",
            "others for it");
    int shown = 0;
    for (int k = 0; k < calls->n && shown < RANKS; k++) {
        const struct uno_call_rank *rank = &calls->rank[k];
        /* of many ranks those for which others waited */
        if (calls->n > RANKS && rank->waited_for < most / 100)
            continue;
        shown++;
        uno_member(k, uno_seats_host(seats, k), label);
        if (!rank->recorded) {
            fprintf(f, "  %-*s made no call that was recorded\n", width, label);
            continue;
        }
        fprintf(f, "  %-*s %9s %9s %9s %13s", width, label, uno_duration(rank->ran, ran),
                uno_duration(rank->inside, inside), uno_duration(rank->waited, waited),
                uno_duration(rank->waited_for, for_it));
        uno_bar(f, share(rank->waited_for, most));
        fputc('\n', f);
    }
    if (shown < calls->n)
        fprintf(f, "  and %d more\n", calls->n - shown);
}

void uno_calls_table(FILE *f, const char *teller, const struct uno_calls *calls) {
    char text[1024];
    if (teller)
        fprintf(f,
                "%s: %d %s%s, %llu calls%s; of the %ss' time %.0f %% was spent in them, %.0f %% waiting for "
                "others:\n",
                teller, calls->n, member(calls), calls->n == 1 ? "" : "s", (unsigned long long)calls->calls,
                calls->pes ? "" : " of MPI", member(calls), 100 * share(calls->inside, calls->ran),
                100 * share(calls->waited, calls->ran));
    write_sites(f, calls);
    if (teller)
        write_ranks(f, calls);
    uno_calls_sentence(calls, text, sizeof text);
    fprintf(f, "\n  %s\n", text);
}

/* ---- for programs ------------------------------------------------------------------------------------ */

static json_t *seconds(double ns) {
    return json_real(ns / 1e9);
}

static json_t *waits_json(const struct uno_call_site *site) {
    json_t *object = json_object();
    for (int w = 0; w < UNO_SEEN_WAITS; w++)
        if (site->waited[w] > 0)
            json_object_set_new(object, uno_calls_wait(w), seconds(site->waited[w]));
    return object;
}

static json_t *site_json(const struct uno_calls *calls, const struct uno_call_site *site) {
    json_t *ranks = json_array();
    for (int k = 0; k < calls->n; k++)
        if (site->rank[k].calls || site->rank[k].ns > 0)
            json_array_append_new(ranks, json_pack("{s:i, s:I, s:I, s:o, s:o}", "rank", k, "calls",
                                                   (json_int_t)site->rank[k].calls, "bytes",
                                                   (json_int_t)site->rank[k].bytes, "seconds",
                                                   seconds(site->rank[k].ns), "waited_seconds",
                                                   seconds(site->rank[k].waited)));
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "function", site->function,
                     "place", site->place, "calls", (json_int_t)site->calls, "unfinished",
                     (json_int_t)site->unfinished, "bytes", (json_int_t)site->bytes, "seconds",
                     seconds(site->ns), "longest_seconds", seconds(site->longest), "waited_seconds",
                     seconds(site->all_waited), "waits", waits_json(site), "rank", ranks);
}

static json_t *blame_json(const struct uno_call_blame *blame) {
    json_t *ranks = json_array();
    for (int i = 0; i < blame->waiters && i < WAITERS; i++)
        json_array_append_new(ranks, json_pack("{s:i, s:I, s:o}", "rank", blame->waiter[i].rank, "count",
                                               (json_int_t)blame->waiter[i].count, "seconds",
                                               seconds(blame->waiter[i].ns)));
    return json_pack("{s:i, s:s, s:i, s:b, s:o, s:I, s:o, s:o, s:i, s:o}", "site", blame->site, "wait",
                     uno_calls_wait(blame->wait), "for_rank", blame->rank, "through_others", blame->through,
                     "came_at_site", blame->other < 0 ? json_null() : json_integer(blame->other), "count",
                     (json_int_t)blame->count, "seconds", seconds(blame->ns), "outside_seconds",
                     seconds(blame->outside), "ranks", blame->waiters, "rank", ranks);
}

static json_t *rank_json(const struct uno_calls *calls, int k) {
    const struct uno_call_rank *rank = &calls->rank[k];
    const struct uno_seen_rank *own = uno_seen_rank(calls->memory, k);
    json_t *to = json_array();
    for (int m = 0; m < calls->n; m++)
        if (own->to[m].messages)
            json_array_append_new(to, json_pack("{s:i, s:I, s:I}", "rank", m, "messages",
                                                (json_int_t)own->to[m].messages, "bytes",
                                                (json_int_t)own->to[m].bytes));
    json_t *sizes = json_array();
    for (int i = 0; i < UNO_SEEN_SIZES; i++)
        if (own->messages[i])
            json_array_append_new(sizes,
                                  json_pack("{s:I, s:I}", "bytes_from", (json_int_t)(i ? 1LL << (i - 1) : 0),
                                            "messages", (json_int_t)own->messages[i]));
    double scale = calls->clock[k].scale, moment = (double)(UINT64_C(1) << (own->moment & 63)) * scale;
    int last = UNO_SEEN_MOMENTS - 1;
    while (last > 0 && !own->moment_inside[last])
        last--;
    json_t *inside = json_array(), *waited = json_array();
    for (int i = 0; i <= last; i++) {
        json_array_append_new(inside, seconds((double)own->moment_inside[i] * scale));
        json_array_append_new(waited, seconds((double)own->moment_waited[i] * scale));
    }
    return json_pack("{s:i, s:s?, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}}", "rank", k,
                     "node", uno_seats_host(uno_calls_seats(calls), k), "recorded", rank->recorded, "calls",
                     (json_int_t)rank->calls, "seconds", seconds(rank->ran), "inside_seconds",
                     seconds(rank->inside), "waited_seconds", seconds(rank->waited), "waited_for_seconds",
                     seconds(rank->waited_for), "to", to, "sizes", sizes, "moments", "seconds",
                     seconds(moment), "inside", inside, "waited", waited);
}

static json_t *comm_json(const struct uno_call_comm *comm) {
    return json_pack("{s:s, s:i, s:I, s:I, s:o, s:o}", "name", comm->name, "size", comm->size, "calls",
                     (json_int_t)comm->calls, "bytes", (json_int_t)comm->bytes, "seconds", seconds(comm->ns),
                     "waited_seconds", seconds(comm->waited));
}

json_t *uno_calls_json(const struct uno_calls *calls) {
    char text[1024];
    json_t *sites = json_array(), *blames = json_array(), *ranks = json_array(), *comms = json_array();
    for (int i = 0; i < calls->sites; i++)
        json_array_append_new(sites, site_json(calls, &calls->site[i]));
    for (int i = 0; i < calls->blames; i++)
        json_array_append_new(blames, blame_json(&calls->blame[i]));
    for (int k = 0; k < calls->n; k++)
        json_array_append_new(ranks, rank_json(calls, k));
    for (int i = 0; i < calls->comms; i++)
        json_array_append_new(comms, comm_json(&calls->comm[i]));
    uno_calls_sentence(calls, text, sizeof text);
    return json_pack("{s:s, s:i, s:I, s:o, s:o, s:o, s:s, s:o, s:o, s:{s:I, s:o}, s:o, s:o}", "member",
                     member(calls), "ranks", calls->n, "calls", (json_int_t)calls->calls, "seconds",
                     seconds(calls->ran), "inside_seconds", seconds(calls->inside), "waited_seconds",
                     seconds(calls->waited), "look_at", text, "sites", sites, "waits", blames, "other_waits",
                     "count", (json_int_t)calls->other_count, "seconds", seconds(calls->other_ns), "rank",
                     ranks, "communicators", comms);
}
