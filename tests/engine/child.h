/* Children that a program forks, and their ends. */

#ifndef TEST_CHILD_H
#define TEST_CHILD_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run call() in a child, and read its standard error. Returns its exit status; -1: it ended by a signal,
 * after 10 seconds at the latest. */
static int in_child(void (*call)(void), char *text, size_t room) {
    int ends[2], status;
    if (pipe(ends))
        return -1;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        alarm(10);
        call();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t n; (n = read(ends[0], text + length, room - 1 - length)) > 0;)
        length += (size_t)n;
    text[length] = 0;
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Return true if a child that makes the call ends with an error that names the function. */
static bool is_refused(void (*call)(void), const char *name) {
    char text[1024];
    int status = in_child(call, text, sizeof text);
    bool refused = status == 1 && strstr(text, name) && strstr(text, "in a child that a PE has made by fork");
    if (!refused)
        fprintf(stderr, "a child that calls %s ends with status %d and \"%s\"\n", name, status, text);
    return refused;
}

/* Return true if children that do not make the call end as usual. */
static bool others_are_left_alone(void (*nothing)(void)) {
    char text[64] = "";
    FILE *f = popen("echo hello", "r");
    bool read = f && fgets(text, sizeof text, f) && strcmp(text, "hello\n") == 0 && pclose(f) == 0;
    return read && system("exit 0") == 0 && in_child(nothing, text, sizeof text) == 0 && !*text;
}

#endif
