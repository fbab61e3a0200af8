/* The beginning of a process that the launcher starts beside the PEs, and hands the memory of the job. */

#ifndef UNO_HARDWARE_MAP_H
#define UNO_HARDWARE_MAP_H

#include "engine/job.h"

/* Let this process end with the launcher, and only with it. */
void uno_hardware_begin(void);

/* Return the memory of the job whose descriptor the command line has. Ends the process with a message if
 * there is none, or none with ports. */
struct uno_job *uno_hardware_map(int argc, char **argv);

#endif
