/* The profile: how often which collective was called, with how much data of which type, by how many ranks,
 * and how long it took; and the same of messages. Rank 0 writes it as JSON, in MPI_Finalize:
 *
 *     {"format": 1, "unisono": "0.1.0", "build": "openmpi", "library": "Open MPI v5.0.11, ...",
 *      "program": "./a.out 7", "ranks": 6, "nodes": 1, "pretended_nodes": false, "fast_math": false,
 *      "off": null,                                   or why nothing was accelerated
 *      "check": null,                                 or {"compared": 812, "different": 0}
 *      "rank": [{"rank": 0, "node": 0, "seconds": 1.25, "inside": 0.31}, ...],
 *      "collectives": [{"name": "MPI_Allreduce", "type": "MPI_DOUBLE", "bytes": 8, "ranks": 6,
 *                       "operations": 100, "accelerated": 100, "calls": 600,
 *                       "seconds": 0.0123, "accelerated_seconds": 0.0123}, ...],
 *      "point_to_point": [{"name": "MPI_Send", "type": "MPI_DOUBLE", "bytes": 4096, "calls": 12,
 *                          "seconds": 0.001}, ...]}
 *
 * seconds of a rank: from MPI_Init's return to MPI_Finalize; inside: of those in collectives. operations and
 * accelerated are counted by the communicator's rank 0, so that a collective counts once; calls and seconds
 * are those of all ranks, and the seconds include waiting. type: a predefined type's name, "derived", or ""
 * for a barrier. bytes: the lower end of a bin, 0, 1, 2, 4, 8, ...; of what the plan goes by, in
 * Gatherv of what the rank itself sends. */

#include "accelerator/observe/profile.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/aside.h"
#include "engine/kernel.h"
#include "accelerator/host/node.h"
#include "accelerator/observe/check.h"
#include "accelerator/settings.h"
#include "collective/base.h"

enum { NAME = 32, TYPE = 40 };

/* One row of the file, of one rank or of all. */
struct row {
    char name[NAME], type[TYPE];
    int bin, ranks; /* ranks 0: a message */
    uint64_t operations, accelerated, calls, ns, accelerated_ns;
};

/* The figures of one rank. */
struct rank {
    int node; /* the rank in MPI_COMM_WORLD of its node's first rank */
    uint64_t ns, inside, compared, different;
};

/* The profile of this process, changed under the lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row *rows;
static size_t row_count, row_room;
static uint64_t began, inside;
static struct uno_aside profile; /* rank 0's file, and */
static FILE *file;               /* its stream */

/* ---- rows -------------------------------------------------------------------------------------------- */

static size_t hash(const struct row *key) {
    uint64_t h = (uint64_t)key->bin * 1021 + (uint64_t)key->ranks;
    for (const char *p = key->name; *p; p++)
        h = h * 31 + (unsigned char)*p;
    for (const char *p = key->type; *p; p++)
        h = h * 31 + (unsigned char)*p;
    return (size_t)(h ^ h >> 29);
}

static bool is_same(const struct row *a, const struct row *b) {
    return a->bin == b->bin && a->ranks == b->ranks && !strcmp(a->name, b->name) && !strcmp(a->type, b->type);
}

/* Return the row of this key, or the free place for it, which has no calls. */
static struct row *place(const struct row *key) {
    size_t i = hash(key) % row_room;
    while (rows[i].calls && !is_same(&rows[i], key))
        i = (i + 1) % row_room;
    return &rows[i];
}

static void add(const struct row *more) {
    if (row_count * 2 >= row_room) {
        struct row *old = rows;
        size_t count = row_room;
        row_room = row_room ? row_room * 2 : 256;
        rows = uno_base_allocate(row_room, sizeof *rows);
        for (size_t i = 0; i < count; i++)
            if (old[i].calls)
                *place(&old[i]) = old[i];
        free(old);
    }
    struct row *row = place(more);
    if (!row->calls) {
        *row = *more;
        row_count++;
        return;
    }
    row->operations += more->operations;
    row->accelerated += more->accelerated;
    row->calls += more->calls;
    row->ns += more->ns;
    row->accelerated_ns += more->accelerated_ns;
}

/* ---- calls ------------------------------------------------------------------------------------------- */

static bool is_predefined(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    return type != MPI_DATATYPE_NULL &&
           HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

static void name_type(MPI_Datatype type, char name[TYPE]) {
    char text[MPI_MAX_OBJECT_NAME];
    int length = 0;
    snprintf(name, TYPE, "derived");
    if (is_predefined(type) && HOST(Type_get_name)(type, text, &length) == MPI_SUCCESS)
        snprintf(name, TYPE, "%.*s", TYPE - 1, text);
}

static uint64_t bytes_of(MPI_Count count, MPI_Datatype type) {
    MPI_Count size = 0;
    if (count > 0 && type != MPI_DATATYPE_NULL)
        HOST(Type_size_x)(type, &size);
    return count > 0 && size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

/* Return the bin: 0 for no bytes, otherwise 1 + the exponent. */
static int bin_of(uint64_t bytes) {
    return bytes ? 64 - __builtin_clzll(bytes) : 0;
}

static MPI_Count sum_of(const struct uno_counts *counts, int n) {
    MPI_Count sum = 0;
    for (int r = 0; r < n; r++)
        sum += uno_count_of(counts, r);
    return sum;
}

static MPI_Count most_of(const struct uno_counts *counts, int n) {
    MPI_Count most = 0;
    for (int r = 0; r < n; r++)
        most = uno_count_of(counts, r) > most ? uno_count_of(counts, r) : most;
    return most;
}

/* Find the data that the rank sends, or the root in its stead; in place, those that it would send. Where
 * blocks have different sizes, it is the size by which the plan decides, as far as the rank knows it. */
static void sent(const struct uno_watched_call *call, int rank, int size, MPI_Count *count,
                 MPI_Datatype *type) {
    bool in_place = call->in == MPI_IN_PLACE;
    *count = in_place ? call->out_count : call->in_count;
    *type = in_place ? call->out_type : call->in_type;
    switch (call->code) {
    case UNO_MPI_BCAST:
        *count = call->out_count;
        *type = call->out_type;
        break;
    case UNO_MPI_SCATTER:
    case UNO_MPI_SCATTERV:
        if (rank != call->root) {
            *count = call->out_count;
            *type = call->out_type;
        } else if (call->code == UNO_MPI_SCATTERV) {
            *count = most_of(&call->in_counts, size);
        }
        break;
    case UNO_MPI_GATHERV:
        if (in_place)
            *count = uno_count_of(&call->out_counts, rank);
        break;
    case UNO_MPI_ALLTOALLV:
        *count = most_of(in_place ? &call->out_counts : &call->in_counts, size);
        break;
    case UNO_MPI_ALLGATHERV:
    case UNO_MPI_REDUCE_SCATTER:
        *count = sum_of(&call->out_counts, size);
        *type = call->out_type;
        break;
    default:
        break;
    }
}

void uno_profile_collective(const struct uno_watched_call *call, bool accelerated, uint64_t ns) {
    int rank, size, between;
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (call->comm == MPI_COMM_NULL)
        return;
    HOST(Comm_rank)(call->comm, &rank);
    HOST(Comm_size)(call->comm, &size);
    HOST(Comm_test_inter)(call->comm, &between);
    struct row row = {.ranks = size, .calls = 1, .ns = ns, .accelerated_ns = accelerated ? ns : 0};
    snprintf(row.name, sizeof row.name, "%s", call->name);
    row.operations = rank == 0;
    row.accelerated = rank == 0 && accelerated;
    if (call->code != UNO_MPI_BARRIER) {
        if (!between)
            sent(call, rank, size, &count, &type);
        name_type(type, row.type);
        row.bin = bin_of(bytes_of(count, type));
    }
    pthread_mutex_lock(&lock);
    inside += ns;
    add(&row);
    pthread_mutex_unlock(&lock);
}

void uno_profile_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns) {
    struct row row = {.calls = 1, .ns = ns, .bin = bin_of(bytes_of(count, type))};
    snprintf(row.name, sizeof row.name, "%s", name);
    name_type(type, row.type);
    pthread_mutex_lock(&lock);
    add(&row);
    pthread_mutex_unlock(&lock);
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static void write_text(const char *text) {
    putc('"', file);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(file, "\\%c", *p);
        /* bytes that are no ASCII, too, since nobody promises that they are UTF-8 */
        else if (*p < 0x20 || *p >= 0x7f)
            putc('?', file);
        else
            putc(*p, file);
    }
    putc('"', file);
}

static void write_program(void) {
    char text[4096];
    FILE *f = fopen("/proc/self/cmdline", "r");
    size_t length = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    for (size_t i = 0; i + 1 < length; i++)
        if (!text[i])
            text[i] = ' ';
    text[length] = 0;
    fprintf(file, ",\n \"program\": ");
    write_text(text);
}

static void write_library(void) {
    static char text[1 << 15]; /* longer than any library's limit */
    int length = 0;
    HOST(Get_library_version)(text, &length);
    text[strcspn(text, "\n")] = 0;
    char *end = text; /* single blanks */
    for (const char *c = text; *c; c++)
        if ((*c != ' ' && *c != '\t') || (c[1] != ' ' && c[1] != '\t'))
            *end++ = *c == '\t' ? ' ' : *c;
    *end = 0;
    fprintf(file, ",\n \"library\": ");
    write_text(text);
}

static void write_row(const struct row *row) {
    fprintf(file, "{\"name\": \"%s\", \"type\": ", row->name);
    write_text(row->type);
    fprintf(file, ", \"bytes\": %llu", row->bin ? 1ULL << (row->bin - 1) : 0);
    if (row->ranks)
        fprintf(file, ", \"ranks\": %d, \"operations\": %llu, \"accelerated\": %llu", row->ranks,
                (unsigned long long)row->operations, (unsigned long long)row->accelerated);
    fprintf(file, ", \"calls\": %llu, \"seconds\": %.9f", (unsigned long long)row->calls,
            (double)row->ns / 1e9);
    if (row->ranks)
        fprintf(file, ", \"accelerated_seconds\": %.9f", (double)row->accelerated_ns / 1e9);
    putc('}', file);
}

static void write_rows(const char *title, bool messages) {
    const char *comma = "";
    fprintf(file, ",\n \"%s\": [", title);
    for (size_t i = 0; i < row_room; i++) {
        if (!rows[i].calls || messages != !rows[i].ranks)
            continue;
        fprintf(file, "%s\n  ", comma);
        write_row(&rows[i]);
        comma = ",";
    }
    fprintf(file, "]");
}

static void write_ranks(const struct rank *ranks, int n) {
    int nodes = 0, *number = uno_base_allocate((size_t)n, sizeof *number);
    uint64_t compared = 0, different = 0;
    for (int r = 0; r < n; r++) {
        number[r] = ranks[r].node == r ? nodes++ : number[ranks[r].node];
        compared += ranks[r].compared;
        different += ranks[r].different;
    }
    fprintf(file, ",\n \"ranks\": %d, \"nodes\": %d, \"pretended_nodes\": %s, \"fast_math\": %s", n, nodes,
            uno_settings.nodes ? "true" : "false", uno_settings.fast_math ? "true" : "false");
    fprintf(file, ",\n \"off\": ");
    if (uno_node.on)
        fprintf(file, "null");
    else
        write_text(uno_node.why);
    fprintf(file, ",\n \"check\": ");
    if (uno_settings.check)
        fprintf(file, "{\"compared\": %llu, \"different\": %llu}", (unsigned long long)compared,
                (unsigned long long)different);
    else
        fprintf(file, "null");
    fprintf(file, ",\n \"rank\": [");
    for (int r = 0; r < n; r++)
        fprintf(file, "%s\n  {\"rank\": %d, \"node\": %d, \"seconds\": %.9f, \"inside\": %.9f}", r ? "," : "",
                r, number[r], (double)ranks[r].ns / 1e9, (double)ranks[r].inside / 1e9);
    fprintf(file, "]");
    free(number);
}

static void write_file(const struct rank *ranks, int n) {
    fprintf(file, "{\"format\": 1, \"unisono\": \"%s\", \"build\": \"%s\"", UNISONO_VERSION, UNO_MPI_BUILD);
    write_library();
    write_program();
    write_ranks(ranks, n);
    write_rows("collectives", false);
    write_rows("point_to_point", true);
    fprintf(file, "}\n");
    bool failed = ferror(file);
    failed |= fclose(file) != 0;
    int error = failed ? errno : -uno_aside_finish(&profile, false);
    if (failed)
        uno_aside_drop(&profile);
    if (error)
        uno_base_fail("cannot write the profile to %s: %s", uno_settings_profile_file(), strerror(error));
}

/* ---- start and end ----------------------------------------------------------------------------------- */

void uno_profile_start(void) {
    began = uno_kernel_now();
    if (!uno_settings.profile || uno_node.world_rank)
        return;
    const char *path = uno_settings_profile_file();
    int error = -uno_aside_open(&profile, path);
    file = error ? NULL : uno_aside_stream(&profile);
    if (!file)
        uno_base_fail("UNISONO_MPI_PROFILE: cannot write to %s: %s", path, strerror(error ? error : errno));
}

/* Add the rows of all ranks to rank 0's. */
static void gather_rows(int n) {
    int mine = 0, total = 0, *bytes = uno_base_allocate((size_t)n, sizeof *bytes);
    int *at = uno_base_allocate((size_t)n, sizeof *at);
    struct row *own = uno_base_allocate(row_count + 1, sizeof *own);
    for (size_t i = 0; i < row_room; i++)
        if (rows[i].calls)
            own[mine++] = rows[i];
    mine *= (int)sizeof *own;
    HOST(Gather)(&mine, 1, MPI_INT, bytes, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; r < n; r++) {
        at[r] = total;
        total += bytes[r];
    }
    struct row *all = uno_base_allocate((size_t)total + 1, 1);
    HOST(Gatherv)(own, mine, MPI_BYTE, all, bytes, at, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (uno_node.world_rank == 0)
        for (size_t i = (size_t)bytes[0] / sizeof *all; i < (size_t)total / sizeof *all; i++)
            add(&all[i]);
    free(bytes);
    free(at);
    free(own);
    free(all);
}

void uno_profile_end(void) {
    if (!uno_settings.profile)
        return;
    int n = uno_node.world_size;
    struct rank own = {.node = uno_node.first, .ns = uno_kernel_now() - began, .inside = inside};
    uno_check_counts(&own.compared, &own.different);
    struct rank *ranks = uno_base_allocate((size_t)n, sizeof *ranks);
    HOST(Gather)(&own, sizeof own, MPI_BYTE, ranks, sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    gather_rows(n);
    if (uno_node.world_rank == 0)
        write_file(ranks, n);
    free(ranks);
    free(rows);
    rows = NULL;
    row_count = row_room = 0;
}
