#include "accelerator/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct uno_settings uno_settings;

static const char *value_of(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* A setting that is 0 or 1. */
static bool parse_flag(const char *name, bool *flag, char *error, size_t size) {
    const char *value = value_of(name);
    *flag = value && !strcmp(value, "1");
    if (!value || !strcmp(value, "0") || *flag)
        return true;
    snprintf(error, size, "%s=%s: it is 0 or 1", name, value);
    return false;
}

/* A number from the text, which moves on. False: there is none that is at most `most`. */
static bool parse_number(const char **text, int most, int *number) {
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    long value = strtol(*text, &end, 10);
    *number = (int)value;
    *text = end;
    return value <= most;
}

/* The node of each rank. */
static bool parse_list(struct uno_settings *s, const char *text, int ranks) {
    int r = 0, node = 0;
    do {
        if (r == ranks || r == UNO_SETTINGS_LISTED || !parse_number(&text, ranks - 1, &node))
            return false;
        s->node[r++] = (short)node;
    } while (*text++ == ',');
    s->listed = true;
    s->nodes = ranks;
    return r == ranks && !text[-1];
}

static bool parse_nodes(struct uno_settings *s, int ranks, char *error, size_t size) {
    enum { MOST = 1024 };
    const char *value = value_of("UNISONO_MPI_NODES"), *text = value;
    if (!value)
        return true;
    if (strchr(value, ',') ? parse_list(s, text, ranks)
                           : parse_number(&text, MOST, &s->nodes) && s->nodes > 0 &&
                                 (!*text || (s->cyclic = !strcmp(text, ":cyclic"))))
        return true;
    snprintf(
        error, size,
        "UNISONO_MPI_NODES=%s: it is a number of nodes, 1 to %d, which may be followed by :cyclic, or the "
        "node of each rank, as in 0,1,1,0, for at most %d ranks (here are %d)",
        value, MOST, UNO_SETTINGS_LISTED, ranks);
    return false;
}

int uno_settings_node_of(int rank, int ranks) {
    const struct uno_settings *s = &uno_settings;
    if (s->listed)
        return s->node[rank];
    return s->cyclic ? rank % s->nodes : (int)((long)rank * s->nodes / ranks);
}

const char *uno_settings_profile_file(void) {
    return value_of("UNISONO_MPI_PROFILE");
}

const char *uno_settings_parse(struct uno_settings *settings, int ranks) {
    static char error[400];
    const char *on = value_of("UNISONO_MPI");
    *settings = (struct uno_settings){.profile = uno_settings_profile_file() != NULL};
    settings->off = on && !strcmp(on, "off");
    if (on && !settings->off && strcmp(on, "on") != 0) {
        snprintf(error, sizeof error, "UNISONO_MPI=%s: it is on or off", on);
        return error;
    }
    return parse_flag("UNISONO_MPI_CHECK", &settings->check, error, sizeof error) &&
                   parse_flag("UNISONO_MPI_FAST_MATH", &settings->fast_math, error, sizeof error) &&
                   parse_nodes(settings, ranks, error, sizeof error)
               ? NULL
               : error;
}
