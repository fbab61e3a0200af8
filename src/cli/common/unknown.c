#include "unknown.h"

#include <stdio.h>
#include <string.h>

#include "suggest.h"

/* The option of a name of which this is the beginning; NULL: there is none. Several may be. */
static const struct argp_option *named(const struct argp_option *options, const char *name, size_t length) {
    for (; options->name || options->key; options++)
        if (options->name && strncmp(options->name, name, length) == 0)
            return options;
    return NULL;
}

static bool takes_word(const struct argp_option *option) {
    return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

/* In -vn 4, as in -n 4 but not in -n4, the value is a word of its own. */
static bool letters_take_word(const struct argp_option *options, const char *letters) {
    for (; *letters; letters++)
        for (const struct argp_option *o = options; o->name || o->key; o++)
            if (o->key == *letters && o->arg)
                return takes_word(o) && !letters[1];
    return false;
}

const char *unknown_option(const struct argp_option *options, int argc, char **argv, bool in_order) {
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (*word != '-' || !word[1]) {
            if (in_order)
                return NULL;
        } else if (word[1] != '-') {
            i += letters_take_word(options, word + 1);
        } else if (!word[2]) {
            return NULL;
        } else {
            size_t length = strcspn(word + 2, "=");
            const struct argp_option *option = named(options, word + 2, length);
            if (!option)
                return word;
            i += takes_word(option) && !word[2 + length];
        }
    }
    return NULL;
}

const char *unknown_like(const struct argp_option *options, const char *word) {
    static struct suggestion suggestion;
    const char *name = word + strspn(word, "-");
    suggest_begin(&suggestion, name, strcspn(name, "="));
    for (; options->name || options->key; options++)
        if (options->name && !(options->flags & OPTION_HIDDEN))
            suggest_consider(&suggestion, options->name, strlen(options->name));
    return suggest_best(&suggestion);
}

void list_options(const struct argp_option *options) {
    for (; options->name || options->key; options++)
        if (options->name && !(options->flags & OPTION_HIDDEN))
            printf("--%s\t%s\n", options->name, options->doc);
}
