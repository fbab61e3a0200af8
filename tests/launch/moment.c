/* The beginning of a line is shown on a terminal a moment after it has come, whatever other PEs write
 * meanwhile. The clock is the test's own, so that nothing depends on how fast the machine is. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "engine/kernel.h"
#include "launch/output.h"

enum { PES = 3, MS = 1000 * 1000 };

static uint64_t now = (uint64_t)1000 * MS;

uint64_t uno_kernel_now(void) {
    return now;
}

static struct uno_output out;
static int pipes[PES], shown, report;

static void expect(bool good, const char *what, const char *text) {
    if (good)
        return;
    dprintf(report, "%s: shown is \"%s\"\n", what, text);
    _exit(1);
}

/* Make a terminal of standard output and error, and keep standard error for reports. */
static void open_terminal(void) {
    struct termios raw;
    report = dup(STDERR_FILENO);
    shown = posix_openpt(O_RDWR | O_NOCTTY);
    expect(shown >= 0 && !grantpt(shown) && !unlockpt(shown), "there is no terminal", "");
    int fd = open(ptsname(shown), O_RDWR | O_NOCTTY);
    expect(fd >= 0 && !tcgetattr(fd, &raw), "the terminal cannot be opened", "");
    cfmakeraw(&raw);
    expect(!tcsetattr(fd, TCSANOW, &raw), "the terminal changes what it shows", "");
    dup2(fd, STDOUT_FILENO);
    dup2(fd, STDERR_FILENO);
    fcntl(shown, F_SETFL, O_NONBLOCK);
}

/* PE `pe` writes the text (NULL: nothing) `ms` milliseconds later; then the terminal shows `wanted` more. */
static void step(int ms, int pe, const char *text, const char *wanted) {
    char got[100];
    now += (uint64_t)ms * MS;
    if (text)
        expect(write(pipes[pe], text, strlen(text)) == (ssize_t)strlen(text), "a PE cannot write", text);
    uno_output_step(&out);
    ssize_t length = read(shown, got, sizeof got - 1);
    got[length > 0 ? length : 0] = 0;
    expect(strcmp(got, wanted) == 0, wanted, got);
}

int main(void) {
    open_terminal();
    expect(uno_output_open(&out, PES, false) == 0, "the output cannot be opened", "");
    for (int pe = 0; pe < PES; pe++)
        expect((pipes[pe] = uno_output_pipe(&out, pe, 0)) >= 0, "there is no pipe", "");

    /* Three prompts: each appears when its own 20 ms are over, and is not held for those of the others. */
    step(0, 0, "a? ", "");
    step(8, 1, "b? ", "");
    step(8, 2, "c? ", "");
    step(4, 0, NULL, "a? ");
    step(7, 0, NULL, "");
    step(1, 0, NULL, "b? ");
    step(8, 0, NULL, "c? ");
    expect(out.show == 0, "nothing is due any more", "");

    /* A line in two writes, which began just before another one's time: it comes as a whole. */
    step(0, 0, "\n", "\n");
    step(0, 0, "10% ", "");
    step(19, 1, "one ", "");
    step(1, 0, NULL, "10% ");
    step(1, 1, "line\n", "one line\n");

    /* The line that was held is completed in time: the next one of the same PE has a moment of its own. */
    step(0, 2, "first ", "");
    step(19, 2, "end\nsecond ", "first end\n");
    step(1, 2, NULL, "");
    step(18, 2, "end\n", "second end\n");
    step(100, 2, NULL, "");

    uno_output_close(&out);
    return 0;
}
