#include "hosts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/here.h"
#include "launch/exit.h"
#include "launch/hosts/slurm.h"
#include "parts.h"
#include "unit/unit.h"

static struct uno_hosts *hosts_of(struct job *job, const struct argp_state *state) {
    if (!job->hosts)
        job->hosts = calloc(1, sizeof *job->hosts);
    if (!job->hosts)
        argp_failure(state, EXIT_FAILURE, 0, "no memory for the list of hosts");
    return job->hosts;
}

void hosts_list(struct job *job, const char *text, const struct argp_state *state) {
    char error[UNO_LIST_ERROR];
    struct uno_hosts *hosts = hosts_of(job, state);
    if (strcmp(text, "slurm") == 0 ? !uno_slurm_add(hosts, error) : !uno_hosts_list(hosts, text, error))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--hosts %s: %s", text, error);
}

void hosts_file(struct job *job, const char *path, const struct argp_state *state) {
    char error[UNO_LIST_ERROR];
    if (!uno_hosts_file(hosts_of(job, state), path, error))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--hostfile %s: %s", path, error);
}

void hosts_ports(struct job *job, const char *text, const struct argp_state *state) {
    char *end;
    long first = strtol(text, &end, 10), last = *end == '-' ? strtol(end + 1, &end, 10) : 0;
    if (*end || first < 1 || last < first || last > 65535)
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--ports %s: two numbers from 1 to 65535 are wanted, as in 5000-5999", text);
    job->far.wishes.first_port = (int)first;
    job->far.wishes.last_port = (int)last;
}

/* Return the number of seconds, or -1: the text is none, up to a million. */
static double seconds(const char *text) {
    char *end;
    double number = strtod(text, &end);
    return end == text || *end || !(number >= 0 && number <= 1e6) ? -1 : number;
}

void hosts_patience(struct job *job, const char *text, const struct argp_state *state) {
    job->far.patience = seconds(text);
    if (!(job->far.patience > 0))
        argp_failure(state, UNO_EXIT_USAGE, 0, "--connect-timeout %s: not a number of seconds greater than 0",
                     text);
}

void hosts_silence(struct job *job, const char *text, const struct argp_state *state) {
    double given = seconds(text);
    if (given < 0 || (given > 0 && given < 1))
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "--heartbeat-timeout %s: a number of seconds is wanted, 1 or more, or 0 for no end",
                     text);
    job->far.silence = (uint64_t)(given * 1e9);
    job->silence_given = true;
}

bool hosts_any(const struct job *job) {
    return job->hosts;
}

long hosts_slots(const struct job *job) {
    return job->hosts ? job->hosts->slots : 0;
}

void hosts_check(struct job *job, const struct argp_state *state) {
    const struct uno_launch *launch = &job->launch;
    struct uno_hosts *hosts = job->hosts;
    const struct {
        const char *name;
        bool given;
    } no[] = {{"--debug", job->debug},
              {"--gang", launch->gang},
              {"--unit", launch->unit->start != UNO_START_run && launch->unit->process}},
      only[] = {{"--rsh", job->far.rsh},
                {"--interface", job->far.wishes.interface},
                {"--ports", job->far.wishes.first_port},
                {"--connect-timeout", job->far.patience > 0},
                {"--heartbeat-timeout", job->silence_given}};
    for (size_t i = 0; !hosts && i < sizeof only / sizeof *only; i++)
        if (only[i].given)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s is for a job on several machines; add --hosts",
                         only[i].name);
    if (!hosts)
        return;
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (no[i].given)
            argp_failure(state, UNO_EXIT_USAGE, 0,
                         "%s is not available in a job on several machines; leave it out", no[i].name);
    if (launch->n > hosts->slots)
        argp_failure(state, UNO_EXIT_USAGE, 0,
                     "the programs have %d PEs, and the hosts %ld slots; name more, as in "
                     "--hosts %s:%d",
                     launch->n, hosts->slots, hosts->name[0], launch->n);
    if (launch->unit->start == UNO_START_run)
        job->launch.unit = uno_unit_first(UNO_START_hosts);
    hosts->count = 0; /* those that have no PE take no part */
    for (int k = 0; k < launch->n; k++)
        if (hosts->seat[k] >= hosts->count)
            hosts->count = hosts->seat[k] + 1;
}

int hosts_run(struct job *job, const char *command) {
    static char self[PATH_MAX];
    if (job_nested(job, command))
        return UNO_EXIT_USAGE;
    here_self(self, sizeof self);
    uno_slurm_mark(job->hosts);
    job->far.launch = &job->launch;
    job->far.hosts = job->hosts;
    job->far.self = self;
    if (!(job->far.patience > 0))
        job->far.patience = 10;
    if (!job->silence_given)
        job->far.silence = UINT64_C(10000000000);
    if (!job_page(job))
        return UNO_EXIT_USAGE;
    int status = uno_coordinate(&job->far);
    free(job->hosts);
    parts_free(&job->launch);
    return status;
}
