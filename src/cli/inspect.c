/* unisono inspect: the messages of one PE, one by one. */

#include <argp.h>
#include <errno.h>
#include <stdlib.h>

#include "launch/exit.h"
#include "launch/report.h"
#include "launch/request_lines.h"
#include "commands.h"
#include "common/jobs.h"
#include "requests.h"
#include "common/options.h"
#include "common/print.h"

struct request {
    pid_t pid; /* of the job, of jobs_find */
    int pe;    /* below 0: not said yet */
    bool json;
};

/* ---- text -------------------------------------------------------------------------------------------- */

static void show_message(const struct uno_shown *m) {
    char peer[32], type[32];
    snprintf(peer, sizeof peer, m->peer < 0 ? "any PE" : "PE %d", m->peer);
    snprintf(type, sizeof type,
             m->type == UNO_NO_TYPE ? "extended"
             : m->type < 0          ? "any type"
                                    : "type %d",
             m->type);
    printf("    %-9s  %-4s %-7s  %-15s  %s%llu bytes", uno_shown_name(m->state),
           m->state == UNO_QUEUED ? "to" : "from", peer, type, m->state == UNO_PENDING ? "room for " : "",
           (unsigned long long)m->bytes);
    if (m->context)
        printf("  (subcube: context %u)", m->context);
    putchar('\n');
}

static int show(const struct found *found, int k, const struct uno_place *place,
                const struct uno_shown_all *all, struct requests *requests) {
    jobs_write_title(stdout, found);
    printf("  PE %d: ", k);
    uno_report_place(stdout, uno_shown_words(&found->mail), place);
    putchar('\n');
    uint64_t count = 0;
    for (int s = 0; s < UNO_SHOWN_STATES; s++)
        count += all->count[s];
    for (size_t i = 0; i < all->messages; i++)
        show_message(&all->message[i]);
    if (!all->messages && !count)
        puts("    no messages");
    if (!all->steady)
        puts("    (changing: this may not have been so at any one moment)");
    else if (count > all->messages)
        printf("    and %llu more\n", (unsigned long long)(count - all->messages));
    uno_request_lines(stdout, &requests->matches, k, SIZE_MAX);
    return print_end("unisono inspect");
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static int show_json(const struct found *found, int k, const struct uno_place *place,
                     const struct uno_shown_all *all, struct requests *requests) {
    json_t *pe = jobs_place(found, k, place, all), *list = json_array();
    for (size_t i = 0; i < all->messages; i++) {
        const struct uno_shown *m = &all->message[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:o, s:o, s:b, s:I, s:I}", "state", uno_shown_name(m->state),
                                        "peer", jobs_number(m->peer), "type", jobs_number(m->type),
                                        "extended", m->type == UNO_NO_TYPE, "context", (json_int_t)m->context,
                                        "bytes", (json_int_t)m->bytes));
    }
    json_object_set_new(pe, "list", list);
    json_object_set_new(pe, "steady", json_boolean(all->steady));
    json_object_set_new(pe, "requests", requests_json(requests, k));
    return print_json(jobs_describe(found, json_pack("[o]", pe)), "unisono inspect");
}

/* ---- the command ------------------------------------------------------------------------------------- */

static int look(const struct found *found, const struct request *request) {
    const struct uno_job *job = found->job;
    struct uno_shown_all all = {.steady = true};
    if (request->pe >= uno_shown_pes(&found->mail)) {
        fprintf(stderr, "unisono inspect: PE %d; the job of process %d has PEs 0 to %d\n", request->pe,
                job->launcher, uno_shown_pes(&found->mail) - 1);
        return EXIT_FAILURE;
    }
    if (!found->mail.base) {
        fprintf(stderr,
                "unisono inspect: the job of process %d has no memory for messages, or it cannot be mapped\n",
                job->launcher);
        return EXIT_FAILURE;
    }
    struct uno_place *place = uno_places(found->job, &found->mail, NULL);
    struct requests requests = {0};
    int status = EXIT_FAILURE;
    if (!place || !requests_open(&requests, found, place) ||
        (uno_shown_any(job, &found->mail) && !uno_shown_look(&found->mail, request->pe, true, &all)))
        fprintf(stderr, "unisono inspect: out of memory\n");
    else
        status = (request->json ? show_json : show)(found, request->pe, &place[request->pe], &all, &requests);
    requests_close(&requests);
    uno_shown_free(&all);
    free(place);
    return status;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    char *end;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case 'p':
        request->pid = jobs_parse(argument, state);
        return 0;
    case ARGP_KEY_ARG:
        if (request->pe >= 0)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s: name one PE only", argument);
        errno = 0;
        long pe = strtol(argument, &end, 10);
        if (end == argument || *end || errno || pe < 0 || pe >= UNO_MAX_PES)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s: not the number of a PE", argument);
        request->pe = (int)pe;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_failure(state, UNO_EXIT_USAGE, 0, "which PE?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int command_inspect(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"json", 'j', NULL, 0, "Write a JSON object", 0},
        {"pid", 'p', "PID", 0, "Look at the job of the process PID; needed if several of your jobs run", 0},
        {0}};
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "PE",
        .doc =
            "Show the messages of one PE of your running job, one by one: those that have come to it, those "
            "that it has asked for, and those that it could not send yet.",
    };
    struct request request = {.pe = -1};
    struct jobs jobs = {0};
    parse_options(&argp, argc, argv, 0, &request);
    const struct found *found = jobs_find(&jobs, request.pid, "unisono inspect")
                                    ? jobs_only(&jobs, "unisono inspect", "name one by --pid")
                                    : NULL;
    int status = found ? look(found, &request) : EXIT_FAILURE;
    jobs_free(&jobs);
    return status;
}
