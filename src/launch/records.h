/* The files of --stats and --trace: opened before a job begins, so that what cannot be written is told at
 * once, and written after its end. Until they are whole there are none by their names, and those of before
 * stay. */

#ifndef UNO_RECORDS_H
#define UNO_RECORDS_H

#include "watch.h"

/* What the PEs are to record: flags of enum uno_observe. */
int uno_records_wanted(const struct uno_launch *launch);

/* Whether the files could be opened; if not, after a message. */
bool uno_records_open(struct uno_run *run);

/* Whether all could be written, likewise. A signal to end the launcher ends this too. */
bool uno_records_write(struct uno_run *run);

/* Drop what was opened, and is not written. */
void uno_records_drop(struct uno_run *run);

/* The launcher was killed, and may have left something of them beside their names. */
void uno_records_sweep(const struct uno_launch *launch, pid_t launcher);

#endif
