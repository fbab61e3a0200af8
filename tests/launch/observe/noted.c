/* A PE may be stopped, and looked at by `unisono inspect`, between any two of the instructions by which it
 * notes a message or forgets it. So here a process notes and forgets, by single instructions, and after each
 * of them another process looks: a steady view has as many messages of each state as are counted. */

#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/messages.h"
#include "engine/channel/channel.h"
#include "engine/channel/link/notes.h"

enum { PES = 2, ME = 1, SKIPPED = 77, STEPS = 3000 };

static void *share(size_t bytes) {
    void *memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        exit(1);
    return memory;
}

/* Note and forget messages: up to three at a time, of all kinds in turn. */
static void note_and_forget(struct uno_channel *channel) {
    int note[UNO_NOTE_KINDS];
    for (int kind = 0; kind < UNO_NOTE_KINDS; kind++)
        note[kind] = uno_channel_note(channel, (enum uno_note_kind)kind, 0, 0, 7, 100);
    for (int kind = 0; kind < UNO_NOTE_KINDS; kind++)
        uno_channel_forget(channel, (enum uno_note_kind)kind, note[kind]);
}

/* The process that is observed. */
static _Noreturn void child(struct uno_job *job, const struct uno_mail *mail) {
    struct uno_channel *channel = calloc(1, sizeof *channel + PES * sizeof *channel->link);
    struct uno_pe pe = {.job = job, .me = ME, .n = PES};
    if (!channel || ptrace(PTRACE_TRACEME, 0, NULL, NULL))
        _exit(SKIPPED);
    channel->pe = &pe;
    channel->mail = *mail;
    channel->box = uno_mail_box(mail, ME);
    note_and_forget(channel); /* an allocation takes too long to be stepped through */
    raise(SIGSTOP);
    for (;;)
        note_and_forget(channel);
}

/* Return true if the view is possible. *steady and *messages are increased by the steady views, and their
 * messages. */
static bool look(const struct uno_mail *mail, size_t *steady, size_t *messages) {
    struct uno_shown_all all;
    uint64_t listed[UNO_SHOWN_STATES] = {0};
    bool right = uno_shown_look(mail, ME, true, &all);
    for (size_t i = 0; i < all.messages; i++)
        listed[all.message[i].state]++;
    for (int s = 0; s < UNO_SHOWN_STATES && all.steady; s++)
        if (listed[s] != all.count[s]) {
            printf("noted: %s: steady, but %llu are counted, and %llu listed\n",
                   uno_shown_name((enum uno_shown_state)s), (unsigned long long)all.count[s],
                   (unsigned long long)listed[s]);
            right = false;
        }
    *steady += all.steady;
    *messages += all.steady ? all.messages : 0;
    uno_shown_free(&all);
    return right;
}

int main(void) {
    struct uno_mail mail = uno_mail_layout(PES);
    struct uno_job *job = share(uno_job_size(PES, 0));
    mail.base = share(mail.heaps);
    uno_job_format(job, PES, PES, 0);
    pid_t pid = fork();
    if (pid == 0)
        child(job, &mail);
    size_t looks = 0, steady = 0, messages = 0;
    int status, result = 0;
    while (!result && looks < STEPS) {
        if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
            return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
        looks++;
        result = !look(&mail, &steady, &messages);
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
            result = errno == EIO ? SKIPPED : 1;
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    printf("noted: %zu looks, %zu of them steady, with %zu messages\n", looks, steady, messages);
    return result ? result : !messages || steady == looks;
}
