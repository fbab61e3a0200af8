/* The side of script/bench-files that has an MPI library. Ways: write (independent, MPI_File_write_at), all
 * (collective), ordered (the shared file pointer), and read (independent). */

#include <mpi.h>
#include <stdbool.h>

#include "work.h"

static void sure(int error) {
    if (error != MPI_SUCCESS) {
        fprintf(stderr, "an MPI function has failed\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv) {
    int me, n;
    MPI_File file;
    MPI_Init(&argc, &argv);
    struct work w = work_of(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    bool reads = strcmp(w.way, "read") == 0, all = strcmp(w.way, "all") == 0, at = !strcmp(w.way, "write");
    MPI_Barrier(MPI_COMM_WORLD);
    double t0 = seconds_now();
    sure(MPI_File_open(MPI_COMM_WORLD, w.file, reads ? MPI_MODE_RDONLY : MPI_MODE_CREATE | MPI_MODE_WRONLY,
                       MPI_INFO_NULL, &file));
    for (long i = 0; i < w.pieces; i++) {
        uint64_t number = (uint64_t)i * (uint64_t)n + (uint64_t)me;
        MPI_Offset place = (MPI_Offset)(number * w.bytes);
        int bytes = (int)w.bytes;
        if (reads) {
            sure(MPI_File_read_at(file, place, w.data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
            work_check(&w, number);
        } else {
            work_mark(&w, number);
            sure(at    ? MPI_File_write_at(file, place, w.data, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                 : all ? MPI_File_write_at_all(file, place, w.data, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                       : MPI_File_write_ordered(file, w.data, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
        }
    }
    sure(MPI_File_close(&file));
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("%.9f\n", seconds_now() - t0);
    free(w.data);
    MPI_Finalize();
    return 0;
}
