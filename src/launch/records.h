/* The files of --stats and --trace. They are opened before a job begins, so that an error is reported at
 * once, and written after its end. Until they are complete there are no files of these names, and earlier
 * ones stay. */

#ifndef UNO_RECORDS_H
#define UNO_RECORDS_H

#include "watch.h"

/* Return what the PEs have to record: flags of enum uno_observe. */
int uno_records_wanted(const struct uno_launch *launch);

/* Open the files. Return true if all could be opened; otherwise after a message. */
bool uno_records_open(struct uno_run *run);

/* Write the files. Return true if all could be written; otherwise after a message. A signal that ends the
 * launcher ends this too. */
bool uno_records_write(struct uno_run *run);

/* Drop files that were opened and are not written. */
void uno_records_drop(struct uno_run *run);

/* Remove the temporary files of a launcher that was killed. */
void uno_records_sweep(const struct uno_launch *launch, pid_t launcher);

#endif
