/* The control groups that this process is in. */

#ifndef UNO_CGROUP_H
#define UNO_CGROUP_H

/* Call look(folder, to) with the folder of every group that limits this process by the controller ("cpu",
 * "memory"), of either version, and of every group above it, whose limits hold too. */
void uno_cgroup_each(const char *controller, void (*look)(const char *folder, void *to), void *to);

#endif
