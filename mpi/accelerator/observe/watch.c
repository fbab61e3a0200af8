#include "accelerator/observe/watch.h"

#include "accelerator/observe/check.h"
#include "accelerator/observe/profile.h"
#include "accelerator/settings.h"
#include "engine/kernel.h"

bool uno_watched;

void uno_watch_start(void) {
    uno_watched = uno_settings.profile || uno_settings.check;
    if (uno_watched)
        uno_profile_start();
}

void uno_watch_finish(void) {
    if (uno_watched) {
        uno_profile_end();
        uno_check_end();
    }
    uno_watched = false;
}

void uno_watch_begin(struct uno_watched_call *call) {
    if (uno_settings.check)
        uno_check_keep(call);
    call->began = uno_kernel_now();
}

void uno_watch_end(struct uno_watched_call *call, bool accelerated) {
    if (uno_settings.profile)
        uno_profile_collective(call, accelerated, uno_kernel_now() - call->began);
}

void uno_watch_compare(struct uno_watched_call *call) {
    uno_check_compare(call);
}

void uno_watch_message(const char *name, MPI_Count count, MPI_Datatype type, uint64_t ns) {
    uno_profile_message(name, count, type, ns);
}
