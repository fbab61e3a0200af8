/* Writes one file again and again, until it is killed: version v of it is 200 parts of each PE, each byte v %
 * 256. Its word is the size of a part. */

#include <papers/file.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { PARTS = 200 };

static int body(void *unused) {
    (void)unused;
    size_t bytes = (size_t)atol(test.word);
    char *part = malloc(bytes);
    CHECK(part);
    for (int version = 1;; version++) {
        int f = p_open("written", "w");
        CHECK(f >= 0);
        memset(part, version, bytes);
        for (int i = 0; i < PARTS; i++)
            CHECK_INT((int64_t)bytes, p_write(f, part, bytes));
        CHECK_INT(0, p_close(f));
    }
}

int main(int argc, char **argv) {
    return test_run(argc, argv, body);
}
