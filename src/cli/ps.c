/* unisono ps: this user's jobs, and where their PEs are. */

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "launch/exit.h"
#include "launch/report.h"
#include "commands.h"
#include "common/jobs.h"
#include "requests.h"
#include "common/options.h"
#include "common/print.h"

struct request {
    pid_t pid; /* of jobs_find */
    bool json, whole;
};

static json_t *job_json(const struct found *found) {
    struct uno_place *place = uno_places(found->job, &found->mail, NULL);
    bool messages = uno_shown_any(found->job, &found->mail);
    json_t *list = json_array();
    struct requests requests = {0};
    if (place)
        requests_open(&requests, found, place);
    for (int k = 0; place && k < uno_shown_pes(&found->mail); k++) {
        struct uno_shown_all all = {0};
        bool known = found->mail.base && (!messages || uno_shown_look(&found->mail, k, false, &all));
        json_t *pe = jobs_place(found, k, &place[k], known ? &all : NULL);
        json_object_set_new(pe, "requests", requests_json(&requests, k));
        json_array_append_new(list, pe);
    }
    requests_close(&requests);
    free(place);
    return jobs_describe(found, list);
}

static int show_json(const struct jobs *jobs) {
    json_t *list = json_array();
    for (size_t i = 0; i < jobs->count; i++)
        json_array_append_new(list, job_json(&jobs->found[i]));
    return print_json(list, "unisono ps");
}

/* "  3 waiting, 1 running": what the PEs do, in the order in which that first comes. */
static void show_states(const struct found *found) {
    struct uno_place *place = uno_places(found->job, &found->mail, NULL);
    int n = place ? uno_shown_pes(&found->mail) : 0;
    for (int k = 0; k < n; k++) {
        int count = 0, first = 0;
        while (strcmp(place[first].state, place[k].state) != 0)
            first++;
        for (int m = k; first == k && m < n; m++)
            count += strcmp(place[m].state, place[k].state) == 0;
        if (count)
            printf("%s%d %s", k ? ", " : "  ", count, place[k].state);
    }
    printf("\n");
    free(place);
}

static int show(const struct jobs *jobs, bool whole) {
    for (size_t i = 0; i < jobs->count; i++) {
        jobs_write_title(stdout, &jobs->found[i]);
        if (whole)
            uno_report(stdout, jobs->found[i].job, &jobs->found[i].mail, NULL, false, NULL);
        else
            show_states(&jobs->found[i]);
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
    case 'l':
        request->whole = true;
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
    static const struct argp_option options[] = {
        {"long", 'l', NULL, 0, "Show where each PE is, as for a job that is named", 0},
        {"json", 'j', NULL, 0, "Write a JSON array", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[PID]",
        .doc =
            "Show your running jobs and how many of their PEs wait; or where each PE is, of the job of the "
            "process PID.",
    };
    struct request request = {0};
    struct jobs jobs = {0};
    parse_options(&argp, argc, argv, 0, &request);
    int status = EXIT_FAILURE;
    if (jobs_find(&jobs, request.pid, "unisono ps"))
        status = request.json ? show_json(&jobs) : show(&jobs, request.whole || request.pid);
    jobs_free(&jobs);
    return status;
}
