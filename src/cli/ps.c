/* unisono ps: this user's jobs, and where their PEs are. */

#include <argp.h>
#include <stdlib.h>

#include "launch/exit.h"
#include "commands.h"
#include "jobs.h"
#include "common/options.h"
#include "common/print.h"

struct request {
    pid_t pid; /* of jobs_find */
    bool json;
};

static json_t *job_json(const struct found *found) {
    struct uno_place *place = uno_places(found->job, &found->mail, NULL);
    bool messages = uno_shown_any(found->job, &found->mail);
    json_t *list = json_array();
    for (int k = 0; place && k < uno_shown_pes(&found->mail); k++) {
        struct uno_shown_all all = {0};
        bool known = found->mail.base && (!messages || uno_shown_look(&found->mail, k, false, &all));
        json_array_append_new(list, jobs_place(found, k, &place[k], known ? &all : NULL));
    }
    free(place);
    return jobs_describe(found, list);
}

static int show_json(const struct jobs *jobs) {
    json_t *list = json_array();
    for (size_t i = 0; i < jobs->count; i++)
        json_array_append_new(list, job_json(&jobs->found[i]));
    return print_json(list, "unisono ps");
}

static int show(const struct jobs *jobs) {
    for (size_t i = 0; i < jobs->count; i++) {
        jobs_write_title(stdout, &jobs->found[i]);
        uno_report(stdout, jobs->found[i].job, &jobs->found[i].mail, NULL, false);
    }
    if (!jobs->count)
        printf("no jobs\n");
    return print_end("unisono ps");
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (request->pid)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s: name one process only", argument);
        request->pid = jobs_parse(argument, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_ps(int argc, char **argv) {
    static const struct argp_option options[] = {{"json", 'j', NULL, 0, "Write a JSON array", 0}, {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[PID]",
        .doc = "Show your running jobs and where their PEs are: all, or the one of the process PID.",
    };
    struct request request = {0};
    struct jobs jobs = {0};
    parse_options(&argp, argc, argv, 0, &request);
    int status = EXIT_FAILURE;
    if (jobs_find(&jobs, request.pid, "unisono ps"))
        status = request.json ? show_json(&jobs) : show(&jobs);
    jobs_free(&jobs);
    return status;
}
