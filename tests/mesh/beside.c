/* beside [COUNT]: PEs in an operation at the unit beside the network, to which messages come: PE 1 asks for a
 * long message without buffers and goes into a barrier, which PE 0 comes to when the message has been taken.
 * So it comes to PE 1 while that one waits at the unit. Meanwhile PEs 2 and 3 have a group of their own, in
 * which each learns the other's number. All of it twice, with other data.
 *
 * With COUNT there is only a barrier, to which PE 0 comes when it has counted so far. */

#include <papers.h>
#include <stdlib.h>
#include <vertex.h>

enum { BYTES = 20000, ROUNDS = 2 };

static char data[BYTES];

static char byte_of(int round, int i) {
    return (char)(i * 7 + round);
}

static void check(bool right, const char *what) {
    if (!right)
        p_error(what);
}

/* A barrier of the PEs of a mask, and then one of all is next. */
static void meet(uint64_t mask) {
    p_enqueue(mask);
    p_wait();
    p_enqueue(ALL_MASK);
}

static void send(int round) {
    int flag = 0;
    for (int i = 0; i < BYTES; i++)
        data[i] = byte_of(round, i);
    meet(3); /* PE 1 has asked for it */
    nsend(data, BYTES, 1, &flag);
    while (!flag)
        npoll();
    p_wait();
}

static void receive(int round) {
    int flag = 0;
    nrcvreq(data, BYTES, 0, &flag);
    meet(3);
    p_wait();
    while (!flag)
        npoll();
    for (int i = 0; i < BYTES; i++)
        check(data[i] == byte_of(round, i), "the message has other bytes");
}

static void meet_apart(int round) {
    int me = p_iproc();
    p_enqueue(UINT64_C(12));
    check(p_reduceAdd64(me + round) == 5 + 2 * round, "the sum of two PEs is another one");
    p_enqueue(ALL_MASK);
    p_wait();
}

static int come_late(int count) {
    for (volatile int i = 0; p_iproc() == 0 && i < count;)
        i = i + 1;
    p_wait();
    return p_exit(0);
}

int main(int argc, char **argv) {
    p_init();
    int me = p_iproc();
    if (argc > 1)
        return come_late(atoi(argv[1]));
    check(p_nproc() == 4, "this test is for 4 PEs");
    if (me < 2)
        nextend(1 - me);
    for (int round = 0; round < ROUNDS; round++) {
        if (me == 0)
            send(round);
        else if (me == 1)
            receive(round);
        else
            meet_apart(round);
        check(p_reduceMin32(9 - me + round) == 6 + round, "the least of all is another one");
    }
    return p_exit(0);
}
