/* unisono mpirun: unisono run for scripts that know Open MPI's or MPICH's launcher. The scripts mpirun and
 * mpiexec beside mpicc become this command. Which options there are is in mpirun/options.def. */

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common/options.h"
#include "engine/job.h"
#include "engine/processors.h"
#include "launch/exit.h"
#include "mpirun/host.h"
#include "mpirun/option.h"
#include "run/job.h"
#include "run/parts.h"
#include "unit/unit.h"

/* The settings that have been read from a command line. */
struct command {
    struct job job;
    const char *name; /* mpirun or mpiexec: it begins messages */
    int slots;        /* slots of the machines that were named; 0: none was */
    int per_node;     /* PEs of a program for which nothing else says it; 0: not given */
    const char *map;  /* the value of --map-by if it does not say how many PEs there are, or NULL */
};

static _Noreturn void reject(const struct command *command, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", command->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(UNO_EXIT_USAGE);
}

/* ---- the effects of options ---------------------------------------------------------------------------- */

static int number(const struct command *command, const char *option, const char *text) {
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (end == text || *end || errno || n < 1 || n > UNO_MAX_PES)
        reject(command, "%s %s: the number of PEs is 1 to %d", option, text, UNO_MAX_PES);
    return (int)n;
}

/* Carry out Open MPI 5's option --output, whose value is a list. */
static void set_output(struct command *command, char *list) {
    for (char *word; (word = strsep(&list, ","));)
        if (strcmp(word, "tag") == 0 || strcmp(word, "rank") == 0 || strcmp(word, "tag-detailed") == 0)
            command->job.launch.tag = true;
        else if (*word)
            reject(command, "--output %s: only tag is known here; see `%s --help`", word, command->name);
}

/* Carry out --map-by. The places to which Open MPI maps PEs make no difference here, but "ppr" also says how
 * many there are. */
static void set_map(struct command *command, const char *text) {
    char object[32];
    int n, fields = sscanf(text, "ppr:%d:%31[a-z]", &n, object);
    bool known = fields == 2 && n >= 1 && n <= UNO_MAX_PES && strcmp(object, "node") == 0;
    if (known)
        command->per_node = n;
    command->map = known || strncmp(text, "ppr:", 4) != 0 ? NULL : text;
}

/* Carry out --bind-to, whose value is such as "core:overload-allowed". */
static void set_binding(struct command *command, const char *text) {
    static const char *const each[] = {"core", "hwthread", "user", "rr"};
    size_t length = strcspn(text, ":");
    command->job.launch.bind = false;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        if (strncmp(text, each[i], length) == 0 && !each[i][length])
            command->job.launch.bind = true;
}

/* Carry out --stdin: without a standard input, no PE reads what a script has for later commands. */
static void set_input(const struct command *command, const char *option, const char *text) {
    bool none = strcmp(text, "none") == 0;
    if (!none && strcmp(text, "0") != 0)
        reject(command, "%s %s: standard input goes to PE 0, or with none to no PE", option, text);
    if (none && !freopen("/dev/null", "r", stdin))
        reject(command, "%s none: cannot open /dev/null: %s", option, strerror(errno));
}

static void add_slots(struct command *command, int slots) {
    if (slots < 0)
        exit(UNO_EXIT_USAGE);
    command->slots += slots;
}

static char *pair(const struct command *command, const char *option, const char *name, const char *value) {
    char *text;
    if (!*name || strchr(name, '='))
        reject(command, "%s %s %s: it is %s NAME VALUE", option, name, value, option);
    if (asprintf(&text, "%s=%s", name, value) < 0)
        reject(command, "no memory for the command line");
    return text;
}

static void show_version(const struct command *command) {
    printf("%s (Unisono) %s\n\n"
           "It takes the options of Open MPI's mpirun and of MPICH's mpiexec; `%s --help` has them.\n",
           command->name, UNISONO_VERSION, command->name);
    exit(EXIT_SUCCESS);
}

static void show_help(const struct command *command) {
    printf("Usage: %s [OPTION...] PROGRAM [ARGUMENT...] [: OPTION... PROGRAM...]\n"
           "Start the processes of an MPI program on Unisono's MPI library, with the options of other "
           "launchers.\n\n",
           command->name);
    mpirun_write_options(stdout);
    printf("\nWithout a number of PEs, mpirun starts one for each slot of the machines that were named, or "
           "one for\neach processor, as Open MPI's does; mpiexec, and each of several programs, starts one, "
           "as MPICH's does.\n`unisono run --help` has more that a job can do. See unisono-mpirun(1).\n");
    exit(EXIT_SUCCESS);
}

/* Carry out an option; word: its name as it is written; value: the words that follow it. */
static void carry_out(struct command *command, struct uno_part *part, const struct mpirun_option *option,
                      const char *word, char *const value[2]) {
    struct uno_launch *launch = &command->job.launch;
    switch (option->does) {
    case NUMBER:
        part->n = number(command, word, value[0]);
        break;
    case PER_NODE:
        command->per_node = number(command, word, value[0]);
        break;
    case ONE:
        command->per_node = 1;
        break;
    case MAP_BY:
        set_map(command, value[0]);
        break;
    case HOST:
        add_slots(command, mpirun_hosts(value[0], command->name));
        break;
    case HOSTFILE:
        add_slots(command, mpirun_hostfile(value[0], command->name));
        break;
    case FOLDER:
        part->folder = value[0];
        break;
    case TIMEOUT:
        if (!job_timeout(&command->job, value[0]))
            reject(command, "%s %s: not a number of seconds greater than 0", word, value[0]);
        break;
    case EXPORT:
        if (*value[0] == '=')
            reject(command, "%s %s: it is NAME=VALUE, or NAME", word, value[0]);
        parts_set(part, value[0]);
        break;
    case SET:
        parts_set(part, pair(command, word, value[0], value[1]));
        break;
    case SET_ALL:
        putenv(pair(command, word, value[0], value[1]));
        break;
    case TAG:
        launch->tag = true;
        break;
    case OUTPUT:
        set_output(command, value[0]);
        break;
    case OUT_FILE:
    case ERR_FILE:
        launch->file[option->does == ERR_FILE] = value[0];
        break;
    case INPUT:
        set_input(command, word, value[0]);
        break;
    case BIND:
        set_binding(command, value[0]);
        break;
    case BIND_EACH:
        launch->bind = true;
        break;
    case BINDINGS:
        launch->show_bindings = true;
        break;
    case IGNORE:
        break;
    case REFUSE:
        reject(command, "%s is not there: %s", word, option->text);
    case VERSION:
        show_version(command);
        break;
    case HELP:
        show_help(command);
        break;
    }
}

/* ---- the words --------------------------------------------------------------------------------------- */

static _Noreturn void reject_unknown(const struct command *command, const char *word) {
    const char *like = mpirun_like(word);
    reject(command, "%s: there is no such option; %s%s%see `%s --help`", word, like ? "did you mean -" : "",
           like ? like : "", like ? "? S" : "s", command->name);
}

/* Read the option at *at, and move *at behind its values. */
static void read_option(struct command *command, struct uno_part *part, char ***at) {
    char *word = *(*at)++, *value[2] = {NULL, NULL}, *equals = strchr(word, '=');
    const struct mpirun_option *option = mpirun_option(word);
    if (!option)
        reject_unknown(command, word);
    if (equals && option->values == 1 && option->does != REFUSE) {
        *equals = 0;
        value[0] = equals + 1;
    }
    bool asks = option->does != HELP && option->does != VERSION && option->does != REFUSE;
    for (int i = value[0] ? 1 : 0; asks && i < option->values; i++) {
        if (!**at)
            reject(command, "%s takes %d more word%s behind it", word, option->values - i,
                   option->values - i == 1 ? "" : "s");
        value[i] = *(*at)++;
    }
    carry_out(command, part, option, word, value);
}

/* Read the options of one program and its words, which a colon ends. Returns the address of the word behind
 * the colon. */
static char **read_part(struct command *command, char **at) {
    struct uno_part *part = parts_add(&command->job.launch);
    while (*at && **at == '-' && (*at)[1])
        read_option(command, part, &at);
    if (!*at || strcmp(*at, ":") == 0)
        reject(command, "which program? Name it after the options");
    part->argv = at;
    while (*at && !(strcmp(*at, ":") == 0 && at[1]))
        at++;
    if (!*at)
        return at;
    *at = NULL;
    return at + 1;
}

/* Return how many PEs a program has for which the command line does not say it. */
static int default_number(const struct command *command) {
    if (command->map)
        reject(command, "--map-by %s: say how many PEs with -n", command->map);
    if (command->per_node)
        return command->per_node;
    if (command->job.launch.parts > 1 || strcmp(command->name, "mpirun") != 0)
        return 1;
    int n = command->slots ? command->slots : uno_processors();
    return n < UNO_MAX_PES ? n : UNO_MAX_PES;
}

int command_mpirun(int argc, char **argv) {
    struct command command = {.name = strrchr(argv[0], ' ') + 1,
                              .job.launch.unit = uno_unit_first(UNO_START_run)};
    struct uno_launch *launch = &command.job.launch;
    const char *patience = getenv("MPIEXEC_TIMEOUT");
    if (patience && *patience && !job_timeout(&command.job, patience))
        reject(&command, "MPIEXEC_TIMEOUT=%s: not a number of seconds greater than 0", patience);
    if (argc == 2 && strcmp(argv[1], "--" LIST_OPTIONS) == 0) {
        mpirun_list_options();
        return EXIT_SUCCESS;
    }
    for (char **at = argv + 1; *at || !launch->parts;)
        at = read_part(&command, at);
    for (int i = 0; i < launch->parts; i++)
        if (!launch->part[i].n)
            launch->part[i].n = default_number(&command);
    if (parts_pes(launch) > UNO_MAX_PES)
        reject(&command, "the programs have %ld PEs together, and %d are the most", parts_pes(launch),
               UNO_MAX_PES);
    launch->n = (int)parts_pes(launch);
    return job_run(&command.job, command.name);
}
