/* polls FUNCTION: rank 0 calls a function that does not wait until it says what has come from rank 1, which
 * first comes to it later: time must pass on the tile of a rank that only looks. */

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGES = 2 };

static MPI_Request request[MESSAGES];
static MPI_Status status[MESSAGES];
static int flag, index_of, done, outcome[MESSAGES];

static void test(void) {
    if (request[0] != MPI_REQUEST_NULL)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    else
        MPI_Test(&request[1], &flag, MPI_STATUS_IGNORE);
    done += flag;
}

static void testall(void) {
    MPI_Testall(MESSAGES, request, &flag, status);
    done += flag ? MESSAGES : 0;
}

static void testany(void) {
    MPI_Testany(MESSAGES, request, &index_of, &flag, MPI_STATUS_IGNORE);
    done += flag;
}

static void testsome(void) {
    MPI_Testsome(MESSAGES, request, &flag, outcome, status);
    done += flag;
}

static void get_status(void) {
    MPI_Request_get_status(request[0], &flag, MPI_STATUS_IGNORE);
    if (flag) {
        MPI_Waitall(MESSAGES, request, status);
        done = MESSAGES;
    }
}

static void iprobe(void) {
    MPI_Iprobe(1, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    done += flag ? MESSAGES : 0;
}

static void improbe(void) {
    MPI_Message message;
    MPI_Improbe(1, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    if (!flag)
        return;
    int number;
    MPI_Mrecv(&number, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    done += MESSAGES;
}

static const struct way {
    const char *name;
    void (*look)(void);
    int probes; /* messages are not asked for before */
} ways[] = {{"MPI_Test", test, 0},
            {"MPI_Testall", testall, 0},
            {"MPI_Testany", testany, 0},
            {"MPI_Testsome", testsome, 0},
            {"MPI_Request_get_status", get_status, 0},
            {"MPI_Iprobe", iprobe, 1},
            {"MPI_Improbe", improbe, 1}};

static void poll_by(const struct way *way, int me) {
    int number[MESSAGES] = {0};
    done = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < MESSAGES && (me == 1 || !way->probes); i++) {
        if (me == 1)
            MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        else
            MPI_Irecv(&number[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    }
    while (me == 0 && done < MESSAGES)
        way->look();
    for (int i = 0; me == 0 && way->probes && i < MESSAGES; i++)
        if (i == 0 || way->look == iprobe)
            MPI_Recv(&number[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (argc > 1 && !strcmp(argv[1], ways[i].name))
            poll_by(&ways[i], me);
    MPI_Finalize();
    return 0;
}
