/* mpirun: the table of the options that other launchers take. */

#ifndef UNO_CLI_MPIRUN_OPTION_H
#define UNO_CLI_MPIRUN_OPTION_H

#include <stdio.h>

enum mpirun_does {
    NUMBER,
    PER_NODE,
    ONE,
    MAP_BY,
    HOST,
    HOSTFILE,
    FOLDER,
    TIMEOUT,
    EXPORT,
    SET,
    SET_ALL,
    TAG,
    OUTPUT,
    OUT_FILE,
    ERR_FILE,
    INPUT,
    BIND,
    BIND_EACH,
    BINDINGS,
    IGNORE,
    REFUSE,
    VERSION,
    HELP,
};

struct mpirun_option {
    const char *names; /* with blanks between */
    int values;
    enum mpirun_does does;
    const char *text; /* for --help; of what is refused, what to do instead; NULL: passed over */
};

/* The option that a word like --np or -np=4 names; NULL: none. */
const struct mpirun_option *mpirun_option(const char *word);

/* The name of an option that is most like the word, or NULL. */
const char *mpirun_like(const char *word);

/* Show the table to people. */
void mpirun_write_options(FILE *f);

/* Write a line for each option that does something: each of its long names, a tab, and what it does. */
void mpirun_list_options(void);

#endif
