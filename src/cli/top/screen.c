#include "screen.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Escape codes that all terminals of today know. */
#define ENTER "\x1b[?1049h\x1b[?25l" /* another screen, without a cursor */
#define LEAVE "\x1b[?25h\x1b[?1049l"
#define HOME "\x1b[H"
#define REVERSED "\x1b[7m"
#define PLAIN "\x1b[m"
#define END_OF_LINE "\x1b[K"
#define REST "\x1b[J"

static struct termios before;
static bool taken;
static volatile sig_atomic_t ends, stops;

static void note(int number) {
    if (number == SIGTSTP)
        stops = 1;
    else if (number != SIGWINCH)
        ends = 1;
}

static void write_all(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}

static bool take(void) {
    struct termios raw;
    if (tcgetattr(STDIN_FILENO, &before))
        return false;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &raw))
        return false;
    write_all(ENTER);
    taken = true;
    return true;
}

bool screen_open(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !take())
        return false;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = note}, NULL);
    return true;
}

void screen_close(void) {
    if (!taken)
        return;
    taken = false;
    write_all(LEAVE);
    tcsetattr(STDIN_FILENO, TCSANOW, &before);
}

void screen_size(int *lines, int *columns) {
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
        size = (struct winsize){.ws_row = 24, .ws_col = 80};
    *lines = size.ws_row;
    *columns = size.ws_col;
}

void screen_show(const char *text, int heading) {
    fputs(HOME, stdout);
    for (int i = 0; *text; i++) {
        int length = (int)strcspn(text, "\n");
        bool last = !text[length] || !text[length + 1];
        printf("%s%.*s%s%s%s", i == heading ? REVERSED : "", length, text, i == heading ? PLAIN : "",
               END_OF_LINE, last ? "" : "\r\n");
        text += length + (text[length] == '\n');
    }
    write_all(REST);
}

/* Ctrl-Z stops the program as any other: the terminal is the shell's until it goes on. */
static void stop(void) {
    stops = 0;
    screen_close();
    raise(SIGSTOP);
    take();
}

int screen_key(int ms) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char key;
    int ready = ends || stops ? -1 : poll(&input, 1, ms);
    if (stops)
        stop();
    if (ends)
        return SCREEN_ENDS;
    if (ready < 0)
        return SCREEN_CHANGED;
    ssize_t got = ready ? read(STDIN_FILENO, &key, 1) : 0;
    return !ready ? 0 : got == 1 ? key : SCREEN_ENDS;
}
