#define _GNU_SOURCE
#include "job.h"
#include "launch/records.h"
#include "unit/unit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the coordinator's side -------------------------------------------------------------------------- */

static void tell_list(struct uno_link *link, enum uno_frame_type type, char *const *list) {
    for (; *list; list++)
        uno_link_put(link, type, *list);
}

void uno_job_tell(struct uno_link *link, const struct uno_launch *launch, const struct uno_hosts *hosts,
                  const struct uno_wishes *wishes, int here, char *const *environment) {
    char folder[PATH_MAX] = "";
    if (!getcwd(folder, sizeof folder))
        *folder = 0;
    int observe = uno_records_wanted(launch);
    int flags = (launch->bind ? UNO_JOB_BIND : 0) | (launch->show_bindings ? UNO_JOB_SHOW_BINDINGS : 0) |
                (observe & UNO_STATS ? UNO_JOB_STATS : 0) | (observe & UNO_TRACE ? UNO_JOB_TRACE : 0);
    uno_link_put(link, UNO_FRAME_JOB, launch->n, here, flags, wishes->first_port, wishes->last_port,
                 wishes->interface ? wishes->interface : "", folder, launch->unit->name);
    for (int i = 0; i < hosts->count; i++)
        uno_link_put(link, UNO_FRAME_NODE, hosts->name[i]);
    uno_link_put(link, UNO_FRAME_SEATS, (const void *)hosts->seat, (size_t)launch->n * sizeof *hosts->seat);
    tell_list(link, UNO_FRAME_VARIABLE, environment);
    for (int i = 0; i < launch->parts; i++) {
        const struct uno_part *part = &launch->part[i];
        uno_link_put(link, UNO_FRAME_PART, part->n, part->folder ? part->folder : "");
        tell_list(link, UNO_FRAME_WORD, part->argv);
        tell_list(link, UNO_FRAME_SETTING, part->environment);
    }
    uno_link_put(link, UNO_FRAME_START);
}

/* ---- the agent's side -------------------------------------------------------------------------------- */

/* Add a copy of the text to a list that NULL ends. */
static bool add(char ***list, const char *text) {
    size_t count = 0;
    while (*list && (*list)[count])
        count++;
    char **longer = realloc(*list, (count + 2) * sizeof **list);
    if (!longer)
        return false;
    *list = longer;
    longer[count + 1] = NULL;
    return (longer[count] = strdup(text));
}

static bool hear_job(struct uno_told *told, const struct uno_frame *frame) {
    struct uno_launch *launch = &told->launch;
    struct uno_node *node = &told->node;
    const char *interface, *folder, *unit;
    int32_t flags;
    if (!uno_frame_get(frame, &launch->n, &node->here, &flags, &node->first_port, &node->last_port,
                       &interface, &folder, &unit) ||
        launch->n < 1 || launch->n > UNO_MAX_PES)
        return false;
    launch->bind = flags & UNO_JOB_BIND;
    launch->show_bindings = flags & UNO_JOB_SHOW_BINDINGS;
    node->observe = (flags & UNO_JOB_STATS ? UNO_STATS : 0) | (flags & UNO_JOB_TRACE ? UNO_TRACE : 0);
    node->interface = strdup(interface);
    told->folder = strdup(folder);
    launch->unit = uno_unit_named(unit);
    node->name = calloc(UNO_NODES_MOST, sizeof *node->name);
    told->seat = calloc((size_t)launch->n, sizeof *told->seat);
    node->seat = told->seat;
    return launch->unit && node->interface && told->folder && node->name && told->seat;
}

static bool hear_node(struct uno_told *told, const struct uno_frame *frame) {
    const char *name;
    if (!uno_frame_get(frame, &name) || !told->node.name || told->node.count == UNO_NODES_MOST ||
        strlen(name) >= UNO_HOST_NAME)
        return false;
    strcpy(told->node.name[told->node.count++], name);
    return true;
}

static bool hear_seats(struct uno_told *told, const struct uno_frame *frame) {
    const char *data;
    size_t bytes;
    if (!uno_frame_get(frame, &data, &bytes) || !told->seat ||
        bytes != (size_t)told->launch.n * sizeof *told->seat)
        return false;
    memcpy(told->seat, data, bytes);
    for (int k = 0; k < told->launch.n; k++)
        if (told->seat[k] < 0 || told->seat[k] >= told->node.count)
            return false;
    return true;
}

static bool hear_variable(struct uno_told *told, const struct uno_frame *frame) {
    const char *text;
    return uno_frame_get(frame, &text) && add(&told->environment, text);
}

static bool hear_part(struct uno_told *told, const struct uno_frame *frame) {
    struct uno_launch *launch = &told->launch;
    const char *folder;
    struct uno_part part = {.argv = NULL};
    if (!uno_frame_get(frame, &part.n, &folder) || part.n < 1)
        return false;
    launch->part = realloc(launch->part, ((size_t)launch->parts + 1) * sizeof *launch->part);
    part.folder = *folder ? strdup(folder) : NULL;
    part.environment = calloc(1, sizeof *part.environment);
    if (!launch->part || !part.environment || (*folder && !part.folder))
        return false;
    launch->part[launch->parts++] = part;
    return true;
}

static bool hear_word(struct uno_told *told, const struct uno_frame *frame) {
    struct uno_launch *launch = &told->launch;
    const char *text;
    return uno_frame_get(frame, &text) && launch->parts && add(&launch->part[launch->parts - 1].argv, text);
}

static bool hear_setting(struct uno_told *told, const struct uno_frame *frame) {
    struct uno_launch *launch = &told->launch;
    const char *text;
    return uno_frame_get(frame, &text) && launch->parts &&
           add(&launch->part[launch->parts - 1].environment, text);
}

static bool hear_start(struct uno_told *told, const struct uno_frame *frame) {
    const struct uno_launch *launch = &told->launch;
    int n = 0;
    for (int i = 0; i < launch->parts; i++)
        n += launch->part[i].argv ? launch->part[i].n : UNO_MAX_PES + 1;
    told->whole =
        n == launch->n && told->node.here >= 0 && told->node.here < told->node.count && told->environment;
    return uno_frame_get(frame) && told->whole;
}

static bool (*const hear[UNO_FRAME_TYPES])(struct uno_told *told, const struct uno_frame *frame) = {
    [UNO_FRAME_JOB] = hear_job,           [UNO_FRAME_NODE] = hear_node,   [UNO_FRAME_SEATS] = hear_seats,
    [UNO_FRAME_VARIABLE] = hear_variable, [UNO_FRAME_PART] = hear_part,   [UNO_FRAME_WORD] = hear_word,
    [UNO_FRAME_SETTING] = hear_setting,   [UNO_FRAME_START] = hear_start,
};

bool uno_job_hear(struct uno_told *told, const struct uno_frame *frame) {
    return hear[frame->type] && hear[frame->type](told, frame);
}
