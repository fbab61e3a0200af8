#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "engine/group.h"
#include "engine/kernel.h"
#include "engine/tuning.h"
#include "node.h"
#include "request_lines.h"

void uno_report_members(FILE *f, const uint64_t *mask, int count, int words) {
    char text[UNO_MASK_TEXT];
    uno_mask_text(mask, words, text);
    text[strlen(text) - 1] = 0;
    fprintf(f, "%s %s", count == 1 ? "PE" : "PEs", text + 1);
}

/* Write the other PE of a message: "from PE 0 of type 7"; in MPI's words "from PE 0 of tag 7 of
 * MPI_COMM_WORLD, with room for 4 bytes". */
static void write_peer(FILE *f, const struct uno_place *place) {
    struct uno_peer_words words = uno_signature_peer(place->signature);
    fprintf(f, " %s", words.before);
    if (place->peer < 0)
        fputs(" any PE", f);
    else
        fprintf(f, " PE %d", place->peer);
    if (place->type == UNO_WILD)
        fprintf(f, " of any %s", words.type);
    else if (place->type >= 0)
        fprintf(f, " of %s %d", words.type, place->type);
    if (!words.communicator || !place->room)
        return;
    if (place->context)
        fprintf(f, " of communicator %u", place->context);
    else
        fputs(" of MPI_COMM_WORLD", f);
    fprintf(f, ", with room for %llu bytes", (unsigned long long)place->room - 1);
}

void uno_report_operation(FILE *f, int words, const struct uno_place *place) {
    char op[UNO_SIGNATURE_TEXT], group[UNO_MASK_TEXT];
    if (place->signature)
        fputs(uno_signature_text(place->signature, op), f);
    if (place->exchanges)
        write_peer(f, place);
    else if (place->signature && strcmp(uno_mask_text(place->group, words, group), "{}") != 0)
        fprintf(f, " of group %s", group);
}

void uno_report_place(FILE *f, int words, const struct uno_place *place) {
    fputs(place->state, f);
    if (place->signature)
        fputs(place->waits ? " in " : ", last in ", f);
    uno_report_operation(f, words, place);
    if (place->waited)
        fprintf(f, " for %.2f s", (double)place->waited / 1e9);
    if (place->missing) {
        fprintf(f, "; missing: ");
        uno_report_members(f, place->missing_mask, place->missing, words);
    }
}

/* Write the counts of messages: "; messages: 2 unclaimed, 1 queued". */
static void write_counts(FILE *f, const struct uno_mail *mail, int k) {
    struct uno_shown_all all;
    if (!uno_shown_look(mail, k, false, &all))
        return;
    const char *before = "; messages:";
    for (int s = 0; s < UNO_SHOWN_STATES; s++) {
        if (!all.count[s])
            continue;
        fprintf(f, "%s %llu %s", before, (unsigned long long)all.count[s],
                uno_shown_name((enum uno_shown_state)s));
        before = ",";
    }
}

void uno_report(FILE *f, struct uno_job *job, const struct uno_mail *mail, const pid_t *process, bool callers,
                const struct uno_report_far *far) {
    struct uno_place *place = uno_places(job, mail, process);
    bool messages = uno_shown_any(job, mail);
    char caller[UNO_CALLER_TEXT];
    struct uno_requests requests = {0};
    struct uno_matches matches = {0};
    bool whole = place && uno_requests_look(&requests, mail, place) &&
                 uno_matches_open(&matches, mail, place, &requests);
    uint64_t began = uno_kernel_now();
    for (int k = 0; place && k < uno_shown_pes(mail); k++) {
        if (far && !uno_node_has(far->launch, k))
            continue;
        fprintf(f, far ? "  PE %d on %s: " : "  PE %d: ", k, far ? uno_node_host(far->launch, k) : "");
        uno_report_place(f, uno_shown_words(mail), &place[k]);
        if (messages)
            write_counts(f, mail, k);
        if (callers && place[k].waits && place[k].pid && uno_kernel_now() - began < UNO_CALLERS_NS)
            fputs(uno_caller_of(place[k].pid, caller), f);
        fputc('\n', f);
        if (whole) {
            uno_request_lines(f, &matches, k, UNO_REQUEST_LINES);
            uno_unclaimed_lines(f, &matches, k, UNO_MESSAGE_LINES);
        }
        if (far)
            far->next(far->argument, k);
    }
    uno_matches_free(&matches);
    uno_requests_free(&requests);
    free(place);
}
