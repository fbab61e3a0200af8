/* Programs that break a rule, and what must become of them. */

#ifndef TEST_MISUSE_H
#define TEST_MISUSE_H

struct misuse {
    const char *name;
    int pes;
    void (*body)(int me);
    double delay;          /* seconds that pass before the rule is broken */
    const char *expect[3]; /* what standard error must contain */
};
extern const struct misuse misuses[];
extern const int misuse_count;

/* Run every case on the unit whose start is given as words, with {N} and {PROGRAM} to be replaced. Returns
 * the exit status. */
int misuse_drive(const char *program, char **words);

#endif
