#include "bind.h"

#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "node.h"

/* Append the i-th processor of each core that has so many. */
static int append(hwloc_topology_t topology, hwloc_const_cpuset_t available, unsigned i, int *order) {
    int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), count = 0;
    /* where hwloc sees no cores, each processor is one */
    hwloc_obj_type_t type = cores > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
    for (hwloc_obj_t core = NULL; (core = hwloc_get_next_obj_by_type(topology, type, core));) {
        hwloc_bitmap_t mine = hwloc_bitmap_dup(core->cpuset);
        hwloc_bitmap_and(mine, mine, available);
        int processor = hwloc_bitmap_first(mine);
        for (unsigned skip = i; skip && processor >= 0; skip--)
            processor = hwloc_bitmap_next(mine, processor);
        if (processor >= 0)
            order[count++] = processor;
        hwloc_bitmap_free(mine);
    }
    return count;
}

int uno_bind_order(int **order) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology))
        return -errno;
    if (hwloc_topology_load(topology)) {
        hwloc_topology_destroy(topology);
        return -ENOSYS;
    }
    hwloc_bitmap_t available = hwloc_bitmap_alloc();
    if (hwloc_get_cpubind(topology, available, HWLOC_CPUBIND_PROCESS))
        hwloc_bitmap_copy(available, hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_and(available, available, hwloc_topology_get_topology_cpuset(topology));
    int all = hwloc_bitmap_weight(available), count = 0, more = 1;
    *order = calloc(all > 0 ? (size_t)all : 1, sizeof **order);
    for (unsigned i = 0; *order && more > 0 && count < all; i++)
        count += more = append(topology, available, i, *order + count);
    hwloc_bitmap_free(available);
    hwloc_topology_destroy(topology);
    if (!*order)
        return -ENOMEM;
    if (!count)
        free(*order);
    return count ? count : -ENODEV;
}

void uno_bind_show(const int *order, int count, const struct uno_launch *launch) {
    hwloc_bitmap_t available = hwloc_bitmap_alloc();
    hwloc_topology_t topology;
    char list[512] = "unknown";
    if (!order && hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0 &&
            hwloc_get_cpubind(topology, available, HWLOC_CPUBIND_PROCESS) == 0)
            hwloc_bitmap_list_snprintf(list, sizeof list, available);
        hwloc_topology_destroy(topology);
    }
    hwloc_bitmap_free(available);
    for (int k = 0; k < launch->n; k++)
        if (uno_node_has(launch, k) && order)
            fprintf(stderr, "unisono run: PE %d is bound to processor %d\n", k,
                    order[uno_node_before(launch, k) % count]);
        else if (uno_node_has(launch, k))
            fprintf(stderr, "unisono run: PE %d may run on any of the processors %s\n", k, list);
}
