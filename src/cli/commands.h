/* The commands of `unisono`: each takes its own name as argv[0] and returns the exit status. */

#ifndef UNO_COMMANDS_H
#define UNO_COMMANDS_H

int command_run(int argc, char **argv);
int command_bench(int argc, char **argv);

#endif
