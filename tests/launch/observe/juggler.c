/* juggler: 3 PEs send messages as fast as they can, for ever; PE 0 to PE 1, and PE 2 to itself. Any message
 * of type t has t * 37 % 89 bytes, so that one which is put together of two others shows it. */

#include <vertex.h>

enum { BATCH = 20, TYPES = 1 << 20, FACTOR = 37, LENGTHS = 89 };

static void write_batch(int to) {
    static const char data[LENGTHS];
    static int type;
    for (int i = 0; i < BATCH; i++, type = (type + 1) % TYPES)
        nwrite(data, (size_t)(type * FACTOR % LENGTHS), to, type);
}

static void read_batch(void) {
    char data[LENGTHS];
    for (int i = 0; i < BATCH; i++)
        nread(data, sizeof data, NULL, NULL);
}

int main(void) {
    p_init();
    p_wait();
    for (int me = p_iproc();;) {
        if (me != 1)
            write_batch(me == 0 ? 1 : me);
        if (me != 0)
            read_batch();
    }
}
