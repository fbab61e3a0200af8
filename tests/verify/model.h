/* The beginning of every model, included before the files of the engine that it checks: C's words for C++,
 * and the checker in the place of src/engine/atomic.h. A model defines CHECKER_CELLS before it, if that of
 * checker.h is not enough. */

#ifndef MODEL_H
#define MODEL_H

#define UNO_CHECKER "checker.h"
#define _Static_assert static_assert
#define _Noreturn
#define _Thread_local thread_local

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "papers.h" /* before Relacy redefines delete */

#include "looks.h"

#include "checker.h"

checker_cells *checker;

#endif
