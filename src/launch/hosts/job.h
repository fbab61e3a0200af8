/* A job in frames: what the coordinator tells an agent before that starts its PEs. */

#ifndef UNO_HOSTS_JOB_H
#define UNO_HOSTS_JOB_H

#include "frames.h"
#include "launch/node.h"
#include "wishes.h"

/* Tell the agent of the node `here` the job. environment: that of the coordinator. */
void uno_job_tell(struct uno_link *link, const struct uno_launch *launch, const struct uno_hosts *hosts,
                  const struct uno_wishes *wishes, int here, char *const *environment);

/* The job that an agent has been told. */
struct uno_told {
    struct uno_launch launch; /* its parts have the settings of the command line as their environments */
    struct uno_node node;     /* the table of the nodes alone is filled in */
    int32_t *seat;
    char *folder;       /* in which the job starts */
    char **environment; /* the variables of the coordinator */
    bool whole;         /* that was all */
};

/* Take in one frame. Returns false if it does not belong here, or there is no memory. */
bool uno_job_hear(struct uno_told *told, const struct uno_frame *frame);

#endif
