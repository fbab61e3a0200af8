/* unisono: the one program. Each command is a row of the table and a function in a file of its name. */

#include <stdio.h>
#include <string.h>

#include "commands.h"

static const struct command {
    const char *name, *summary;
    int (*function)(int argc, char **argv);
} commands[] = {
    {"run", "start the processes of a parallel program", command_run},
    {"bench", "measure the operations, beside MPI libraries and the tables of 1995", command_bench},
};

int main(int argc, char **argv) {
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].function(argc - 1, argv + 1);
    fprintf(stderr, "usage: unisono COMMAND ...\n");
    return 2;
}
