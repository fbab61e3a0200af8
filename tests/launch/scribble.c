/* scribble PATTERN PART: the last PE writes over the job's memory: bytes of ff or 00, or random ones, over
 * all of it
 * ("all") or all but the header ("boards"). Then everybody waits to be ended. */

#include <papers.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/job.h"

enum { MOST = 8 << 20 }; /* the rest is sparse, and large */

static void scribble(const char *pattern, const char *part) {
    int fd = atoi(getenv("UNISONO_JOB"));
    struct stat st;
    if (fstat(fd, &st))
        _exit(3);
    size_t size = st.st_size < MOST ? (size_t)st.st_size : MOST;
    unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        _exit(3);
    for (size_t i = strcmp(part, "all") ? offsetof(struct uno_job, board) : 0; i < size; i++)
        memory[i] = pattern[0] == 'r' ? (unsigned char)random() : pattern[0] == 'f' ? 0xff : 0;
    if (write(STDOUT_FILENO, "scribbled\n", 10) != 10)
        _exit(3);
}

int main(int argc, char **argv) {
    p_init();
    p_wait();
    if (argc > 2 && p_iproc() == p_nproc() - 1) {
        sleep(1); /* until the others have left the operation */
        scribble(argv[1], argv[2]);
    }
    for (;;)
        pause();
}
