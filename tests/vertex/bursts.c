/* So many PEs that the memory of each holds just one pool: a node fills it with messages before anyone reads,
 * and goes on with messages of other lengths. */

#include <string.h>
#include <vertex.h>

#include "harness.h"

static const struct {
    size_t bytes, count;
} bursts[] = {{60000, 1020}, {300, 20000}, {20000, 2000}, {1000, 20000}};
enum { BURSTS = sizeof bursts / sizeof *bursts };

static int body(void *unused) {
    static char out[60000], in[60000];
    (void)unused;
    for (int i = 0; i < BURSTS; i++) {
        for (size_t m = 0; p_iproc() == 0 && m < bursts[i].count; m++) {
            memcpy(out, &m, sizeof m);
            nwrite(out, bursts[i].bytes, 1, i);
        }
        if (i == 0)
            p_wait();
        for (size_t m = 0, got; p_iproc() == 1 && m < bursts[i].count; m++) {
            CHECK_INT((long long)bursts[i].bytes, nread(in, sizeof in, NULL, &i));
            memcpy(&got, in, sizeof got);
            CHECK_INT((long long)m, (long long)got);
        }
    }
    return TEST_PASSED;
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
