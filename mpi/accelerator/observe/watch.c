#include "accelerator/observe/watch.h"

#include "engine/kernel.h"
#include "accelerator/settings.h"

bool uno_watched;

void uno_watch_begin(struct uno_call *call) {
    if (uno_settings.check)
        uno_check_keep(call);
    call->began = uno_kernel_now();
}

void uno_watch_end(struct uno_call *call, bool accelerated) {
    if (uno_settings.profile)
        uno_profile_collective(call, accelerated, uno_kernel_now() - call->began);
}
