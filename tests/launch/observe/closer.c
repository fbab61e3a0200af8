/* closer FILE ROUNDS: after p_init each PE closes all descriptors that it did not open, opens FILE.k instead,
 * so that it gets their numbers, and takes part in ROUNDS p_wait. Its file must still be empty then. */

#include <fcntl.h>
#include <papers.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argc;
    enum { LAST = 64 };
    char path[4096];
    struct stat st;
    p_init();
    snprintf(path, sizeof path, "%s.%d", argv[1], p_iproc());
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int fd = STDERR_FILENO + 1; fd < LAST; fd++)
        if (fd != file && dup2(file, fd) < 0)
            p_error("cannot take a descriptor");
    for (int i = 0; i < atoi(argv[2]); i++)
        p_wait();
    if (fstat(file, &st) || st.st_size)
        p_error("something was written into my file");
    return p_exit(0);
}
