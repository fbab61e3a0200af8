/* The memory of jobs of one PE to the most: its parts do not overlap, and hold what they are for. And the
 * text of masks, whatever PEs they name, stays in its room. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/channel/ring/memory.h"
#include "engine/job.h"
#include "engine/mask.h"
#include "engine/observe.h"
#include "harness.h"

/* A part of a job's memory. */
struct part {
    const char *name;
    const void *begin;
    size_t bytes;
};

static void check_parts(int n, const struct part *part, int parts, const char *end) {
    for (int i = 0; i < parts; i++) {
        const char *next = i + 1 < parts ? part[i + 1].begin : end;
        if ((const char *)part[i].begin + part[i].bytes > next)
            test_fail("%d PEs: the memory of the %s goes into that of the %s", n, part[i].name,
                      i + 1 < parts ? part[i + 1].name : "end");
    }
}

/* The addresses of a job's parts are calculated, and nothing but its header is touched. */
static void check_job(struct uno_job *job, int n) {
    uno_job_format(job, n, 1, UNO_STATS);
    size_t at = uno_job_buffers_at(n, UNO_STATS), count = (size_t)n;
    uint32_t buffer = uno_job_buffer_bytes(n);
    uno_job_set_buffers(job, at, buffer);
    if (buffer < count * UNO_BYTES)
        test_fail("%d PEs: the data of all do not fit into a buffer of %u bytes", n, buffer);
    const struct part part[] = {
        {"header", job, sizeof *job},
        {"boards", job->board, count * sizeof *job->board},
        {"masks", uno_job_group(job, n, 0, 0),
         n > 64 ? count * UNO_SLOTS * (size_t)job->words * sizeof(uint64_t) : 0},
        {"rests", uno_job_rest(job, n, 0), count * sizeof(struct uno_rest)},
        {"processors", uno_job_processor(job), count * sizeof(uno_atomic32)},
        {"records", uno_record(job, 0), count * uno_record_size(n)},
        {"buffers", uno_job_buffer(job, 0, 0), uno_job_buffers_size(n, buffer)},
    };
    check_parts(n, part, sizeof part / sizeof *part, (char *)job + at + uno_job_buffers_size(n, buffer));
    if ((const char *)uno_job_buffer(job, n - 1, UNO_SLOTS - 1) + buffer >
        (const char *)job + uno_job_mapped(job))
        test_fail("%d PEs: the last buffer goes beyond the memory that a PE maps", n);
}

static void check_mail(int n) {
    struct uno_mail mail = uno_mail_layout(n);
    const struct part part[] = {
        {"boxes", uno_mail_box(&mail, 0), (size_t)n * sizeof(struct uno_box)},
        {"notes", uno_mail_notes(&mail, 0), (size_t)n * UNO_NOTES * sizeof(struct uno_note)},
        {"last ring", uno_mail_ring(&mail, n - 1, n - 1),
         sizeof(struct uno_ring) + mail.lines * sizeof(struct uno_line)},
    };
    check_parts(n, part, sizeof part / sizeof *part, mail.base + uno_mail_heap_at(&mail, 0));
}

/* Masks of every step-th PE up to the greatest number, from each number on. */
static void check_texts(void) {
    static uint64_t mask[UNO_WORDS];
    struct {
        char text[UNO_MASK_TEXT], behind[64];
    } room;
    for (int first = 0; first < UNO_MAX_PES; first += first < 2000 ? 1 : 97)
        for (int step = 1; step < 5; step++) {
            memset(mask, 0, sizeof mask);
            for (int k = first; k < UNO_MAX_PES; k++)
                if (k % step < 2)
                    mask[k / 64] |= UINT64_C(1) << k % 64;
            memset(&room, 'x', sizeof room);
            uno_mask_text(mask, UNO_WORDS, room.text);
            if (!memchr(room.text, 0, sizeof room.text) || room.behind[0] != 'x')
                test_fail("the text of every %d-th PE from %d on is too long", step, first);
        }
}

int main(void) {
    static const int many[] = {1, 2, 3, 64, 65, 128, 129, 1000, 1024, 1365, 1366, 4096, 10000, UNO_MAX_PES};
    struct uno_job *job = calloc(1, sizeof *job);
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        check_job(job, many[i]);
        check_mail(many[i]);
    }
    check_texts();
    free(job);
    return 0;
}
