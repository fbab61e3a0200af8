/* The names of the waits of MPI's messages: for the library, and for the launcher, which reads signatures
 * from the memory of a job. */

#include "library/rank/ops.h"

#include <ctype.h>
#include <stdio.h>

static const char *const any = "MPI's messages";

const char *uno_schedule_name(enum uno_schedule_of of, enum uno_schedule_form form,
                              char text[UNO_SIGNATURE_TEXT]) {
    static const char *const names[] = {
#define X(code, call) call,
        UNO_MPI_SCHEDULES(X)
#undef X
    };
    const char *name = names[of];
    if (form == UNO_BEGUN)
        snprintf(text, UNO_SIGNATURE_TEXT, "MPI_I%c%s", tolower(*name), name + 1);
    else
        snprintf(text, UNO_SIGNATURE_TEXT, "MPI_%s%s", name, form == UNO_MADE ? "_init" : "");
    return text;
}

/* The wait for the end of a schedule. */
static void describe_schedule(char text[UNO_SIGNATURE_TEXT], unsigned number) {
    char name[UNO_SIGNATURE_TEXT];
    enum uno_schedule_form form = (enum uno_schedule_form)(number % UNO_FORMS);
    uno_schedule_name((enum uno_schedule_of)(number / UNO_FORMS), form, name);
    snprintf(text, UNO_SIGNATURE_TEXT, "%s%.40s", form == UNO_AT_ONCE ? "" : "MPI_Wait of ", name);
}

static void describe(char text[UNO_SIGNATURE_TEXT], const char *name, unsigned detail) {
    static const char *const waits[] = {
#define X(code, call, number) [number] = call,
        UNO_MPI_WAITS(X)
#undef X
    };
    unsigned number = (detail - UNO_SCHEDULE_WAITS) / 2;
    if (detail >= UNO_SCHEDULE_WAITS && number < UNO_SCHEDULES * UNO_FORMS) {
        describe_schedule(text, number);
        return;
    }
    bool known = detail < sizeof waits / sizeof *waits && waits[detail];
    snprintf(text, UNO_SIGNATURE_TEXT, "%s", known ? waits[detail] : name);
}

static struct uno_peer_words peer(unsigned signature) {
    return (struct uno_peer_words){uno_signature_reads(signature) ? "from" : "to", "tag", true};
}

static const struct uno_ops waits = {
    .first = UNO_OPS_TAGGED, .count = 1, .name = &any, .text = describe, .peer = peer};
UNO_OPS_REGISTER(waits);
