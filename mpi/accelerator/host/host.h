/* The MPI library under the accelerator. It is never linked: its functions are found when the first one is
 * needed, since a program may load it late and privately. */

#ifndef UNO_HOST_H
#define UNO_HOST_H

#include <stdbool.h>

#include UNO_MPI_HEADER

#include "engine/atomic.h"

#define UNO_LIKELY(x) __builtin_expect(!!(x), 1)
#define UNO_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define UNO_COLD __attribute__((cold, noinline))

/* Functions of the host that are called. */
#define UNO_HOST_FUNCTIONS(X)                                                                                \
    X(Abort)                                                                                                 \
    X(Barrier)                                                                                               \
    X(Comm_call_errhandler)                                                                                  \
    X(Comm_create_keyval)                                                                                    \
    X(Comm_dup)                                                                                              \
    X(Comm_free)                                                                                             \
    X(Comm_free_keyval)                                                                                      \
    X(Comm_get_attr)                                                                                         \
    X(Comm_get_name)                                                                                         \
    X(Comm_get_parent)                                                                                       \
    X(Comm_group)                                                                                            \
    X(Comm_rank)                                                                                             \
    X(Comm_remote_size)                                                                                      \
    X(Comm_set_attr)                                                                                         \
    X(Comm_size)                                                                                             \
    X(Comm_split)                                                                                            \
    X(Comm_split_type)                                                                                       \
    X(Comm_test_inter)                                                                                       \
    X(Finalize)                                                                                              \
    X(Get_library_version)                                                                                   \
    X(Group_free)                                                                                            \
    X(Group_translate_ranks)                                                                                 \
    X(Ibarrier)                                                                                              \
    X(Init)                                                                                                  \
    X(Init_thread)                                                                                           \
    X(Iprobe)                                                                                                \
    X(Pack)                                                                                                  \
    X(Query_thread)                                                                                          \
    X(Reduce_local)                                                                                          \
    X(Type_commit)                                                                                           \
    X(Type_create_hindexed)                                                                                  \
    X(Type_create_keyval)                                                                                    \
    X(Type_free)                                                                                             \
    X(Type_free_keyval)                                                                                      \
    X(Type_get_attr)                                                                                         \
    X(Type_get_contents)                                                                                     \
    X(Type_get_envelope)                                                                                     \
    X(Type_get_extent_x)                                                                                     \
    X(Type_get_name)                                                                                         \
    X(Type_get_true_extent_x)                                                                                \
    X(Type_set_attr)                                                                                         \
    X(Type_size_x)                                                                                           \
    X(Unpack)                                                                                                \
    X(Win_test)

/* Functions with a form for large counts, which ends in _c, if the library has such forms. */
#define UNO_HOST_COUNTING_FUNCTIONS(X)                                                                       \
    X(Allgather)                                                                                             \
    X(Allgatherv)                                                                                            \
    X(Allreduce)                                                                                             \
    X(Alltoall)                                                                                              \
    X(Alltoallv)                                                                                             \
    X(Bcast)                                                                                                 \
    X(Bsend)                                                                                                 \
    X(Exscan)                                                                                                \
    X(Gather)                                                                                                \
    X(Gatherv)                                                                                               \
    X(Iallgather)                                                                                            \
    X(Iallgatherv)                                                                                           \
    X(Iallreduce)                                                                                            \
    X(Ialltoall)                                                                                             \
    X(Ialltoallv)                                                                                            \
    X(Ibcast)                                                                                                \
    X(Ibsend)                                                                                                \
    X(Iexscan)                                                                                               \
    X(Igather)                                                                                               \
    X(Igatherv)                                                                                              \
    X(Irecv)                                                                                                 \
    X(Ireduce)                                                                                               \
    X(Ireduce_scatter)                                                                                       \
    X(Ireduce_scatter_block)                                                                                 \
    X(Irsend)                                                                                                \
    X(Iscan)                                                                                                 \
    X(Iscatter)                                                                                              \
    X(Iscatterv)                                                                                             \
    X(Isend)                                                                                                 \
    X(Issend)                                                                                                \
    X(Neighbor_allgather)                                                                                    \
    X(Neighbor_allgatherv)                                                                                   \
    X(Neighbor_alltoall)                                                                                     \
    X(Neighbor_alltoallv)                                                                                    \
    X(Recv)                                                                                                  \
    X(Reduce)                                                                                                \
    X(Reduce_scatter)                                                                                        \
    X(Reduce_scatter_block)                                                                                  \
    X(Rsend)                                                                                                 \
    X(Scan)                                                                                                  \
    X(Scatter)                                                                                               \
    X(Scatterv)                                                                                              \
    X(Send)                                                                                                  \
    X(Sendrecv)                                                                                              \
    X(Sendrecv_replace)                                                                                      \
    X(Ssend)

/* Fortran's handles differ from C's, and INTEGER may have another size than int. */
#if UNO_MPI_OPENMPI
#define UNO_HOST_FORTRAN_FUNCTIONS(X)                                                                        \
    X(Comm_f2c)                                                                                              \
    X(Op_f2c)                                                                                                \
    X(Type_f2c)                                                                                              \
    X(Type_size)
#else
#define UNO_HOST_FORTRAN_FUNCTIONS(X)
#endif

/* Open MPI's handles are the addresses of variables in the library. */
#ifdef OMPI_MAJOR_VERSION
#define UNO_HOST_VARIABLES(X)                                                                                \
    X(ompi_mpi_comm_null)                                                                                    \
    X(ompi_mpi_comm_self)                                                                                    \
    X(ompi_mpi_comm_world)                                                                                   \
    X(ompi_mpi_info_null)                                                                                    \
    X(ompi_mpi_op_null)                                                                                      \
    X(ompi_mpi_op_max)                                                                                       \
    X(ompi_mpi_op_min)                                                                                       \
    X(ompi_mpi_op_sum)                                                                                       \
    X(ompi_mpi_op_prod)                                                                                      \
    X(ompi_mpi_op_land)                                                                                      \
    X(ompi_mpi_op_band)                                                                                      \
    X(ompi_mpi_op_lor)                                                                                       \
    X(ompi_mpi_op_bor)                                                                                       \
    X(ompi_mpi_op_lxor)                                                                                      \
    X(ompi_mpi_op_bxor)                                                                                      \
    X(ompi_mpi_op_maxloc)                                                                                    \
    X(ompi_mpi_op_minloc)                                                                                    \
    X(ompi_mpi_op_replace)                                                                                   \
    X(ompi_mpi_op_no_op)                                                                                     \
    X(ompi_mpi_datatype_null)                                                                                \
    X(ompi_mpi_byte)                                                                                         \
    X(ompi_mpi_packed)                                                                                       \
    X(ompi_mpi_char)                                                                                         \
    X(ompi_mpi_short)                                                                                        \
    X(ompi_mpi_int)                                                                                          \
    X(ompi_mpi_long)                                                                                         \
    X(ompi_mpi_float)                                                                                        \
    X(ompi_mpi_double)                                                                                       \
    X(ompi_mpi_long_double)                                                                                  \
    X(ompi_mpi_unsigned_char)                                                                                \
    X(ompi_mpi_signed_char)                                                                                  \
    X(ompi_mpi_unsigned_short)                                                                               \
    X(ompi_mpi_unsigned_long)                                                                                \
    X(ompi_mpi_unsigned)                                                                                     \
    X(ompi_mpi_float_int)                                                                                    \
    X(ompi_mpi_double_int)                                                                                   \
    X(ompi_mpi_longdbl_int)                                                                                  \
    X(ompi_mpi_long_int)                                                                                     \
    X(ompi_mpi_short_int)                                                                                    \
    X(ompi_mpi_2int)                                                                                         \
    X(ompi_mpi_wchar)                                                                                        \
    X(ompi_mpi_long_long_int)                                                                                \
    X(ompi_mpi_unsigned_long_long)                                                                           \
    X(ompi_mpi_character)                                                                                    \
    X(ompi_mpi_logical)                                                                                      \
    X(ompi_mpi_integer)                                                                                      \
    X(ompi_mpi_real)                                                                                         \
    X(ompi_mpi_dblprec)                                                                                      \
    X(ompi_mpi_cplex)                                                                                        \
    X(ompi_mpi_dblcplex)                                                                                     \
    X(ompi_mpi_2real)                                                                                        \
    X(ompi_mpi_2dblprec)                                                                                     \
    X(ompi_mpi_2integer)                                                                                     \
    X(ompi_mpi_integer1)                                                                                     \
    X(ompi_mpi_integer2)                                                                                     \
    X(ompi_mpi_integer4)                                                                                     \
    X(ompi_mpi_integer8)                                                                                     \
    X(ompi_mpi_real4)                                                                                        \
    X(ompi_mpi_real8)                                                                                        \
    X(ompi_mpi_complex8)                                                                                     \
    X(ompi_mpi_complex16)                                                                                    \
    X(ompi_mpi_int8_t)                                                                                       \
    X(ompi_mpi_uint8_t)                                                                                      \
    X(ompi_mpi_int16_t)                                                                                      \
    X(ompi_mpi_uint16_t)                                                                                     \
    X(ompi_mpi_int32_t)                                                                                      \
    X(ompi_mpi_uint32_t)                                                                                     \
    X(ompi_mpi_int64_t)                                                                                      \
    X(ompi_mpi_uint64_t)                                                                                     \
    X(ompi_mpi_aint)                                                                                         \
    X(ompi_mpi_offset)                                                                                       \
    X(ompi_mpi_count)                                                                                        \
    X(ompi_mpi_c_bool)                                                                                       \
    X(ompi_mpi_c_float_complex)                                                                              \
    X(ompi_mpi_c_double_complex)                                                                             \
    X(ompi_mpi_c_long_double_complex)                                                                        \
    X(ompi_mpi_cxx_bool)                                                                                     \
    X(ompi_mpi_cxx_cplex)                                                                                    \
    X(ompi_mpi_cxx_dblcplex)                                                                                 \
    X(ompi_mpi_cxx_ldblcplex)
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)uno_host_table.global)
#else
#define UNO_HOST_VARIABLES(X)
#endif

struct uno_host {
    uno_atomic32 found;
    int (*Comm_revoke)(MPI_Comm comm); /* PMPIX_; NULL: the library has none */
    const bool *tolerant;              /* Open MPI's ompi_ftmpi_enabled; NULL: it has none */
#define X(name) __typeof__(PMPI_##name) *name;
    UNO_HOST_FUNCTIONS(X)
    UNO_HOST_COUNTING_FUNCTIONS(X)
    UNO_HOST_FORTRAN_FUNCTIONS(X)
#undef X
#ifdef UNO_MPI_LARGE_COUNTS
#define X(name) __typeof__(PMPI_##name##_c) *name##_c;
    UNO_HOST_COUNTING_FUNCTIONS(X)
#undef X
#endif
#define X(name) void *name;
    UNO_HOST_VARIABLES(X)
#undef X
};

/* The host's functions in this process; written once, by uno_host_find. */
extern struct uno_host uno_host_table;

/* Fill the table, or end the process with a message. */
void uno_host_find(void);

static inline const struct uno_host *uno_host(void) {
    /* SYNC HOST: the rest of the table */
    if (UNO_UNLIKELY(!uno_load32_acquire(&uno_host_table.found)))
        uno_host_find();
    return &uno_host_table;
}

/* HOST(Barrier)(comm) calls the library's own PMPI_Barrier. */
#define HOST(name) (uno_host()->name)

#endif
