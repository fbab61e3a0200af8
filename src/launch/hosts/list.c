#define _GNU_SOURCE
#include "list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { SLOTS_MOST = 1000000 };

bool uno_host_is_here(const char *name) {
    char own[256] = "";
    if (strcasecmp(name, "localhost") == 0)
        return true;
    if (gethostname(own, sizeof own - 1))
        return false;
    size_t shorter = strcspn(own, ".");
    return strcasecmp(name, own) == 0 || (strlen(name) == shorter && strncasecmp(name, own, shorter) == 0);
}

/* A name goes on the command line of ssh, so it is no option of that. */
static const char *why_no_name(const char *name) {
    if (!*name)
        return "a host has no name";
    if (*name == '-')
        return "a host's name does not begin with a minus sign";
    if (strlen(name) >= UNO_NODE_NAME)
        return "a host's name is that long at most: 63 bytes";
    for (const char *c = name; *c; c++)
        if (*c <= ' ' || *c > '~' || strchr("'\"\\`$;&|<>()*?!#", *c))
            return "a host's name has letters, digits and the signs of addresses";
    return NULL;
}

bool uno_hosts_add(struct uno_hosts *hosts, const char *name, long slots, char error[UNO_LIST_ERROR]) {
    const char *why = why_no_name(name);
    if (why) {
        snprintf(error, UNO_LIST_ERROR, "%.100s: %s", name, why);
        return false;
    }
    int node = 0;
    while (node < hosts->count && strcmp(hosts->name[node], name) != 0)
        node++;
    if (node == UNO_NODES_MOST) {
        snprintf(error, UNO_LIST_ERROR, "%d hosts are the most", UNO_NODES_MOST);
        return false;
    }
    if (node == hosts->count)
        strcpy(hosts->name[hosts->count++], name);
    for (long i = 0; i < slots; i++)
        if (hosts->slots + i < UNO_MAX_PES)
            hosts->seat[hosts->slots + i] = node;
    hosts->slots += slots;
    return true;
}

/* Add a host "name", "name:slots" or "[address]:slots", with more slots behind it, or NULL. Changes the text.
 */
static bool add_word(struct uno_hosts *hosts, char *word, const char *behind, char error[UNO_LIST_ERROR]) {
    char *name = word, *count = strrchr(word, ':'), *end;
    long slots = 1;
    if (*word == '[' && (end = strchr(word, ']'))) { /* an address of IPv6 */
        name++;
        *end++ = 0;
        count = *end == ':' ? end : NULL;
    } else if (count && strchr(word, ':') != count) {
        count = NULL;
    }
    if (count)
        *count++ = 0;
    if (count && behind) {
        snprintf(error, UNO_LIST_ERROR, "%.100s: the number of slots stands there twice", name);
        return false;
    }
    const char *number = count ? count : behind;
    if (number) {
        slots = strtol(number, &end, 10);
        if (end == number || *end || slots < 1 || slots > SLOTS_MOST) {
            snprintf(error, UNO_LIST_ERROR, "%.100s has %.100s slots: a number from 1 is wanted", name,
                     *number ? number : "no");
            return false;
        }
    }
    return uno_hosts_add(hosts, name, slots, error);
}

bool uno_hosts_list(struct uno_hosts *hosts, const char *text, char error[UNO_LIST_ERROR]) {
    char *copy = strdup(text), *rest = copy, *word;
    bool good = copy;
    if (!copy)
        snprintf(error, UNO_LIST_ERROR, "no memory for the list");
    while (good && (word = strsep(&rest, ",")))
        good = add_word(hosts, word, NULL, error);
    free(copy);
    return good;
}

/* Add the host of a line, if it has one. Changes the line. */
static bool add_line(struct uno_hosts *hosts, char *line, char error[UNO_LIST_ERROR]) {
    static const char blanks[] = " \t\r\n", slots[] = "slots=";
    char *rest = line, *behind = NULL, *word;
    line[strcspn(line, "#")] = 0;
    char *name = strtok_r(line, blanks, &rest);
    while (name && (word = strtok_r(NULL, blanks, &rest)))
        if (strncmp(word, slots, strlen(slots)) == 0) {
            behind = word + strlen(slots);
        } else {
            snprintf(error, UNO_LIST_ERROR, "%.100s: behind a host stands slots=N, and nothing else", word);
            return false;
        }
    return !name || add_word(hosts, name, behind, error);
}

bool uno_hosts_file(struct uno_hosts *hosts, const char *path, char error[UNO_LIST_ERROR]) {
    FILE *f = fopen(path, "re");
    char *line = NULL, why[UNO_LIST_ERROR];
    size_t size = 0;
    if (!f) {
        snprintf(error, UNO_LIST_ERROR, "cannot read it: %s", strerror(errno));
        return false;
    }
    bool good = true;
    int before = hosts->count, number = 0;
    while (good && getline(&line, &size, f) >= 0) {
        number++;
        good = add_line(hosts, line, why);
    }
    if (!good)
        snprintf(error, UNO_LIST_ERROR, "line %d: %.480s", number, why);
    else if (hosts->count == before) {
        snprintf(error, UNO_LIST_ERROR, "it names no host");
        good = false;
    }
    free(line);
    fclose(f);
    return good;
}
