#include "option.h"

#include <stdbool.h>
#include <string.h>

#include "cli/common/suggest.h"

static const struct mpirun_option options[] = {
#define X(names, values, does, text) {names, values, does, text},
#include "options.def"
#undef X
};
enum { OPTIONS = sizeof options / sizeof *options };

/* The next name of a list, and its length; 0: there is none. */
static size_t next(const char **at, const char **name) {
    *at += strspn(*at, " ");
    *name = *at;
    size_t length = strcspn(*at, " ");
    *at += length;
    return length;
}

const struct mpirun_option *mpirun_option(const char *word) {
    const char *text = word + strspn(word, "-"), *name;
    size_t length = strcspn(text, "=");
    for (int i = 0; i < OPTIONS; i++)
        for (const char *at = options[i].names; next(&at, &name);)
            if (at == name + length && strncmp(name, text, length) == 0)
                return &options[i];
    return NULL;
}

const char *mpirun_like(const char *word) {
    struct suggestion suggestion;
    const char *text = word + strspn(word, "-"), *name;
    suggest_begin(&suggestion, text, strcspn(text, "="));
    for (int i = 0; i < OPTIONS; i++)
        for (const char *at = options[i].names; next(&at, &name);)
            if (options[i].does != REFUSE)
                suggest_consider(&suggestion, name, (size_t)(at - name));
    return suggest_best(&suggestion);
}

/* "-n, -np, -c": a short name has one dash, a long one may have two. */
static void write_names(FILE *f, const char *names) {
    const char *name;
    bool more = false;
    for (size_t length; (length = next(&names, &name)); more = true)
        fprintf(f, "%s-%s%.*s", more ? ", " : "", length > 2 ? "-" : "", (int)length, name);
}

static void write_rows(FILE *f, bool refused) {
    static const char *const values[] = {"", " VALUE", " NAME VALUE"};
    for (int i = 0; i < OPTIONS; i++) {
        const struct mpirun_option *option = &options[i];
        if (option->does == IGNORE || (option->does == REFUSE) != refused)
            continue;
        fputs("  ", f);
        write_names(f, option->names);
        fprintf(f, "%s\n        %s\n", values[option->values], option->text);
    }
}

void mpirun_list_options(void) {
    for (int i = 0; i < OPTIONS; i++) {
        const char *name;
        size_t length;
        for (const char *at = options[i].names; (length = next(&at, &name));)
            if (length > 2 && options[i].text && options[i].does != REFUSE)
                printf("--%.*s\t%s\n", (int)length, name, options[i].text);
    }
}

void mpirun_write_options(FILE *f) {
    fputs("Options, each with one dash or two:\n", f);
    write_rows(f, false);
    fputs("\nPassed over, since they change nothing on one machine, or are done anyway:\n", f);
    for (int i = 0; i < OPTIONS; i++)
        if (options[i].does == IGNORE) {
            fputs("  ", f);
            write_names(f, options[i].names);
            fputc('\n', f);
        }
    fputs("\nRefused, since the job would be another one without them:\n", f);
    write_rows(f, true);
}
