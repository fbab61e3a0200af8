/* A launcher that reads a rank whose memory is nonsense: it shows whatever is there, and goes on. The rank is
 * made here, with objects of all kinds that are read; then random words of it are overwritten, also by
 * addresses that lead to other parts of it or nowhere. A communicator that was just being made when it was
 * read is shown with none of its requests. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "launch/request_lines.h"
#include "library/outside/layout.h"
#include "rng.h"

enum { RANKS = 3, COMMS = 4, REQUESTS = 30 };

static const struct uno_mpi_comm *unmade; /* is read as it was before it was made, once */

/* Read in place of the system's function. */
ssize_t process_vm_readv(pid_t pid, const struct iovec *here, unsigned long heres, const struct iovec *there,
                         unsigned long theres, unsigned long flags) {
    ssize_t n = syscall(SYS_process_vm_readv, pid, here, heres, there, theres, flags);
    if (unmade && there->iov_base == unmade && here->iov_len == sizeof *unmade) {
        *(struct uno_mpi_comm *)here->iov_base = (struct uno_mpi_comm){.object = unmade->object};
        unmade = NULL;
    }
    return n;
}

struct rank {
    struct uno_rank rank;
    struct uno_object *object[COMMS + REQUESTS];
    struct uno_mpi_comm comm[COMMS];
    struct uno_mpi_group group;
    struct uno_mpi_request request[REQUESTS];
    struct uno_schedule schedule;
    struct uno_request_kind kind;
    struct uno_mpi_type type;
    int pe[RANKS];
};

static void make(struct rank *r) {
    *r = (struct rank){
        .rank = {.layout = uno_outside_layout(), .store = {.object = r->object, .objects = COMMS + REQUESTS}},
        .group = {.size = RANKS, .pe = r->pe},
        .schedule = {.of = UNO_SCHEDULE_bcast, .form = UNO_BEGUN, .comm = &r->comm[1]},
        .kind = {.stays = true},
        .type = {.layout = {.size = 8}}};
    for (int k = 0; k < RANKS; k++)
        r->pe[k] = k;
    for (int i = 0; i < COMMS; i++) {
        r->object[i] = &r->comm[i].object;
        r->comm[i] =
            (struct uno_mpi_comm){.object.kind = UNO_COMM, .id = i, .group = &r->group, .peers = RANKS};
        snprintf(r->comm[i].name, sizeof r->comm[i].name, i % 2 ? "communicator\n\x01 %d" : "", i);
    }
    for (int i = 0; i < REQUESTS; i++) {
        struct uno_mpi_request *q = &r->request[i];
        r->object[COMMS + i] = &q->object;
        *q = (struct uno_mpi_request){.object.kind = UNO_REQUEST,
                                      .what = (unsigned char)(i % (UNO_OTHER + 1)),
                                      .active = true,
                                      .receive.posted = i % 4 != 0,
                                      .comm = &r->comm[i % COMMS],
                                      .type = &r->type,
                                      .kind = &r->kind,
                                      .kept = &r->schedule,
                                      .count = i,
                                      .peer = i % RANKS,
                                      .tag = i % 3};
    }
    r->rank.looked[0] =
        (struct uno_looked){.comm = &r->comm[2], .source = MPI_ANY_SOURCE, .tag = 4, .times = 9};
}

/* Overwrite some words, by numbers of any size, or addresses near one that lies in the rank. */
static void garble(struct rank *r, struct rng *random, int words) {
    uint64_t *word = (uint64_t *)(void *)r;
    for (int i = 0; i < words; i++) {
        uint64_t any = rng_next(random), *at = &word[1 + rng_next(random) % (sizeof *r / sizeof *word - 1)];
        *at = any % 3 == 0   ? any >> rng_next(random) % 64
              : any % 3 == 1 ? (uint64_t)(uintptr_t)(word + any / 3 % (sizeof *r / sizeof *word))
                             : *at ^ (uint64_t)1 << any / 3 % 64;
    }
}

static size_t show(const struct uno_mail *mail, const struct uno_place *place) {
    struct uno_requests requests;
    struct uno_matches matches;
    char *text = NULL;
    size_t length = 0, all = 0;
    FILE *f = open_memstream(&text, &length);
    if (!f || !uno_requests_look(&requests, mail, place) ||
        !uno_matches_open(&matches, mail, place, &requests))
        exit(1);
    for (int k = 0; k < RANKS; k++) {
        uno_request_lines(f, &matches, k, UNO_REQUEST_LINES);
        uno_unclaimed_lines(f, &matches, k, UNO_MESSAGE_LINES);
        all += requests.rank[k].requests;
    }
    fclose(f);
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\n' && (text[i] < ' ' || text[i] > '~')) {
            fprintf(stderr, "garbled: a character of the text is %d\n", text[i]);
            exit(1);
        }
    free(text);
    uno_matches_free(&matches);
    uno_requests_free(&requests);
    return all;
}

/* Make the ranks, and look at them while a communicator of the first rank is made. */
static void show_unmade(struct rank *r, const struct uno_mail *mail, const struct uno_place *place) {
    size_t whole = 0;
    for (int k = 0; k < RANKS; k++)
        make(&r[k]);
    for (int i = 0; i < REQUESTS; i++) {
        const struct uno_mpi_request *q = &r->request[i];
        whole += (q->what == UNO_OTHER ? r->schedule.comm : q->comm) != &r->comm[1];
    }
    unmade = &r->comm[1];
    size_t all = show(mail, place);
    if (all != whole + 1 + (RANKS - 1) * (REQUESTS + 1)) {
        fprintf(stderr, "garbled: %zu requests are seen of which %zu are whole\n", all,
                whole + 1 + (RANKS - 1) * (REQUESTS + 1));
        exit(1);
    }
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 300;
    struct rng random = {1};
    struct uno_mail mail = uno_mail_layout(RANKS);
    struct uno_place place[RANKS] = {{.pid = getpid()}, {.pid = getpid()}, {.pid = getpid()}};
    struct rank *r = malloc(RANKS * sizeof *r);
    mail.base =
        mmap(NULL, mail.heaps, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!r || mail.base == MAP_FAILED)
        return 1;
    for (int round = 0; round < rounds; round++) {
        for (int k = 0; k < RANKS; k++) {
            make(&r[k]);
            garble(&r[k], &random, round ? 1 << round % 12 : 0);
            uno_store64_relaxed(&uno_mail_box(&mail, k)->rank, (uint64_t)(uintptr_t)&r[k]);
        }
        size_t all = show(&mail, place);
        if (!round && all != RANKS * (REQUESTS + 1)) {
            fprintf(stderr, "garbled: %zu requests are seen of a rank that is whole\n", all);
            return 1;
        }
    }
    show_unmade(r, &mail, place);
    free(r);
    return 0;
}
