/* The functions of libunisono below the entries, their names, and the numbers by which they are recorded: all
 * of it from the tables. */

#ifndef UNO_SEEN_NEXT_H
#define UNO_SEEN_NEXT_H

#include <exchange.h>
#include <papers.h>
#include <papers/file.h>
#include <vertex.h>
#include <vertex/cube.h>

#include "functions.def"

/* For typed.def: F(result, name, suffix, parameters, arguments) for each function of one type. */
#define UNO_SEEN_PLAIN(name, shape, combine, F, type, suffix) PAPERS_##shape(F, name, type, suffix)
#define UNO_SEEN_BITS(name, shape, combine, F, type, suffix) PAPERS_##shape##_BITS(F, name, type, suffix)
#define UNO_SEEN_OF_ALL(F, type, suffix) PAPERS_FUNCTIONS_ALL(UNO_SEEN_PLAIN, F, type, suffix)
#define UNO_SEEN_OF_INTEGER(F, type, suffix) PAPERS_FUNCTIONS_INTEGER(UNO_SEEN_PLAIN, F, type, suffix)
#define UNO_SEEN_OF_UNSIGNED(F, type, suffix)                                                                \
    PAPERS_FUNCTIONS_ALL(UNO_SEEN_BITS, F, type, suffix)                                                     \
    PAPERS_FUNCTIONS_INTEGER(UNO_SEEN_BITS, F, type, suffix)

/* A call is recorded by the name without a type, as the generic forms have it. */
#define UNO_SEEN_NUMBER(result, name, ...) uno_seen_number_##name,
enum {
    UNO_SEEN_OF_ALL(UNO_SEEN_NUMBER, int, ) UNO_SEEN_OF_INTEGER(UNO_SEEN_NUMBER, int, )
        UNO_SEEN_OF_UNSIGNED(UNO_SEEN_NUMBER, int, ) UNO_SEEN_MEETINGS(UNO_SEEN_NUMBER)
            UNO_SEEN_MESSAGES(UNO_SEEN_NUMBER) UNO_SEEN_NUMBERS
};

#define UNO_SEEN_FIELD(result, name, suffix, parameters, arguments) result(*name##suffix) parameters;
#define UNO_SEEN_UNTYPED_FIELD(result, name, parameters, ...) result(*name) parameters;
struct uno_seen_next {
#define UNO_SEEN_TYPED UNO_SEEN_FIELD
#include "typed.def"
    UNO_SEEN_MEETINGS(UNO_SEEN_UNTYPED_FIELD)
    UNO_SEEN_MESSAGES(UNO_SEEN_UNTYPED_FIELD)
    UNO_SEEN_STATES(UNO_SEEN_UNTYPED_FIELD)
};
extern struct uno_seen_next uno_seen_next;
extern const char *const uno_seen_pes_names[]; /* by the numbers */

#endif
