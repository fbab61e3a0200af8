/* letters: 4 PEs come into a state of messages that is known, and stay in it.
 *   PE 0: waits for type 9 from PE 3; has 100 bytes of type 5, 300,000 of type 6, and 16 of type 8 in the
 *         subcube of PEs 0 and 1, all from PE 1, which nobody asks for
 *   PE 1: waits for type 4 from PE 0; has written 200 messages of 8 bytes and type 1 to PE 2, of which 64
 * have room on their way PE 2: computes; has requested 24 and 1,000 bytes from PE 3 PE 3: waits for anything,
 * after one message that it has read */

#include <stdlib.h>
#include <unistd.h>
#include <vertex.h>
#include <vertex/cube.h>

enum { MANY = 200 };

static void wait_for(int from, int type) {
    char data[8];
    nread(data, sizeof data, &from, &type);
}

static void write_all(void) {
    static char data[300000];
    nwrite(data, 100, 0, 5);
    nwrite(data, sizeof data, 0, 6);
    nwrite(data, 8, 3, 7);
    for (int i = 0; i < MANY; i++)
        nwrite(data, 8, 2, 1);
    nsubcube(1);
    nwrite(data, 16, 0, 8);
    nsupercube();
}

int main(void) {
    static char room[1024];
    static int came[2];
    int from = 0, type = 4;
    p_init();
    p_wait();
    switch (p_iproc()) {
    case 0:
        wait_for(3, 9);
        break;
    case 1:
        write_all();
        nprobe(&from, &type);
        break;
    case 2:
        nextend(3);
        nrcvreq(room, 24, 3, &came[0]);
        nrcvreq(room + 24, 1000, 3, &came[1]);
        for (;;)
            usleep(1000);
    default:
        wait_for(1, 7);
        wait_for(NANY, NANY);
    }
    return p_exit(0);
}
