#include "datatype.h"

#include <pthread.h>

#include "types.def"

enum { NAMED = 256 }; /* more than any library has predefined types */

/* Of the process. */
uno_atomic64 uno_datatype_slot[UNO_DATATYPE_SLOTS];
static struct uno_datatype named[NAMED]; /* those that were used; the rest has size 0 */
static int named_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const struct uno_datatype of_host;

/* How elements of one of the table's types are combined. */
static const uno_reduce_function *functions_of(MPI_Datatype type, size_t size) {
#define X(name, class)                                                                                       \
    if (type == name)                                                                                        \
        return uno_reduce_functions(UNO_##class, size);
    UNO_MPI_TYPES(X)
#undef X
    return NULL;
}

static const struct uno_datatype *find_named(MPI_Datatype type) {
    for (int i = 0; i < named_count; i++)
        if (uno_load64_relaxed(&named[i].handle) == UNO_HANDLE(type))
            return &named[i];
    MPI_Count size, bound, extent;
    struct uno_datatype *t = &named[named_count];
    if (named_count == NAMED || HOST(Type_size_x)(type, &size) != MPI_SUCCESS ||
        HOST(Type_get_extent_x)(type, &bound, &extent) != MPI_SUCCESS || size <= 0 || extent != size)
        return &of_host;
    named_count++;
    t->size = (size_t)size;
    t->reduce = functions_of(type, t->size);
    uno_store64_relaxed(&t->handle, UNO_HANDLE(type));
    return t;
}

const struct uno_datatype *uno_datatype_look_up(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    if (type == MPI_DATATYPE_NULL ||
        HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS ||
        combiner != MPI_COMBINER_NAMED)
        return &of_host;
    pthread_mutex_lock(&lock);
    const struct uno_datatype *t = find_named(type);
    pthread_mutex_unlock(&lock);
    if (t->size)
        /* SYNC TYPE: the rest of the structure */
        uno_store64_release(&uno_datatype_slot[uno_handle_hash(UNO_HANDLE(type))], UNO_HANDLE(t));
    return t;
}
