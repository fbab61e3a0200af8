/* Starts so many processes of a program, as fast as the system does, and waits until all have ended.
 * Arguments: how many, and the program. */

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

int main(int argc, char **argv) {
    int failed = argc < 3;
    for (int left = failed ? 0 : atoi(argv[1]); left > 0 && !failed; left--) {
        pid_t pid;
        failed = posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0;
    }
    for (int status; wait(&status) > 0;)
        failed |= status != 0;
    return failed;
}
