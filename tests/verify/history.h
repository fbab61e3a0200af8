/* Relacy, with a longer memory of each atomic than it is installed with, and with better random numbers.
 *
 * It keeps the last 3 values of an atomic. A load may return a value as long as nothing tells it of a later
 * one: of the last 3 with random schedules, but of the last 2 only when all schedules are searched through.
 * Here it keeps 8, and all of them may be returned in either search, if history_deep is set in the second.
 * The number, and the choice between the two, stand in one line each of its headers. So its constant gets
 * another name before the headers that use it are read; and in thread.hpp, which asks for the kind of search
 * in that line alone, the answer is this file's.
 *
 * Its random numbers are those of x = 257 x + 1 modulo 2^32, of which bit 16 chooses between two threads. So
 * there are 2^17 schedules of two threads at most, and none in which one of them makes ten steps in a row
 * and the other one's load then returns an old value. They get another name, too.
 *
 * litmus.cc shows what is reached by it, and what is not. */

#ifndef HISTORY_H
#define HISTORY_H

#include <relacy/thread_local_ctx.hpp>
#include <relacy/context_base.hpp> /* after the header above; declares the names that are changed below */

enum { HISTORY = 8 };

static bool history_deep; /* a search through all schedules returns any of the values that are kept */

/* SplitMix64, by Steele, Lea and Flood. */
struct history_random {
    uint64_t state;

    void seed(uint64_t iteration) {
        state = iteration * 0xd1342543de82ef95;
    }

    unsigned rand() {
        uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return (unsigned)((z ^ z >> 31) >> 32);
    }
};

#define atomic_history_size ::HISTORY
#define random_generator ::history_random
#define is_random_sched() is_random_sched() || ::history_deep
#include <relacy/thread.hpp>
#undef is_random_sched
#include <relacy/relacy.hpp>
#undef random_generator
#undef atomic_history_size

#endif
