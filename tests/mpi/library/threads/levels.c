/* The levels of threads that a program asks for, and the calls that are allowed in a thread that is not the
 * rank's, and before MPI_Init. */

#include "threads.h"

#include <string.h>

static int level;

static void *ask(void *unused) {
    int flag;
    GOOD(MPI_Initialized(&flag));
    CHECK(flag);
    GOOD(MPI_Finalized(&flag));
    CHECK(!flag);
    GOOD(MPI_Query_thread(&flag));
    CHECK(flag == level);
    GOOD(MPI_Is_thread_main(&flag));
    CHECK(!flag);
    return unused;
}

/* One thread after the other, in collectives too. */
static void in_turn(const struct thread *thread) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int sum = 0, number = thread->number;
    for (int i = 0; i < 200; i++) {
        pthread_mutex_lock(&lock);
        GOOD(MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
        GOOD(MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 1, &sum, 1, MPI_INT, (me + n - 1) % n, 1,
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(sum == (me + n - 1) % n);
        pthread_mutex_unlock(&lock);
    }
}

int main(int argc, char **argv) {
    static const char *const names[] = {"single", "funneled", "serialized", "multiple", "mixed"};
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    pthread_t thread;
    int flag, asked = 0;
    const char *name = argc > 1 ? argv[1] : "multiple";
    while (strcmp(names[asked], name) != 0)
        CHECK(++asked <= 4);
    if (asked == 4) /* each rank asks for another one */
        asked = atoi(strrchr(getenv("UNISONO_JOB"), ',') + 1) % 4;
    level = levels[asked];
    CHECK(MPI_Initialized(NULL) == MPI_ERR_ARG);
    GOOD(MPI_Initialized(&flag));
    CHECK(!flag);
    begin(&argc, &argv, level);
    CHECK(pthread_create(&thread, NULL, ask, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    GOOD(MPI_Is_thread_main(&flag));
    CHECK(flag);
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    if (strcmp(name, "serialized") == 0 || strcmp(name, "multiple") == 0)
        let_work(3, in_turn);
    GOOD(MPI_Finalize());
    GOOD(MPI_Finalized(&flag));
    CHECK(flag);
    return EXIT_SUCCESS;
}
