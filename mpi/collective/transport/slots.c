#include "collective/transport/slots.h"

_Thread_local uint64_t uno_slots_words[UNO_BYTES / 8];
