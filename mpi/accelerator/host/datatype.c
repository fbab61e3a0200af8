#include "accelerator/host/datatype.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#include "accelerator/host/node.h"
#include "collective/base.h"
#include "types.def"

enum { NAMED = 256 }; /* more than any library has predefined types */

/* The data types of this process. */
uno_atomic64 uno_datatype_slot[UNO_HANDLES];
static int keyval; /* of the attribute by which a type that is freed takes its structure along */
static struct uno_datatype named[NAMED]; /* the predefined types that were used */
static int named_count;
static struct uno_datatype *unused; /* structures of freed types */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The entry of every type whose operations are the host's. */
static const struct uno_datatype of_host;

/* ---- predefined types -------------------------------------------------------------------------------- */

/* Find how elements of a predefined type are combined, if they can be. */
static void find_functions(MPI_Datatype type, struct uno_datatype *t) {
    static const enum uno_class class_of[] = {
#define X(name, c_type, class) UNO_##class,
#define PAIR(name, first, second, class) UNO_##class,
        UNO_MPI_TYPES(X) UNO_MPI_PAIRS(PAIR)
#undef X
#undef PAIR
    };
    const MPI_Datatype types[] = {
#define X(name, c_type, class) name,
#define PAIR(name, first, second, class) name,
        UNO_MPI_TYPES(X) UNO_MPI_PAIRS(PAIR)
#undef X
#undef PAIR
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i] == type && !t->kernels) {
            t->class = class_of[i];
            t->kernels = uno_kernels_of(t->class, (size_t)t->layout.extent);
        }
}

static void pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes);
static void unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out);

/* Measure sizes and places. False: they are not available, or the type is empty. */
static bool measure(MPI_Datatype type, struct uno_datatype *t) {
    MPI_Count size, bound, extent, true_bound, true_extent;
    if (HOST(Type_size_x)(type, &size) != MPI_SUCCESS ||
        HOST(Type_get_extent_x)(type, &bound, &extent) != MPI_SUCCESS ||
        HOST(Type_get_true_extent_x)(type, &true_bound, &true_extent) != MPI_SUCCESS || size <= 0)
        return false;
    t->own = type;
    t->true_bound = (ptrdiff_t)true_bound;
    t->layout = (struct uno_layout){.size = (size_t)size,
                                    .extent = (ptrdiff_t)extent,
                                    .true_extent = (ptrdiff_t)true_extent,
                                    .pack = pack,
                                    .unpack = unpack};
    return true;
}

static bool is_dense(const struct uno_datatype *t) {
    const struct uno_layout *layout = &t->layout;
    return layout->extent == (ptrdiff_t)layout->size && t->true_bound == 0 &&
           layout->true_extent == layout->extent;
}

static const struct uno_datatype *look_up_named(MPI_Datatype type) {
    const struct uno_datatype *found = &of_host;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < named_count; i++)
        if (uno_load64_relaxed(&named[i].handle) == UNO_HANDLE(type))
            found = &named[i];
    if (found == &of_host && named_count < NAMED && measure(type, &named[named_count])) {
        struct uno_datatype *t = &named[named_count++];
        t->layout.plain = is_dense(t);
        find_functions(type, t);
        uno_store64_relaxed(&t->handle, UNO_HANDLE(type));
        found = t;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- derived types ----------------------------------------------------------------------------------- */

static int on_copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag) {
    (void)type, (void)key, (void)extra, (void)in, (void)out;
    *flag = 0;
    return MPI_SUCCESS;
}

static int on_delete(MPI_Datatype type, int key, void *value, void *extra) {
    (void)type, (void)key, (void)extra;
    struct uno_datatype *t = value;
    uno_atomic64 *slot = &uno_datatype_slot[uno_handle_hash(uno_load64_relaxed(&t->handle))];
    if (uno_load64_relaxed(slot) == UNO_HANDLE(t))
        uno_store64_relaxed(slot, 0);
    uno_store64_relaxed(&t->handle, 0);
    pthread_mutex_lock(&lock);
    t->next = unused;
    unused = t;
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}

/* Return true if the type's elements lie in memory as they are packed. Types that do so in a complicated way
 * are packed all the same. */
static bool is_plain(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    struct uno_datatype t;
    if (!measure(type, &t) || !is_dense(&t))
        return false;
    switch (combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_INTEGER:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX:
        return true;
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_CONTIGUOUS:
        break;
    default:
        return false;
    }
    int integer;
    MPI_Aint address;
    MPI_Datatype inner;
    HOST(Type_get_contents)(type, integers, addresses, types, &integer, &address, &inner);
    bool plain = is_plain(inner);
    HOST(Type_get_envelope)(inner, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_INTEGER &&
        combiner != MPI_COMBINER_F90_REAL && combiner != MPI_COMBINER_F90_COMPLEX)
        HOST(Type_free)(&inner);
    return plain;
}

static const struct uno_datatype *look_up_derived(MPI_Datatype type) {
    struct uno_datatype *t = NULL;
    int found = 0;
    if (HOST(Type_get_attr)(type, keyval, &t, &found) != MPI_SUCCESS)
        return &of_host;
    if (found)
        return t;
    pthread_mutex_lock(&lock);
    t = unused;
    if (t)
        unused = t->next;
    pthread_mutex_unlock(&lock);
    if (!t)
        t = uno_base_allocate(1, sizeof *t);
    if (!measure(type, t))
        t->layout.size = 0;
    t->layout.plain = is_plain(type);
    t->kernels = NULL;
    uno_store64_relaxed(&t->handle, UNO_HANDLE(type));
    if (HOST(Type_set_attr)(type, keyval, t) != MPI_SUCCESS)
        uno_base_fail("the MPI library refuses an attribute of a data type");
    return t;
}

const struct uno_datatype *uno_datatype_look_up(MPI_Datatype type) {
    int integers, addresses, types, combiner;
    if (!uno_node.on || type == MPI_DATATYPE_NULL ||
        HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return &of_host;
    bool predefined = combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
                      combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
    const struct uno_datatype *t = predefined ? look_up_named(type) : look_up_derived(type);
    if (t != &of_host)
        /* SYNC DATATYPE: the rest of the structure */
        uno_store64_release(&uno_datatype_slot[uno_handle_hash(UNO_HANDLE(type))], UNO_HANDLE(t));
    return t;
}

/* ---- copying ----------------------------------------------------------------------------------------- */

/* Return how many elements fit into one call of the host, which counts in int. */
static int portion(size_t count, const struct uno_layout *layout) {
    size_t most = INT_MAX / layout->size;
    return (int)(count < most ? count : most);
}

/* Return the type of the same places seen from `base`, to be freed: MPICH 4.0 packs nothing from
 * MPI_BOTTOM. */
static MPI_Datatype seen_from(const void *base, MPI_Datatype type) {
    int one = 1;
    MPI_Aint back = -(MPI_Aint)base;
    MPI_Datatype moved;
    HOST(Type_create_hindexed)(1, &one, &back, type, &moved);
    HOST(Type_commit)(&moved);
    return moved;
}

static void pack_as(MPI_Datatype own, const struct uno_layout *layout, const void *in, size_t count,
                    void *bytes) {
    for (size_t done = 0; done < count;) {
        int n = portion(count - done, layout), at = 0;
        HOST(Pack)
        ((const char *)in + (ptrdiff_t)done * layout->extent, n, own, (char *)bytes + done * layout->size,
         (int)((size_t)n * layout->size), &at, MPI_COMM_SELF);
        done += (size_t)n;
    }
}

static void unpack_as(MPI_Datatype own, const struct uno_layout *layout, const void *bytes, size_t count,
                      void *out) {
    for (size_t done = 0; done < count;) {
        int n = portion(count - done, layout), at = 0;
        HOST(Unpack)
        ((const char *)bytes + done * layout->size, (int)((size_t)n * layout->size), &at,
         (char *)out + (ptrdiff_t)done * layout->extent, n, own, MPI_COMM_SELF);
        done += (size_t)n;
    }
}

static void pack(const struct uno_layout *layout, const void *in, size_t count, void *bytes) {
    MPI_Datatype own = uno_datatype_from(layout)->own;
    if (UNO_LIKELY(in)) {
        pack_as(own, layout, in, count, bytes);
        return;
    }
    MPI_Datatype moved = seen_from(bytes, own);
    pack_as(moved, layout, bytes, count, bytes);
    HOST(Type_free)(&moved);
}

static void unpack(const struct uno_layout *layout, const void *bytes, size_t count, void *out) {
    MPI_Datatype own = uno_datatype_from(layout)->own;
    if (UNO_LIKELY(out)) {
        unpack_as(own, layout, bytes, count, out);
        return;
    }
    MPI_Datatype moved = seen_from(bytes, own);
    unpack_as(moved, layout, bytes, count, (void *)bytes);
    HOST(Type_free)(&moved);
}

/* ---- start and end ----------------------------------------------------------------------------------- */

void uno_datatype_start(void) {
    HOST(Type_create_keyval)(on_copy, on_delete, &keyval, NULL);
}

void uno_datatype_end(void) {
    for (int i = 0; i < UNO_HANDLES; i++)
        uno_store64_relaxed(&uno_datatype_slot[i], 0);
    HOST(Type_free_keyval)(&keyval);
}
