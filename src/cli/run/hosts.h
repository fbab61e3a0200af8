/* unisono run on several machines: its options, and what they exclude. */

#ifndef UNO_CLI_HOSTS_H
#define UNO_CLI_HOSTS_H

#include <argp.h>

#include "job.h"

/* The arguments of --hosts, --hostfile, --ports, --connect-timeout and --heartbeat-timeout. Each ends with
 * a message if it is none. */
void hosts_list(struct job *job, const char *text, const struct argp_state *state);
void hosts_file(struct job *job, const char *path, const struct argp_state *state);
void hosts_ports(struct job *job, const char *text, const struct argp_state *state);
void hosts_patience(struct job *job, const char *text, const struct argp_state *state);
void hosts_silence(struct job *job, const char *text, const struct argp_state *state);

/* Return true if the job is to run on several machines. */
bool hosts_any(const struct job *job);

/* Return the number of PEs for which there are slots. */
long hosts_slots(const struct job *job);

/* Check the options of the whole command line, once the number of PEs is known. Ends with a message if they
 * do not fit together. */
void hosts_check(struct job *job, const struct argp_state *state);

/* Run the job to its end. Returns the exit status. command: the name under which messages come. */
int hosts_run(struct job *job, const char *command);

#endif
