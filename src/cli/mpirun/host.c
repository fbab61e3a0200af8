#define _GNU_SOURCE
#include "host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Return true if the name is an address by which a machine reaches itself: 127.0.0.1 or another of its net,
 * or
 * ::1. */
static bool is_loopback(const char *name) {
    struct in_addr four;
    struct in6_addr six;
    return (inet_pton(AF_INET, name, &four) == 1 && ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET) ||
           (inet_pton(AF_INET6, name, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six));
}

/* Return true if this is the name of this machine, with its domain or without, or one of its addresses to
 * itself. */
static bool is_here(const char *name) {
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    size_t length = strlen(name), host = strcspn(own, ".");
    return strcmp(name, "localhost") == 0 || strncmp(name, "localhost.", 10) == 0 || is_loopback(name) ||
           strcmp(name, own) == 0 || (length == host && strncmp(name, own, host) == 0) ||
           (host && strncmp(name, own, host) == 0 && name[host] == '.');
}

/* Cut the slots off a machine's name: localhost:4 or [::1]:4. ::1, with several colons and no brackets, is an
 * address of IPv6 and nothing else. Returns the name; *slots is what stands behind its colon, or NULL. */
static char *name_of(char *text, char **slots) {
    char *end = *text == '[' ? strchr(text, ']') : NULL, *colon = strchr(end ? end : text, ':');
    *slots = NULL;
    if (end && (!end[1] || end + 1 == colon)) {
        *end = 0;
        text++;
    } else if (end || (colon && strchr(colon + 1, ':'))) {
        return text;
    }
    if (colon) {
        *colon = 0;
        *slots = colon + 1;
    }
    return text;
}

/* One machine with its slots, given as :4, slots=4 or not at all. Returns them, or -1 after a message. */
static int slots_of(char *word, const char *count, const char *command) {
    char *colon, *name = name_of(word, &colon);
    if (!is_here(name)) {
        fprintf(stderr, "%s: %s is another machine; a job of Unisono runs on one, which localhost names\n",
                command, name);
        return -1;
    }
    const char *text = count ? count : colon ? colon : "1";
    char *end;
    errno = 0;
    long slots = strtol(text, &end, 10);
    if (end != text && !*end && !errno && slots >= 1 && slots < 1000000)
        return (int)slots;
    fprintf(stderr, "%s: %s:%s: not a number of slots\n", command, name, text);
    return -1;
}

int mpirun_hosts(const char *list, const char *command) {
    char *text = strdup(list), *rest = text, *name;
    int slots = 0, more = 0;
    while (more >= 0 && (name = strsep(&rest, ",")))
        if (*name)
            slots += more = slots_of(name, NULL, command);
    free(text);
    return more < 0 ? -1 : slots;
}

/* "name slots=4 max_slots=8 # comment". Returns 0 for an empty line. */
static int line_slots(char *line, const char *command) {
    static const char blanks[] = " \t\r\n";
    const char *count = NULL;
    line[strcspn(line, "#")] = 0;
    char *save, *name = strtok_r(line, blanks, &save);
    for (char *word; name && (word = strtok_r(NULL, blanks, &save));)
        if (strncmp(word, "slots=", 6) == 0)
            count = word + 6;
    return name ? slots_of(name, count, command) : 0;
}

int mpirun_hostfile(const char *path, const char *command) {
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    int slots = 0, more = 0;
    if (!file) {
        fprintf(stderr, "%s: cannot read the hostfile %s: %s\n", command, path, strerror(errno));
        return -1;
    }
    while (more >= 0 && getline(&line, &room, file) >= 0)
        slots += more = line_slots(line, command);
    if (more >= 0 && ferror(file)) {
        fprintf(stderr, "%s: cannot read the hostfile %s: %s\n", command, path, strerror(errno));
        more = -1;
    }
    free(line);
    fclose(file);
    return more < 0 ? -1 : slots;
}
