#include "below.h"

const struct uno_seen_below *uno_seen_below;
