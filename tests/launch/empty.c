/* The least program: checks in and out. */

#include <papers.h>

int main(void) {
    p_init();
    return p_exit(0);
}
