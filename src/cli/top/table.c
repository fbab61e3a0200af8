#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "launch/report.h"

const struct top_order_key top_order_key[TOP_ORDERS] = {
    [TOP_BY_PE] = {'p', "number"},
    [TOP_BY_WAITING] = {'w', "waiting"},
    [TOP_BY_AWAITED] = {'o', "others that wait for it"},
};

/* ---- the order --------------------------------------------------------------------------------------- */

struct row {
    int k;
    double by;
};

static int compare(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    return x->by != y->by ? (x->by > y->by) - (x->by < y->by) : x->k - y->k;
}

/* Return the PEs in their order. */
static struct row *rows_of(const struct top *top, const struct top_view *view) {
    struct row *row = malloc((size_t)top->n * sizeof *row);
    for (int k = 0; row && k < top->n; k++) {
        double by = view->order == TOP_BY_WAITING   ? -top_waiting(&top->last, k)
                    : view->order == TOP_BY_AWAITED ? -top_awaited(&top->last, k)
                                                    : k;
        row[k] = (struct row){k, view->reversed ? -by : by};
    }
    if (row)
        qsort(row, (size_t)top->n, sizeof *row, compare);
    return row;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

/* Write a line, of which no more is shown than there is room for, without blanks at its end. */
static void write_line(FILE *f, const struct top_view *view, const char *line) {
    int length = (int)strlen(line);
    if (view->columns && length > view->columns)
        length = view->columns;
    while (length && line[length - 1] == ' ')
        length--;
    fprintf(f, "%.*s\n", length, line);
}

/* Return what `write` writes; NULL: memory is short. */
static char *text_of(void (*write)(FILE *f, const struct top *top, int k), const struct top *top, int k) {
    char *text = NULL;
    size_t length = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f)
        return NULL;
    write(f, top, k);
    return fclose(f) ? NULL : text;
}

static void write_missing(FILE *f, const struct top *top, int k) {
    const struct uno_place *place = &top->place[k];
    if (place->waits && place->missing)
        uno_report_members(f, place->missing_mask, place->missing, uno_shown_words(&top->found->mail));
}

/* The call, with its line, if it is recorded; otherwise the operation, if the PE waits in one. */
static void write_doing(FILE *f, const struct top *top, int k) {
    const char *call = top->places ? top_place(top->places, k) : NULL;
    if (call)
        fputs(call, f);
    else if (top->place[k].waits)
        uno_report_operation(f, uno_shown_words(&top->found->mail), &top->place[k]);
}

static void write_pe(FILE *f, const struct top *top, int k) {
    const struct uno_place *place = &top->place[k];
    char *missing = text_of(write_missing, top, k), *doing = text_of(write_doing, top, k);
    fprintf(f, "%4d %8d %-11.11s %5.0f %% %5.0f %% %7.1f  %-12s %s", k, (int)place->pid, place->state,
            100 * top_waiting(&top->last, k), 100 * top_waiting(&top->all, k), top_awaited(&top->last, k),
            missing ? missing : "", doing ? doing : "");
    free(missing);
    free(doing);
}

static void write_title(FILE *f, const struct top *top, int k) {
    (void)k;
    jobs_write_title(f, top->found);
}

/* "and 240 more PEs, 200 of them waiting" */
static void write_rest(FILE *f, const struct top *top, const struct row *row, int shown) {
    int waiting = 0;
    for (int i = shown; i < top->n; i++)
        waiting += top->place[row[i].k].waits;
    fprintf(f, "     and %d more PEs, %d of them waiting\n", top->n - shown, waiting);
}

void top_table(FILE *f, const struct top *top, const struct top_view *view) {
    enum { HEADINGS = 2 };
    struct row *row = rows_of(top, view);
    char *title = text_of(write_title, top, 0);
    int room = view->lines ? view->lines - HEADINGS : top->n, shown = top->n;
    if (shown > room)
        shown = room > 1 ? room - 1 : 0;
    if (title) {
        title[strcspn(title, "\n")] = 0;
        write_line(f, view, title);
    }
    write_line(f, view, "  PE      PID STATE       WAITS   ALWAYS  OTHERS  FOR          IN");
    for (int i = 0; row && i < shown; i++) {
        char *line = text_of(write_pe, top, row[i].k);
        write_line(f, view, line ? line : "");
        free(line);
    }
    if (row && shown < top->n)
        write_rest(f, top, row, shown);
    free(title);
    free(row);
}

json_t *top_json(const struct top *top) {
    json_t *list = json_array();
    for (int k = 0; k < top->n; k++) {
        json_t *pe = jobs_place(top->found, k, &top->place[k], NULL);
        const char *call = top->places ? top_place(top->places, k) : NULL;
        json_object_del(pe, "messages");
        json_object_set_new(pe, "call", call ? json_string(call) : json_null());
        json_object_set_new(pe, "waiting_share", json_real(top_waiting(&top->last, k)));
        json_object_set_new(pe, "waiting_share_always", json_real(top_waiting(&top->all, k)));
        json_object_set_new(pe, "others_waiting", json_real(top_awaited(&top->last, k)));
        json_array_append_new(list, pe);
    }
    return jobs_describe(top->found, list);
}
