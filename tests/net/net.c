/* The conformance suite of networks, on one of them: `net inside` or `net fabric`, and with a further word
 * one check alone. Members of "inside" are threads, those of "fabric" are processes that meet over the
 * loopback. Exit status: 0 passed, 1 failed, 77 skipped. */

#include "checks.h"

#include "net/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct check {
    const char *name;
    void (*run)(struct company *company);
    const char *kind; /* that it is for; NULL: all */
} checks[] = {
    {"order", check_order, NULL},
    {"writes", check_writes, NULL},
    {"sleep", check_sleep, NULL},
    {"close", check_close, NULL},
    {"rules", check_rules, "inside"},
    {"cut", check_cut, "inside"},
    {"ports", check_ports, "libfabric"},
    {"interface", check_interface, "libfabric"},
    {"library", check_library, "libfabric"},
};

/* Return why there is no libfabric here; NULL: there is one. A child looks, since libfabric need not work in
 * the children of a process that has used it. */
static const char *reason(const struct company *company) {
    char *error = mmap(NULL, UNO_NET_ERROR, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(error != MAP_FAILED);
    pid_t child = fork();
    if (child == 0) {
        struct uno_net *net = company->kind->open(&company->wishes, error);
        if (net)
            company->kind->close(net);
        _exit(0);
    }
    CHECK(waitpid(child, NULL, 0) == child);
    return strstr(error, "cannot be loaded") || strstr(error, "built without") ? error : NULL;
}

int main(int argc, char **argv) {
    bool inside = argc > 1 && strcmp(argv[1], "inside") == 0;
    if (argc < 2 || (!inside && strcmp(argv[1], "fabric"))) {
        fprintf(stderr, "usage: net inside|fabric [check]\n");
        return 2;
    }
    struct company company = {.kind = inside ? &uno_net_inside : &uno_net_fabric,
                              .wishes = {.interface = "lo", .packet = 128 << 10, .packets = 16},
                              .processes = !inside,
                              .seed = 1};
    const char *why = inside ? NULL : reason(&company);
    if (why) {
        printf("skipped: %s\n", why);
        return 77;
    }
    if (inside)
        uno_inside_rule(&(struct uno_inside_rules){.seed = 1, .most = 300000, .refused = 100, .room = 8});
    int run = 0;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const struct check *check = &checks[i];
        if ((check->kind && strcmp(check->kind, company.kind->name)) ||
            (argc > 2 && strcmp(argv[2], check->name)))
            continue;
        alarm(company.processes ? 0 : SECONDS); /* processes have one of their own */
        double begin = now();
        check->run(&company);
        printf("%s: passed, %.2f s\n", check->name, now() - begin);
        fflush(stdout);
        run++;
    }
    return run ? 0 : 2;
}
