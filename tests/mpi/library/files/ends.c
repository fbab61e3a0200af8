/* Jobs that end while they write a file, or may not open it: ends CASE FILE [MICROSECONDS]. A program that is
 * careful writes its data, has them brought to the disk, and writes the header last. */

#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "mpi/library/mpi_check.h"

enum { HEADER = 64, COUNT = 20000, ROUNDS = 40 };

static int rank, size, data[COUNT];
static MPI_File f;

static MPI_File open_file(const char *path, int amode) {
    MPI_File opened;
    GOOD(MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &opened));
    return opened;
}

/* Round r of this rank's words, which lie between those of the other ranks. */
static void fill(int r) {
    for (int i = 0; i < COUNT; i++)
        data[i] = 1 + (r * COUNT + i) * size + rank;
}

static void write_together(void) {
    MPI_Datatype mine, type;
    GOOD(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * size, &type));
    GOOD(MPI_Type_contiguous(1, type, &mine));
    GOOD(MPI_Type_commit(&mine));
    GOOD(MPI_File_set_view(f, HEADER + (MPI_Offset)sizeof(int) * rank, MPI_INT, mine, "native",
                           MPI_INFO_NULL));
    for (int r = 0; r < ROUNDS; r++) {
        fill(r);
        GOOD(MPI_File_write_all(f, data, COUNT, MPI_INT, MPI_STATUS_IGNORE));
    }
    GOOD(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    GOOD(MPI_Type_free(&mine));
    GOOD(MPI_Type_free(&type));
}

static void write_header(void) {
    GOOD(MPI_File_sync(f));
    if (rank == 0)
        GOOD(MPI_File_write_at(f, 0, "whole", 6, MPI_CHAR, MPI_STATUS_IGNORE));
    GOOD(MPI_File_sync(f));
    GOOD(MPI_File_close(&f));
}

static void whole(void) {
    write_together();
    write_header();
}

static void die(int signal) {
    (void)signal;
    raise(SIGKILL);
}

/* Rank 1 is killed so many microseconds after the beginning. */
static void killed(int microseconds) {
    struct itimerval timer = {.it_value = {.tv_usec = microseconds}};
    GOOD(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 1) {
        CHECK(signal(SIGALRM, die) != SIG_ERR);
        CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
    }
    whole();
}

/* Rank 1 does not get to write its part, which no other rank waits for. */
static void late(void) {
    fill(0);
    if (rank == 1)
        raise(SIGKILL);
    GOOD(MPI_File_write_at(f, HEADER + (MPI_Offset)sizeof data * rank, data, COUNT, MPI_INT,
                           MPI_STATUS_IGNORE));
    write_header();
}

static void fails(const char *path, int amode) {
    int class;
    GOOD(MPI_Error_class(MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &f), &class));
    CHECK(class == MPI_ERR_ACCESS && f == MPI_FILE_NULL);
}

/* The file may be read, and not written. */
static void read_only(const char *path) {
    char got;
    fails(path, MPI_MODE_RDWR);
    fails(path, MPI_MODE_WRONLY);
    fails(path, MPI_MODE_RDWR | MPI_MODE_CREATE);
    f = open_file(path, MPI_MODE_RDONLY);
    GOOD(MPI_File_read_at_all(f, 0, &got, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    CHECK(got == 'x');
    GOOD(MPI_File_close(&f));
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR, MPI_INFO_NULL, &f);
}

/* The file may be written, and not read. */
static void write_only(const char *path) {
    char word[2] = {(char)('a' + rank), 0};
    fails(path, MPI_MODE_RDONLY);
    fails(path, MPI_MODE_RDWR);
    f = open_file(path, MPI_MODE_WRONLY);
    GOOD(MPI_File_write_at_all(f, rank, word, 1, MPI_CHAR, MPI_STATUS_IGNORE));
    GOOD(MPI_File_close(&f));
}

int main(int argc, char **argv) {
    GOOD(MPI_Init(&argc, &argv));
    GOOD(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    GOOD(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(argc >= 3);
    const char *what = argv[1], *path = argv[2];
    if (strcmp(what, "read-only") == 0) {
        read_only(path);
    } else if (strcmp(what, "write-only") == 0) {
        write_only(path);
    } else {
        f = open_file(path, MPI_MODE_RDWR | MPI_MODE_CREATE);
        if (strcmp(what, "killed") == 0)
            killed(atoi(argv[3]));
        else if (strcmp(what, "late") == 0)
            late();
        else
            whole();
    }
    GOOD(MPI_Finalize());
    return EXIT_SUCCESS;
}
