/* The side of script/bench-files that has <papers/file.h>. Ways: write, read. */

#include <papers/file.h>

#include "work.h"

static void sure(bool good) {
    if (!good)
        p_error(p_fileError());
}

int main(int argc, char **argv) {
    struct work w = work_of(argc, argv);
    p_init();
    uint64_t me = (uint64_t)p_iproc(), n = (uint64_t)p_nproc();
    bool reads = strcmp(w.way, "read") == 0;
    p_wait();
    double t0 = seconds_now();
    int file = p_open(w.file, reads ? "r" : "w");
    sure(file >= 0);
    for (long i = 0; i < w.pieces; i++) {
        uint64_t number = (uint64_t)i * n + me;
        if (reads) {
            sure(p_read(file, w.data, w.bytes) == (int64_t)w.bytes);
            work_check(&w, number);
        } else {
            work_mark(&w, number);
            sure(p_write(file, w.data, w.bytes) >= 0);
        }
    }
    sure(p_close(file) == 0);
    if (me == 0)
        printf("%.9f\n", seconds_now() - t0);
    free(w.data);
    return p_exit(0);
}
