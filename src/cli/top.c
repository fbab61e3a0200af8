/* unisono top: a running job, again and again. */

#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "launch/exit.h"
#include "commands.h"
#include "common/jobs.h"
#include "common/options.h"
#include "common/print.h"
#include "top/screen.h"
#include "top/table.h"

static const int LOOK_MS = 25; /* from one look at the job to the next, on average */

struct request {
    pid_t pid; /* of jobs_find */
    bool json;
    double delay; /* s from one picture to the next */
    int pictures; /* 0: until the job ends */
};

/* ---- time -------------------------------------------------------------------------------------------- */

/* Return true if the process of this descriptor has ended within so many ms. Without a descriptor, the kernel
 * is too old, and it is asked for by its number. */
static bool ended_within(int process, pid_t launcher, int ms) {
    struct pollfd end = {.fd = process, .events = POLLIN};
    if (process >= 0)
        return poll(&end, 1, ms) > 0;
    poll(NULL, 0, ms);
    return kill(launcher, 0) && errno == ESRCH;
}

/* ---- pictures ---------------------------------------------------------------------------------------- */

/* Return how long it is until the next look, in ms: not always the same, for a program that does the same
 * again and again would always be met at the same place. */
static int pause_ms(void) {
    return LOOK_MS / 2 + rand() % LOOK_MS;
}

static void show_once(const struct top *top, bool json) {
    const struct top_view view = {.order = TOP_BY_PE};
    json_t *picture = json ? top_json(top) : NULL;
    if (!json)
        top_table(stdout, top, &view);
    else if (json_dumpf(picture, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0)
        putchar('\n');
    json_decref(picture);
}

static int show_plain(struct top *top, const struct request *request, int process) {
    bool ended = false;
    for (int i = 0; !ended && (!request->pictures || i < request->pictures); i++) {
        uint64_t until = uno_kernel_now() + (uint64_t)(request->delay * 1e9);
        do {
            if (!top_look(top))
                return EXIT_FAILURE;
            ended = ended_within(process, top->found->job->launcher, pause_ms());
        } while (!ended && uno_kernel_now() < until);
        top_end(top);
        if (!ended || !i)
            show_once(top, request->json);
        if (fflush(stdout))
            break;
    }
    return print_end("unisono top");
}

/* Return the text on the screen: the picture, and the keys. */
static char *picture_of(const struct top *top, struct top_view view, bool ended) {
    char *text = NULL, keys[256];
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    screen_size(&view.lines, &view.columns);
    view.lines--;
    if (!f)
        return NULL;
    top_table(f, top, &view);
    int used = snprintf(keys, sizeof keys, "q: leave, r: reverse, order by");
    for (int i = 0; i < TOP_ORDERS; i++)
        used += snprintf(keys + used, sizeof keys - (size_t)used, "%s %c: %s", i ? "," : "",
                         top_order_key[i].key, top_order_key[i].name);
    fprintf(f, "%.*s\n", view.columns, ended ? "the job has ended" : keys);
    return fclose(f) ? NULL : text;
}

static void press(struct top_view *view, int key) {
    if (key == 'r')
        view->reversed = !view->reversed;
    for (int i = 0; i < TOP_ORDERS; i++)
        if (key == top_order_key[i].key)
            *view = (struct top_view){.order = i};
}

static int show_screen(struct top *top, const struct request *request, int process) {
    struct top_view view = {.order = top->n > 16 ? TOP_BY_AWAITED : TOP_BY_PE};
    uint64_t shown = 0, every = (uint64_t)(request->delay * 1e9);
    bool ended = false;
    char *text = NULL;
    for (int key = 0; !ended && key != SCREEN_ENDS && key != 'q' && top_look(top);) {
        press(&view, key);
        ended = ended_within(process, top->found->job->launcher, 0);
        bool due = !text || uno_kernel_now() - shown >= every;
        if (due) {
            shown = uno_kernel_now();
            top_end(top);
        }
        if (due || key || ended) {
            free(text);
            text = picture_of(top, view, ended);
            if (text)
                screen_show(text, 1);
        }
        key = ended ? 0 : screen_key(pause_ms());
    }
    screen_close();
    if (ended && text)
        fputs(text, stdout); /* the last picture stays */
    free(text);
    return print_end("unisono top");
}

/* ---- the command ------------------------------------------------------------------------------------- */

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case 'd':
        request->delay = parse_number("delay", argument, 0.05, 3600, state);
        return 0;
    case 'n':
        request->pictures = parse_whole("iterations", argument, INT32_MAX, state);
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

static int look(const struct found *found, const struct request *request) {
    struct top top;
    int process = (int)syscall(SYS_pidfd_open, found->job->launcher, 0), status = EXIT_FAILURE;
    if (!top_open(&top, found))
        fprintf(stderr, "unisono top: out of memory\n");
    else if (!request->json && !request->pictures && screen_open())
        status = show_screen(&top, request, process);
    else
        status = show_plain(&top, request, process);
    top_close(&top);
    if (process >= 0)
        close(process);
    return status;
}

int command_top(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"delay", 'd', "SECONDS", 0, "Show it so often; 1 unless this is given", 0},
        {"iterations", 'n', "N", 0, "Show so many times, as plain lines, and end", 0},
        {"json", 'j', NULL, 0, "Write a JSON object a line, each time", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "[PID]",
        .doc =
            "Show your running job, or that of the process PID, again and again: where each PE is, for whom "
            "it "
            "waits, and which part of the time. On a terminal keys sort, and q leaves; otherwise these are "
            "plain lines.",
    };
    struct request request = {.delay = 1};
    struct jobs jobs = {0};
    parse_options(&argp, argc, argv, 0, &request);
    const struct found *found = jobs_find(&jobs, request.pid, "unisono top")
                                    ? jobs_only(&jobs, "unisono top", "name a process of one")
                                    : NULL;
    int status = found ? look(found, &request) : EXIT_FAILURE;
    jobs_free(&jobs);
    return status;
}
