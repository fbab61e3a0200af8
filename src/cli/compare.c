/* unisono compare: what became slower from one run of a program to another. */

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "launch/exit.h"
#include "commands.h"
#include "common/options.h"
#include "common/page.h"
#include "common/print.h"
#include "compare/pairs.h"
#include "compare/report.h"
#include "compare/runs.h"

enum { HTML = 256, FORM = JSON_INDENT(2) | JSON_REAL_PRECISION(9) };

struct request {
    const char *path[2];
    const char *html;
    bool json;
};

static error_t parse(int key, char *argument, struct argp_state *state) {
    struct request *request = state->input;
    switch (key) {
    case 'j':
        request->json = true;
        return 0;
    case HTML:
        request->html = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num >= 2)
            argp_failure(state, UNO_EXIT_USAGE, 0, "%s: there are two files to compare, not more", argument);
        else
            request->path[state->arg_num] = argument;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num < 2)
            argp_failure(state, UNO_EXIT_USAGE, 0,
                         "which two runs? Name the files of `unisono run --stats=FILE`, the older one first");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int show(const struct request *request, struct page *page, struct compare_run *run) {
    struct compare_pairs pairs;
    bool found = compare_find(&pairs, &run[0], &run[1]);
    json_t *figures =
        found && (request->json || request->html) ? compare_json(&run[0], &run[1], &pairs) : NULL;
    int status = EXIT_SUCCESS;
    if (!found || ((request->json || request->html) && !figures)) {
        fprintf(stderr, "unisono compare: no memory\n");
        status = EXIT_FAILURE;
    }
    if (request->html && status == EXIT_SUCCESS && !page_write(page, figures, FORM))
        status = EXIT_FAILURE;
    if (request->json && status == EXIT_SUCCESS)
        status = print_json(json_incref(figures), "unisono compare");
    else if (!request->html && status == EXIT_SUCCESS) {
        compare_table(&run[0], &run[1], &pairs);
        status = print_end("unisono compare");
    }
    json_decref(figures);
    free(pairs.pair);
    return status;
}

/* Return true if the runs are of the same kind. */
static bool alike(const struct compare_run *run) {
    int placed = run[0].placed ? 0 : 1;
    if (run[0].placed == run[1].placed)
        return true;
    fprintf(stderr,
            "unisono compare: %s has calls by their places, and %s only operations: they have nothing in "
            "common\n",
            run[placed].path, run[1 - placed].path);
    return false;
}

int command_compare(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"html", HTML, "FILE", 0,
         "Write the comparison into FILE, as a page with tables that sort for a browser", 0},
        {"json", 'j', NULL, 0, "Write a JSON object", 0},
        {0},
    };
    static const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "BEFORE.json AFTER.json",
        .doc = "Compare two runs, each a file of `unisono run --stats=FILE`: which calls of MPI, by their "
               "places in the source, or which operations became slower, waited longer, or were made more "
               "often.",
    };
    struct request request = {0};
    struct compare_run run[2] = {0};
    struct page page;
    parse_options(&argp, argc, argv, 0, &request);
    int status = EXIT_FAILURE;
    if (compare_read(&run[0], request.path[0]) && compare_read(&run[1], request.path[1]) && alike(run)) {
        if (request.html && !page_open(&page, "unisono compare: --html", "compare", request.html))
            status = UNO_EXIT_USAGE;
        else
            status = show(&request, &page, run);
    }
    compare_free(&run[0]);
    compare_free(&run[1]);
    return status;
}
