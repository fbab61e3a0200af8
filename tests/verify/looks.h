/* Constants of looks: where a PE looks many times in a tight loop before it does anything else, one look is
 * as good in a model. So is one look more at a PE of another node that has left. */

#ifndef LOOKS_H
#define LOOKS_H

#include "engine/tuning.h"

#define UNO_ANSWER_LOOKS 1
#define UNO_CLOCK_LOOKS 1
#define UNO_FAR_LEFT_NS 1
#define UNO_JOIN_LOOKS 1
#define UNO_KEEP_LOOKS 1
#define UNO_READER_LOOKS 1
#define UNO_SETTLE_LOOKS 1
#define UNO_SWITCH_LOOKS 1

#endif
