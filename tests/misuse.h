/* Programs that break a rule, and what must become of them. A test is a table of such cases and drive.c:
 *
 *     test-misuse drive LAUNCHER...   every case, each as a job of its own
 *     test-misuse CASE                one PE of that job
 */

#ifndef TEST_MISUSE_H
#define TEST_MISUSE_H

/* The last expected text holds for PEs that are processes: a team ends with the first message. */
enum { SURVIVOR = 3 };

struct misuse {
    const char *name;
    int pes;
    void (*body)(int me);
    double delay;          /* seconds before the rule is broken, or for which a PE is busy */
    const char *expect[4]; /* texts that standard error must contain */
};
extern const struct misuse misuses[];
extern const int misuse_count;

#endif
