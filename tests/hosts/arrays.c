/* arrays WHAT: PEs of a job on several machines call what needs memory that all of them reach, or use a file.
 *
 *   alloc     p_alloc, in the group of all
 *   free      p_free
 *   put       p_permutePut
 *   get       p_permuteGet
 *   near      all of these, in the groups of the PEs of each machine, of which PE 0 and 1 are one
 *   gone      exchange blocks without PE 0, which has left
 *   messages  exchange blocks while messages of the program are on their way
 *   open PATH   open a file anew, and leave it open
 *   killed PATH the same, and then the last PE is killed
 *   write PATH  write a file anew */

#include <exchange.h>
#include <papers.h>
#include <papers/file.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <vertex.h>

static uint64_t array[4], index_of[1];

static void call(const char *what, uint64_t *shared) {
    uint64_t own = 7;
    if (strcmp(what, "alloc") == 0)
        p_alloc(8);
    else if (strcmp(what, "free") == 0)
        p_free(shared);
    else if (strcmp(what, "put") == 0)
        p_permutePut(shared, 4, &own, index_of, 1, sizeof own);
    else if (strcmp(what, "get") == 0)
        p_permuteGet(&own, shared, 4, index_of, 1, sizeof own);
    else
        p_error("there is no such case");
}

static void near(void) {
    p_enqueue(p_iproc() < 2 ? 0x3 : ALL_MASK & ~UINT64_C(0x3));
    uint64_t *shared = p_alloc(4 * sizeof *shared);
    index_of[0] = (uint64_t)p_enumerate();
    call("put", shared);
    call("get", shared);
    if (p_enumerate() == 0)
        printf("%d %d\n", (int)shared[0], (int)shared[1]);
    p_wait();
    p_free(shared);
}

static int messages(void) {
    enum { BYTES = 100 };
    int me = p_iproc(), n = p_nproc(), seen = -1, node = NANY, type = NANY, wrong = 0;
    char to[16 * BYTES], from[16 * BYTES];
    memset(from, me + 1, sizeof from);
    nwrite(&me, sizeof me, (me + n / 2) % n, 0);
    p_allToAll(to, from, BYTES);
    wrong += nread(&seen, sizeof seen, &node, &type) != (ssize_t)sizeof seen || (seen + n / 2) % n != me;
    for (int i = 0; i < n * BYTES; i++)
        wrong += to[i] != i / BYTES + 1;
    return wrong != 0;
}

static int use_file(const char *path, const char *what) {
    int file = p_open(path, "w"), wrote = file < 0 ? file : (int)p_write(file, "abc", 3);
    if (strcmp(what, "killed") == 0) {
        if (p_iproc() == p_nproc() - 1)
            raise(SIGKILL);
        p_wait();
    }
    if (file >= 0 && strcmp(what, "open") != 0)
        wrote = p_close(file);
    if (wrote < 0 && p_iproc() == 0)
        printf("%s\n", p_fileError());
    return wrote < 0;
}

int main(int argc, char **argv) {
    p_init();
    if (argc < 2)
        return p_exit(2);
    if (argc > 2)
        return p_exit(use_file(argv[2], argv[1]));
    if (strcmp(argv[1], "gone") == 0)
        return p_exit(p_iproc() ? messages() : 0);
    if (strcmp(argv[1], "messages") == 0)
        return p_exit(messages());
    if (strcmp(argv[1], "near") == 0)
        near();
    else
        call(argv[1], array);
    return p_exit(0);
}
