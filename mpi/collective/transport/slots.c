#include "collective/transport/slots.h"

_Thread_local uint64_t uno_exchange_words[UNO_BYTES / 8];
