/* lines COUNT LENGTH: each PE writes COUNT lines of LENGTH letters, its own letter in each, in writes that
 * end anywhere, to standard output and standard error in turn. */

#include <papers.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void put(int fd, const char *text, size_t length) {
    while (length) {
        ssize_t written = write(fd, text, length);
        if (written < 0)
            exit(3);
        text += written;
        length -= (size_t)written;
    }
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    int count = atoi(argv[1]);
    size_t length = (size_t)atoi(argv[2]), cut = length / 3;
    char *line = malloc(length + 1);
    if (!line)
        return 2;
    p_init();
    memset(line, 'A' + p_iproc() % 26, length);
    line[length] = '\n';
    p_wait(); /* all at once */
    for (int i = 0; i < count; i++) {
        int fd = i % 2 ? STDERR_FILENO : STDOUT_FILENO;
        put(fd, line, cut);
        put(fd, line + cut, length + 1 - cut);
    }
    free(line);
    return p_exit(0);
}
