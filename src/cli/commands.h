/* The commands of `unisono`: each takes "unisono NAME" as argv[0] and returns the exit status. */

#ifndef UNO_COMMANDS_H
#define UNO_COMMANDS_H

int command_run(int argc, char **argv);
int command_mpirun(int argc, char **argv);
int command_info(int argc, char **argv);
int command_ps(int argc, char **argv);
int command_top(int argc, char **argv);
int command_inspect(int argc, char **argv);
int command_compare(int argc, char **argv);
int command_mpi(int argc, char **argv);
int command_sort(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_torus(int argc, char **argv);
int command_model(int argc, char **argv);
int command_agent(int argc, char **argv);

#endif
