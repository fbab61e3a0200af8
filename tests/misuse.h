/* Programs that break a rule, and what must become of them. */

#ifndef TEST_MISUSE_H
#define TEST_MISUSE_H

/* The last of what is expected holds for PEs that are processes: a team ends with the first message. */
enum { SURVIVOR = 3 };

struct misuse {
    const char *name;
    int pes;
    void (*body)(int me);
    double delay;          /* seconds that pass before the rule is broken, or for which a PE is busy */
    const char *expect[4]; /* what standard error must contain */
};
extern const struct misuse misuses[];
extern const int misuse_count;

/* Run every case on the unit whose start is given as words, with {N} and {PROGRAM} to be replaced. Returns
 * the exit status. */
int misuse_drive(const char *program, char **words);

#endif
