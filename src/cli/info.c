/* unisono info: the machine as the library sees it. What is found out is put into one JSON object, and the
 * text for people is a table of what to show of it. */

#define _GNU_SOURCE
#include <hwloc.h>
#include <jansson.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "launch/exit.h"
#include "commands.h"
#include "engine/job.h"
#include "engine/kernel.h"
#include "engine/processors.h"
#include "common/options.h"
#include "common/print.h"
#include "unit/unit.h"

/* ---- finding out -------------------------------------------------------------------------------------- */

static json_t *processors(void) {
    cpu_set_t set;
    double quota = uno_processor_quota();
    int affinity = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return json_pack("{s:i, s:i, s:o, s:i}", "machine", (int)sysconf(_SC_NPROCESSORS_ONLN), "affinity",
                     affinity, "quota", quota > 0 ? json_real(quota) : json_null(), "used", uno_processors());
}

/* The caches for data: one entry for each level. */
static json_t *caches(hwloc_topology_t topology) {
    json_t *list = json_array();
    for (int type = HWLOC_OBJ_L1CACHE; type <= HWLOC_OBJ_L5CACHE; type++) {
        hwloc_obj_t cache = hwloc_get_next_obj_by_type(topology, (hwloc_obj_type_t)type, NULL);
        if (cache)
            json_array_append_new(
                list, json_pack("{s:i, s:I, s:i, s:i, s:i}", "level", (int)cache->attr->cache.depth, "bytes",
                                (json_int_t)cache->attr->cache.size, "line", (int)cache->attr->cache.linesize,
                                "count", hwloc_get_nbobjs_by_type(topology, (hwloc_obj_type_t)type),
                                "processors", hwloc_bitmap_weight(cache->cpuset)));
    }
    return list;
}

static json_t *machine(void) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology))
        return json_null();
    if (hwloc_topology_load(topology)) {
        hwloc_topology_destroy(topology);
        return json_null();
    }
    hwloc_obj_t package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, NULL);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    struct utsname name;
    uname(&name);
    json_t *result = json_pack(
        "{s:s, s:s, s:i, s:i, s:i, s:i, s:I, s:o}", "model", model ? model : "unknown", "architecture",
        name.machine, "packages", hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE), "cores",
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), "threads",
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), "numa_nodes",
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE), "memory",
        (json_int_t)hwloc_get_root_obj(topology)->total_memory, "caches", caches(topology));
    hwloc_topology_destroy(topology);
    return result;
}

static json_t *waiting(int n) {
    return json_pack("{s:i, s:o}", "pes", n, "policy",
                     n <= uno_processors() ? json_pack("[s, s, s]", "spin", "yield", "sleep")
                                           : json_pack("[s, s]", "yield", "sleep"));
}

static json_t *library(int n) {
    const struct uno_unit_row *unit = uno_unit_first(UNO_START_run);
    return json_pack("{s:s, s:s, s:i, s:i, s:I, s:o}", "version", UNISONO_VERSION, "unit", unit->name,
                     "max_pes", unit->most, "line", (int)sizeof(struct uno_slot), "job_bytes",
                     (json_int_t)uno_job_size(n, 0), "waiting", waiting(n));
}

static json_t *kernel(void) {
    struct utsname name;
    uname(&name);
    long barriers = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    int fd = uno_kernel_memory("unisono");
    json_t *result =
        json_pack("{s:s, s:b, s:b}", "release", name.release, "membarrier",
                  barriers > 0 && (barriers & MEMBARRIER_CMD_GLOBAL_EXPEDITED), "memfd", fd >= 0);
    if (fd >= 0)
        close(fd);
    return result;
}

/* ---- showing ------------------------------------------------------------------------------------------ */

/* "32 KiB" */
static void show_bytes(json_int_t bytes) {
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = (double)bytes;
    size_t i = 0;
    for (; value >= 1024 && i + 1 < sizeof unit / sizeof *unit; i++)
        value /= 1024;
    printf("%.4g %s", value, unit[i]);
}

static void show_cache(const json_t *cache) {
    printf("L%" JSON_INTEGER_FORMAT " ", json_integer_value(json_object_get(cache, "level")));
    show_bytes(json_integer_value(json_object_get(cache, "bytes")));
    json_int_t sharing = json_integer_value(json_object_get(cache, "processors"));
    if (sharing > 1)
        printf(" for %" JSON_INTEGER_FORMAT " processors", sharing);
    else
        printf(" for each processor");
    printf(", lines of %" JSON_INTEGER_FORMAT " bytes", json_integer_value(json_object_get(cache, "line")));
}

static void show_waiting(const json_t *waiting) {
    size_t i;
    json_t *step;
    json_array_foreach(json_object_get(waiting, "policy"), i, step)
        printf("%s%s", i ? ", then " : "", json_string_value(step));
    printf(" (%" JSON_INTEGER_FORMAT " PEs)", json_integer_value(json_object_get(waiting, "pes")));
}

static void show_size(const json_t *bytes) {
    show_bytes(json_integer_value(bytes));
}

static void show_plain(const json_t *value) {
    if (json_is_string(value))
        fputs(json_string_value(value), stdout);
    else if (json_is_boolean(value))
        fputs(json_is_true(value) ? "yes" : "no", stdout);
    else if (json_is_null(value))
        fputs("none", stdout);
    else
        printf("%g", json_number_value(value));
}

static const struct row {
    const char *section, *key, *label;
    void (*show)(const json_t *value); /* an array is shown item by item */
} rows[] = {
    {"processors", "machine", "of the machine", show_plain},
    {"processors", "affinity", "this process may use", show_plain},
    {"processors", "quota", "quota of its control group", show_plain},
    {"processors", "used", "so a job uses", show_plain},
    {"machine", "model", "model", show_plain},
    {"machine", "architecture", "architecture", show_plain},
    {"machine", "packages", "packages", show_plain},
    {"machine", "cores", "cores", show_plain},
    {"machine", "threads", "hardware threads", show_plain},
    {"machine", "numa_nodes", "NUMA nodes", show_plain},
    {"machine", "memory", "memory", show_size},
    {"machine", "caches", "cache", show_cache},
    {"library", "version", "version", show_plain},
    {"library", "unit", "unit", show_plain},
    {"library", "max_pes", "PEs at most", show_plain},
    {"library", "line", "bytes of a post", show_plain},
    {"library", "job_bytes", "shared memory of the job", show_size},
    {"library", "waiting", "a PE waits by", show_waiting},
    {"kernel", "release", "release", show_plain},
    {"kernel", "membarrier", "membarrier", show_plain},
    {"kernel", "memfd", "memfd", show_plain},
};

static void show_row(const struct row *row, const json_t *value) {
    printf("  %-28s", row->label);
    row->show(value);
    putchar('\n');
}

static void show(const json_t *info) {
    const char *section = "";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const json_t *value = json_object_get(json_object_get(info, rows[i].section), rows[i].key);
        if (!value)
            continue;
        if (strcmp(section, rows[i].section) != 0)
            printf("%s\n", section = rows[i].section);
        if (!json_is_array(value)) {
            show_row(&rows[i], value);
            continue;
        }
        for (size_t item = 0; item < json_array_size(value); item++)
            show_row(&rows[i], json_array_get(value, item));
    }
}

/* ---- the command -------------------------------------------------------------------------------------- */

struct request {
    int n;
    bool json;
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    switch (key) {
    case 'n':
        request->n = parse_pes(argument, state);
        return 0;
    default:
        return parse_json(key, argument, state, &request->json);
    }
}

int command_info(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"pes", 'n', "N", 0, "Show how a PE waits in a job of N PEs (default: the number of processors)", 0},
        {"json", 'j', NULL, 0, "Write a JSON object", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options, .parser = parse, .doc = "Show the machine as the library sees it."};
    struct request request = {.n = uno_processors()};
    parse_options(&argp, argc, argv, 0, &request);
    json_t *info = json_pack("{s:o, s:o, s:o, s:o}", "processors", processors(), "machine", machine(),
                             "library", library(request.n), "kernel", kernel());
    if (request.json || !info)
        return print_json(info, "unisono info");
    show(info);
    json_decref(info);
    return print_end("unisono info");
}
