#include "environment.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

/* Read a number that this character follows, and step behind both. */
static bool number(const char **text, char behind, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(*text, &end, 10);
    if (end == *text || *end != behind || errno || *value < INT_MIN || *value > most)
        return false;
    *text = end + 1;
    return true;
}

int uno_environment(struct uno_handed *memory, int *pe) {
    const char *text = getenv(UNO_ENVIRONMENT);
    long fd, launcher, device, inode, me;
    if (!text || !*text)
        return 0;
    if (!number(&text, ':', INT_MAX, &fd) || !number(&text, ':', INT_MAX, &launcher) ||
        !number(&text, ':', LONG_MAX, &device) || !number(&text, ',', LONG_MAX, &inode) ||
        !number(&text, 0, INT_MAX, &me))
        return -EINVAL;
    *memory = (struct uno_handed){(int)fd, (pid_t)launcher, (uint64_t)device, (uint64_t)inode};
    *pe = (int)me;
    return 1;
}

/* Return true if the variable is Slurm's and of no step of srun. A script of sbatch that was submitted within
 * a step has that one's environment, and a negative number of a step, its own. */
static bool is_left_over(const char *name) {
    const char *step = getenv("SLURM_STEP_ID");
    return strncmp(name, "SLURM_", 6) == 0 && step && *step == '-';
}

/* `unisono run` sets Open MPI's variable, too, beside UNISONO_JOB. Slurm's is that of a step of srun, since
 * scripts of sbatch and shells of salloc, which are one process each, have SLURM_NTASKS and SLURM_NPROCS. The
 * shell of salloc may be a step, of one task. */
const char *uno_environment_foreign(int *processes) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
    if (getenv(UNO_ENVIRONMENT))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        long value;
        if (text && number(&text, 0, INT_MAX, &value) && value > 1 && !is_left_over(names[i])) {
            *processes = (int)value;
            return names[i];
        }
    }
    return NULL;
}

static bool is_handed(const struct uno_handed *handed, int fd) {
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_dev == handed->device && st.st_ino == handed->inode;
}

/* The kernel lets a process open what another one of its user has open, under a name in /proc. A number of a
 * process may be another one's by now, so that the file is looked at. */
int uno_handed_open(const struct uno_handed *handed, bool *opened) {
    char path[64];
    *opened = false;
    if (is_handed(handed, handed->fd))
        return handed->fd;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)handed->launcher, handed->fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (is_handed(handed, fd)) {
        *opened = true;
        return fd;
    }
    close(fd);
    errno = ESRCH;
    return -1;
}

bool uno_handed_write(const struct uno_handed *handed, int fd, const void *data, size_t size, off_t at) {
    if (!is_handed(handed, fd))
        return false;
    for (const char *rest = data; size;) {
        ssize_t got = pwrite(fd, rest, size, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        rest += got;
        size -= (size_t)got;
        at += got;
    }
    return true;
}

void uno_handed_close(const struct uno_handed *handed, int fd) {
    if (is_handed(handed, fd))
        close(fd);
}

int uno_environment_pes(void) {
    struct uno_handed memory;
    struct uno_job header = {0};
    int pe;
    bool opened;
    if (uno_environment(&memory, &pe) != 1)
        return 1;
    int fd = uno_handed_open(&memory, &opened);
    if (fd >= 0 && pread(fd, &header, sizeof header, 0) != sizeof header)
        header.magic = 0;
    if (opened)
        close(fd);
    return header.magic == UNO_MAGIC ? header.n : 1;
}
