#include "settings.h"

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

const char *uno_settings_profile_file(void) {
    return value_of("UNISONO_MPI_PROFILE");
}

const char *uno_settings_parse(struct uno_settings *settings) {
    static char error[400];
    const char *on = value_of("UNISONO_MPI");
    *settings = (struct uno_settings){.profile = uno_settings_profile_file() != NULL};
    settings->off = on && !strcmp(on, "off");
    if (on && !settings->off && strcmp(on, "on") != 0) {
        snprintf(error, sizeof error, "UNISONO_MPI=%s: it is on or off", on);
        return error;
    }
    return parse_flag("UNISONO_MPI_CHECK", &settings->check, error, sizeof error) &&
                   parse_flag("UNISONO_MPI_FAST_MATH", &settings->fast_math, error, sizeof error)
               ? NULL
               : error;
}
