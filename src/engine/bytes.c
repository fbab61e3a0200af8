#include "bytes.h"

#include <errno.h>
#include <unistd.h>

int uno_file_get(int file, void *to, size_t bytes, uint64_t at, size_t *got) {
    *got = 0;
    while (*got < bytes) {
        ssize_t n = pread(file, (char *)to + *got, bytes - *got, (off_t)(at + *got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : 0;
        *got += (size_t)n;
    }
    return 0;
}

int uno_file_put(int file, const void *from, size_t bytes, uint64_t at) {
    while (bytes) {
        ssize_t n = pwrite(file, from, bytes, (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n ? -errno : -EIO;
        from = (const char *)from + n;
        at += (uint64_t)n;
        bytes -= (size_t)n;
    }
    return 0;
}
