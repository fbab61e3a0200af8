/* PE 0 looks for what PE 1 sends, and never waits: by ntest for a standard message, and by npoll for an
 * extended one. Time must pass on the tile of a PE that only looks. */

#include <papers.h>
#include <vertex.h>

int main(void) {
    char data[8] = "message";
    int node = 1, type = 5, flag = 0;
    p_init();
    if (p_iproc() == 1) {
        nwrite(data, sizeof data, 0, type);
    } else {
        while (ntest(&node, &type) < 0)
            ;
        nread(data, sizeof data, &node, &type);
    }
    nextend(1 - p_iproc());
    if (p_iproc() == 0)
        nrcvreq(data, sizeof data, 1, &flag);
    p_wait();
    if (p_iproc() == 1)
        nsend(data, sizeof data, 0, &flag);
    while (!flag)
        npoll();
    p_exit(0);
    return 0;
}
