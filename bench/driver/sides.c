/* Every worker connects to an abstract Unix socket, which is no file, so nothing is left behind. A launcher
 * that loses this process is terminated by the kernel; a worker that loses its launcher, too. */

#define _GNU_SOURCE
#include "sides.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/common/here.h"
#include "engine/processors.h"
#include "child.h"
#include "failure.h"
#include "launch/descendants.h"
#include "peers.h"
#include "seconds.h"

enum { START_SECONDS = 120, STOP_SECONDS = 20, KILL_SECONDS = 3, MAX_ARGUMENTS = 32, OUTPUT_TAIL = 2000 };

/* ---- where things are -------------------------------------------------------------------------------- */

/* Workers lie beside this program. */
static void worker_path(char *path, size_t size, const char *key, const char *suffix) {
    char file[64];
    snprintf(file, sizeof file, "bench-%s%s", key, suffix);
    here_path(path, size, ".", file);
}

/* ---- which sides there are --------------------------------------------------------------------------- */

static const struct { const char *key, *name; } known_peers[] = {{"mpich", "MPICH"}, {"openmpi", "Open MPI"}};

enum { KNOWN_PEERS = sizeof known_peers / sizeof *known_peers };

static struct side *add_side(struct bench *b, const char *key, const char *name) {
    struct side *side = &b->side[b->sides++];
    memset(side, 0, sizeof *side);
    snprintf(side->key, sizeof side->key, "%s", key);
    side->worker = side->key;
    snprintf(side->name, sizeof side->name, "%s", name);
    snprintf(side->label, sizeof side->label, "%s", name);
    return side;
}

static void add_absent(struct bench *b, const char *name, const char *why) {
    snprintf(b->absent[b->absents++], sizeof b->absent[0], "%s: %s", name, why);
}

/* A side whose worker need not be there. Returns whether it is. */
static bool add_extra(struct bench *b, const struct bench_extra *extra) {
    char path[4096];
    worker_path(path, sizeof path, extra->worker, "");
    if (access(path, X_OK))
        return false;
    struct side *side = add_side(b, extra->key, extra->name);
    side->worker = extra->worker;
    side->variant = extra->variant;
    return true;
}

static bool is_listed(const char *list, const char *key) {
    size_t length = strlen(key);
    for (const char *at = list; (at = strstr(at, key)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

static void check_list(const char *list) {
    char copy[200], *save, *key;
    snprintf(copy, sizeof copy, "%s", list);
    for (key = strtok_r(copy, ",", &save); key; key = strtok_r(NULL, ",", &save)) {
        int p = 0;
        while (p < KNOWN_PEERS && strcmp(key, known_peers[p].key))
            p++;
        if (p == KNOWN_PEERS)
            bench_reject("--peers %s: \"%s\" is not a peer; known are auto, none, mpich, openmpi", list, key);
    }
}

void bench_sides_find(struct bench *b) {
    const char *peers = b->options.peers;
    bool automatic = strcmp(peers, "auto") == 0;
    static const struct bench_extra library = {"unisono-mpi", "unisono-mpi", "Unisono MPI", false};
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* for uno_kill_descendants; this process began without children */
    if (!b->library)
        add_side(b, "unisono", "Unisono");
    else if (!add_extra(b, &library))
        bench_fail("Unisono was built without its MPI library, which needs python3; install it, and "
                   "configure again");
    add_side(b, "bare", "bare exchange");
    if (b->extra)
        add_extra(b, b->extra);
    if (strcmp(peers, "none") == 0) {
        for (int p = 0; p < KNOWN_PEERS; p++)
            add_absent(b, known_peers[p].name, "not asked for (--peers none)");
        return;
    }
    if (!automatic)
        check_list(peers);
    for (int p = 0; p < KNOWN_PEERS; p++) {
        const char *name = known_peers[p].name;
        char path[4096];
        json_error_t error;
        if (!automatic && !is_listed(peers, known_peers[p].key)) {
            add_absent(b, name, "not asked for (--peers)");
            continue;
        }
        worker_path(path, sizeof path, known_peers[p].key, ".json");
        json_t *description = json_load_file(path, 0, &error);
        if (description && !bench_peer_find(description)) {
            if (!automatic)
                bench_fail("--peers %s: there is no mpirun of %s in PATH", peers, name);
            add_absent(b, name, "there is no mpirun of it in PATH");
            json_decref(description);
        } else if (description) {
            struct side *side = add_side(b, known_peers[p].key, name);
            side->peer = true;
            side->description = description;
        } else if (automatic) {
            add_absent(b, name, "no mpicc of it was found when Unisono was built");
        } else {
            bench_fail("--peers %s: Unisono was built without %s; install it, then configure again with "
                       "-DUNISONO_PEERS=FOLDER (the one with bin/mpicc)",
                       peers, name);
        }
    }
}

/* ---- start ------------------------------------------------------------------------------------------- */

static void listen_for_workers(struct bench *b) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    uint64_t random[2];
    if (getrandom(random, sizeof random, 0) != sizeof random)
        bench_fail("no random numbers: %m");
    int length = snprintf(b->socket_name, sizeof b->socket_name, "unisono-bench-%016llx%016llx",
                          (unsigned long long)random[0], (unsigned long long)random[1]);
    memcpy(address.sun_path + 1, b->socket_name, (size_t)length);
    b->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (b->listener < 0 ||
        bind(b->listener, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) ||
        listen(b->listener, MAX_SIDES * BENCH_MAX_PES))
        bench_fail("cannot make a socket for the workers: %m");
}

/* argv of a side's launcher: a peer's from its description, where "%n" stands for the number of PEs. */
static void arguments(struct bench *b, int s, int n, char *argv[MAX_ARGUMENTS]) {
    static char unisono[4096], worker[4096], numbers[3][16];
    struct side *side = &b->side[s];
    int at = 0;
    here_path(unisono, sizeof unisono, UNO_BIN, "unisono");
    worker_path(worker, sizeof worker, side->worker, "");
    snprintf(numbers[0], sizeof numbers[0], "%d", n);
    snprintf(numbers[1], sizeof numbers[1], "%d", s);
    snprintf(numbers[2], sizeof numbers[2], "%d", uno_processors());
    if (side->peer) {
        size_t i;
        json_t *word;
        json_array_foreach(json_object_get(side->description, "launch"), i, word) if (at < MAX_ARGUMENTS - 8)
            argv[at++] = strcmp(json_string_value(word), "%n") ? (char *)json_string_value(word) : numbers[0];
    } else if ((s == 0 || side->variant) && !b->options.threads) {
        argv[at++] = unisono;
        argv[at++] = "run";
        argv[at++] = "-n";
        argv[at++] = numbers[0];
    }
    argv[at++] = worker;
    argv[at++] = b->socket_name;
    argv[at++] = numbers[1];
    argv[at++] = numbers[0];
    argv[at++] = b->options.threads && !side->peer ? "thread" : "shm";
    argv[at++] = numbers[2];
    argv[at] = NULL;
}

static void launch(struct bench *b, int s, int n) {
    struct side *side = &b->side[s];
    char *argv[MAX_ARGUMENTS];
    arguments(b, s, n, argv);
    side->output = memfd_create("output", MFD_CLOEXEC);
    side->connected = 0;
    side->n = n;
    pid_t driver = getpid();
    side->launcher = fork();
    if (side->launcher < 0 || side->output < 0) {
        side->launcher = 0;
        bench_fail("cannot start %s: %m", side->name);
    }
    if (side->launcher)
        return;
    setpgid(0, 0);
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(side->description, "environment"), name, value)
        setenv(name, json_string_value(value), 1);
    if (n > uno_processors())
        json_object_foreach(json_object_get(side->description, "oversubscribed"), name, value)
            setenv(name, json_string_value(value), 1);
    bench_become(argv, driver, side->output, side->output);
}

/* The end of what the side printed, without a last newline. */
static const char *tail(const struct side *side) {
    static char text[OUTPUT_TAIL + 1];
    off_t size = lseek(side->output, 0, SEEK_END);
    off_t from = size > OUTPUT_TAIL ? size - OUTPUT_TAIL : 0;
    ssize_t got = pread(side->output, text, OUTPUT_TAIL, from);
    while (got > 0 && text[got - 1] == '\n')
        got--;
    text[got > 0 ? got : 0] = 0;
    return text;
}

static void welcome(struct bench *b) {
    int s = accept4(b->listener, NULL, NULL, SOCK_CLOEXEC);
    struct ucred peer;
    socklen_t length = sizeof peer;
    struct bench_hello hello;
    if (s < 0)
        return;
    if (getsockopt(s, SOL_SOCKET, SO_PEERCRED, &peer, &length) || peer.uid != geteuid() ||
        recv(s, &hello, sizeof hello, MSG_WAITALL) != sizeof hello || hello.magic != BENCH_HELLO ||
        hello.side < 0 || hello.side >= b->sides || hello.me < 0 || hello.n != b->side[hello.side].n ||
        hello.me >= hello.n || !b->side[hello.side].launcher) {
        close(s); /* no worker of ours */
        return;
    }
    struct side *side = &b->side[hello.side];
    side->socket[hello.me] = s;
    side->pid[hello.me] = peer.pid;
    side->connected++;
    memcpy(side->support, hello.support, sizeof side->support);
    hello.label[BENCH_LABEL - 1] = 0;
    if (!side->variant) /* one worker serves several of these */
        memcpy(side->label, hello.label, sizeof side->label);
}

/* Wait up to the given time for the launcher's end. */
static bool has_ended(struct side *side, double seconds) {
    double deadline = seconds_now() + seconds;
    do {
        if (!side->launcher || waitpid(side->launcher, NULL, WNOHANG) != 0) {
            side->launcher = 0;
            return true;
        }
        if (seconds > 0)
            nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    } while (seconds_now() < deadline);
    return false;
}

static void forget(struct side *side) {
    for (int k = 0; k < side->n; k++)
        if (side->socket[k] > 0) {
            close(side->socket[k]);
            side->socket[k] = 0;
        }
    close(side->output);
    side->n = side->connected = 0;
}

/* Kill a side. Its launcher may want to clean up, so it is asked to end first. */
static void kill_side(struct side *side) {
    if (side->launcher) {
        pid_t group = side->launcher;
        kill(group, SIGTERM);
        has_ended(side, KILL_SECONDS);
        kill(-group, SIGKILL);
        for (int k = 0; k < side->n; k++)
            if (side->socket[k] > 0)
                kill(side->pid[k], SIGKILL);
        has_ended(side, KILL_SECONDS);
        side->launcher = 0;
    }
    if (side->n)
        forget(side);
}

static void leave_out(struct bench *b, struct side *side, const char *why) {
    if (!side->peer || strcmp(b->options.peers, "auto"))
        bench_fail("%s with %d PEs: %s. It printed:\n%s", side->name, side->n, why, tail(side));
    fprintf(stderr, "%s: warning: %s with %d PEs: %s; it is left out. It printed:\n%s\n", bench_name,
            side->name, side->n, why, tail(side));
    add_absent(b, side->name, why);
    side->left_out = true;
    kill_side(side);
}

/* Whose sides run: at most one bench of a process has any. */
static struct bench *running;

static void kill_running(void) {
    if (running)
        bench_sides_kill(running);
    running = NULL;
}

void bench_sides_start(struct bench *b, int n) {
    if (!b->listener) {
        listen_for_workers(b);
        atexit(kill_running);
    }
    running = b;
    for (int s = 0; s < b->sides; s++)
        if (!b->side[s].left_out && !(s == 1 && n == 1)) /* one PE has nobody to exchange with */
            launch(b, s, n);
    double deadline = seconds_now() + START_SECONDS;
    for (;;) {
        bool missing = false;
        for (int s = 0; s < b->sides; s++) {
            struct side *side = &b->side[s];
            if (!side->launcher || side->connected == n)
                continue;
            if (has_ended(side, 0)) {
                leave_out(b, side, "it ended before all PEs were there");
            } else if (seconds_now() > deadline) {
                leave_out(b, side, "it did not start within 120 seconds");
            } else {
                missing = true;
            }
        }
        if (!missing)
            return;
        struct pollfd ready = {.fd = b->listener, .events = POLLIN};
        if (poll(&ready, 1, 50) > 0)
            welcome(b);
        if (bench_interrupted)
            bench_fail("interrupted");
    }
}

/* ---- end --------------------------------------------------------------------------------------------- */

void bench_sides_stop(struct bench *b) {
    struct bench_turn end = {0};
    for (int s = 0; s < b->sides; s++)
        for (int k = 0; b->side[s].launcher && k < b->side[s].n; k++)
            send(b->side[s].socket[k], &end, sizeof end, MSG_NOSIGNAL);
    for (int s = 0; s < b->sides; s++) {
        if (!b->side[s].launcher)
            continue;
        if (has_ended(&b->side[s], STOP_SECONDS)) {
            forget(&b->side[s]);
        } else {
            fprintf(stderr, "%s: warning: %s does not end by itself; it is killed\n", bench_name,
                    b->side[s].label);
            kill_side(&b->side[s]);
        }
    }
    uno_kill_descendants(); /* workers whose launcher has gone are this process's */
    running = NULL;
}

void bench_sides_kill(struct bench *b) {
    for (int s = 0; s < b->sides; s++)
        kill_side(&b->side[s]);
    uno_kill_descendants(); /* workers whose launcher has gone are this process's */
}

void bench_side_failed(struct side *side, const char *when) {
    char printed[OUTPUT_TAIL + 1];
    has_ended(side, 0.5); /* its output comes before the news of its end */
    snprintf(printed, sizeof printed, "%s", tail(side));
    bench_fail("%s with %d PEs broke off in %s%s%s", side->label, side->n, when,
               *printed ? ". It printed:\n" : ", without a word", printed);
}
