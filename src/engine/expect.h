/* Hints for the compiler: which branches are likely, and which functions are rarely called. */

#ifndef UNO_EXPECT_H
#define UNO_EXPECT_H

#define UNO_LIKELY(x) __builtin_expect(!!(x), 1)
#define UNO_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define UNO_COLD __attribute__((cold, noinline))

#endif
