/* Calls of overloads, which papers/generic.h defines: a comment has what is called on its line. */

#include <papers.h>

int main() {
    p_init();
    double x = p_reduceAdd(1.5); /* p_reduceAdd */
    bool b = p_reduceOr(x > 0);  /* p_reduceOr */
    int all[4];
    p_gather(all, b ? 1 : 0); /* p_gather */
    return p_exit(0);
}
