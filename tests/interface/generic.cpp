/* generic.c as C++, and what only C++ has: overloads keep the type of the argument, templates can use them.
 */

#include <type_traits>
#include <utility>

#include "generic.c"

#define KEEPS(suffix, type, width)                                                                           \
    static_assert(                                                                                           \
        std::is_same<decltype(p_reduceAdd(std::declval<KEY_##width(type)>())), KEY_##width(type)>(), "");    \
    static_assert(                                                                                           \
        std::is_same<decltype(p_bcastGet(std::declval<KEY_##width(type) &>())), KEY_##width(type) &>(), "");
PAPERS_ALL(KEEPS)
static_assert(std::is_same<decltype(p_scanAdd(1LL)), long long>(), "");
static_assert(std::is_same<decltype(p_scanAdd(1UL)), unsigned long>(), "");
static_assert(std::is_same<decltype(p_scanAdd('a')), char>(), "");

template <class T> T mean_of(T x) {
    return static_cast<T>(p_reduceAdd(x) / static_cast<T>(p_population()));
}
template double mean_of<double>(double);
template long long mean_of<long long>(long long);
