/* A writer whose pool holds nothing waits for room in a full ring. Its reader reads just before the writer
 * falls asleep, at each of the moments at which that looks at the clock: then there is room, nothing more
 * will come to wake it, and it must not sleep. The calls of the library come here first. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <vertex.h>

#include "engine/atomic.h"
#include "harness.h"

enum { FUTEX_WAITV = 449 }; /* of which not every system's headers know */
enum { WRITER, READER, PES, MOMENTS = 6, MESSAGES = 150, SECOND = 1 };

static uno_atomic32 asked, done; /* messages that are to be read, and that were */
static uno_atomic32 waits, lost;

/* The writer's own. */
static _Thread_local struct {
    bool writes;  /* it is in nwrite */
    int moment;   /* of each wait, at which one message is read */
    int looks;    /* at the clock, in this wait */
    bool granted; /* one was read */
    time_t ahead; /* its clock, so that it does not wait long before it sleeps */
} writer;

static void have_read(uint32_t messages) {
    uno_add32_seq_cst(&asked, messages);
    while (uno_load32_acquire(&done) != uno_load32_relaxed(&asked))
        sched_yield();
}

static void have_one_read(void) {
    writer.granted = true;
    have_read(1);
}

#pragma GCC visibility push(default) /* for the library to call them */

int clock_gettime(clockid_t clock, struct timespec *t) {
    int (*next)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, t);
    if (writer.writes) {
        t->tv_sec += writer.ahead += SECOND;
        if (writer.looks++ == writer.moment)
            have_one_read();
    }
    return result;
}

long syscall(long number, ...) {
    long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"), w[6];
    va_list words;
    va_start(words, number);
    for (int i = 0; i < 6; i++)
        w[i] = va_arg(words, long);
    va_end(words);
    bool sleeps = number == FUTEX_WAITV || (number == SYS_futex && (w[1] & FUTEX_CMD_MASK) == FUTEX_WAIT);
    if (!writer.writes || !sleeps)
        return next(number, w[0], w[1], w[2], w[3], w[4], w[5]);
    bool granted = writer.granted;
    uno_add32_seq_cst(&waits, 1);
    if (!granted)
        have_one_read();
    long result = next(number, w[0], w[1], w[2], w[3], w[4], w[5]);
    /* the earlier read has rung the bell, so that the kernel refuses to sleep */
    if (granted && !(result < 0 && errno == EAGAIN))
        uno_add32_seq_cst(&lost, 1);
    return result;
}

#pragma GCC visibility pop

static void write_all(void) {
    npool(0);
    for (writer.moment = 0; writer.moment < MOMENTS; writer.moment++) {
        for (int i = 0; i < MESSAGES; i++) {
            writer.looks = 0;
            writer.granted = false;
            writer.writes = true;
            nwrite(&i, sizeof i, READER, 0);
            writer.writes = false;
        }
        have_read(MESSAGES * (uint32_t)(writer.moment + 1) - uno_load32_relaxed(&asked));
    }
}

static void read_all(void) {
    for (uint32_t read = 0; read < MOMENTS * MESSAGES;) {
        if (uno_load32_acquire(&asked) == read) {
            sched_yield();
            continue;
        }
        int value;
        nread(&value, sizeof value, NULL, NULL);
        CHECK_INT(read % MESSAGES, value);
        uno_store32_release(&done, ++read);
    }
}

static int body(void *unused) {
    (void)unused;
    if (p_iproc() == WRITER)
        write_all();
    else
        read_all();
    p_wait();
    CHECK(uno_load32_relaxed(&waits) > 0); /* late moments find it asleep: it does wait */
    CHECK_INT(0, uno_load32_relaxed(&lost));
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
