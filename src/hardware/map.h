/* The memory of the job, which a process of the launcher's beside the PEs is handed. */

#ifndef UNO_HARDWARE_MAP_H
#define UNO_HARDWARE_MAP_H

#include "engine/job.h"

/* Return the memory of the job whose descriptor the command line has. Ends the process with a message if
 * there is none, or none with ports. */
struct uno_job *uno_hardware_map(int argc, char **argv);

#endif
