/* unisono model schedule. */

#ifndef UNO_CLI_MODEL_SCHEDULE_H
#define UNO_CLI_MODEL_SCHEDULE_H

/* As a command, with the word "schedule" as argv[0]. */
int model_schedule(int argc, char **argv);

#endif
