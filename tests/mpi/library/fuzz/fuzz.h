/* Right and wrong values for the calls that generate.py makes from the table of functions. See main.py. */

#ifndef MPI_FUZZ_H
#define MPI_FUZZ_H

#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, LIST = 256 };

/* Lists begin with a few right numbers, and all others are wrong: so a call that is given too great a count
 * finds one that it can refuse. */

/* A handle that no call has ever made. */
#if defined OPEN_MPI
extern char nothing[ROOM];
#define NEVER(type, kind) ((type)nothing)
#elif defined MPICH_NAME
#define NEVER(type, kind) ((type)(0xc0000777u | (unsigned)(kind) << 26))
#else
#define NEVER(type, kind) ((type)(intptr_t)0x7fe)
#endif
/* The bits of MPICH's handles that give the kind of the object. */
enum {
    COMM_BITS = 1,
    GROUP_BITS = 2,
    TYPE_BITS = 3,
    FILE_BITS = 4,
    ERRHANDLER_BITS = 5,
    OP_BITS = 6,
    INFO_BITS = 7,
    WIN_BITS = 8,
    REQUEST_BITS = 11,
    MESSAGE_BITS = 11
};

/* The right values. Between MPI_Init and MPI_Finalize objects are made for them; outside they are predefined
 * objects. */
struct right {
    int inside; /* between MPI_Init and MPI_Finalize */
    int fatal;  /* errors end the program */
    int rank, size;
    MPI_Comm comm, cart, graph, dist, inter; /* of no topology, and of each; an intercommunicator */
    MPI_Group group, own, others;            /* of all ranks, of this one, of the others */
    MPI_Datatype type, pair;                 /* made of others, and committed */
    MPI_Info info;
    MPI_File file; /* of this rank alone */
    int comm_keyval, type_keyval, win_keyval, keyval;
    int errorclass, errorcode;
};
extern struct right right;

/* Memory for data, with no other use. */
extern int memory[4][ROOM];

/* End the program if what it needs itself has failed. */
void good(int error);

/* ---- objects for one call ------------------------------------------------------------------------------ */

MPI_Comm new_comm(void), freed_comm(void);
MPI_Group new_group(void), freed_group(void);
MPI_Datatype new_type(void), freed_type(void);
MPI_Op new_op(void), freed_op(void);
MPI_Info new_info(void), freed_info(void);
MPI_Errhandler new_errhandler(void), freed_errhandler(void);
MPI_Request new_partitioned(int sends);
MPI_Request new_request(void), new_persistent(void), new_grequest(void), freed_request(void);
MPI_Message new_message(void), freed_message(void);
MPI_File new_file(void), freed_file(void);
extern char file_name[PATH_MAX];
const char *new_file_name(void); /* of a file that is there, to be deleted */
const char *new_datarep(void);   /* a name that no representation has yet */
MPI_Win new_win(void), new_dynamic_win(void), freed_win(void);
int new_comm_keyval(void), new_type_keyval(void), new_win_keyval(void), new_errorclass(void),
    new_errorcode(void);
void *new_memory(void);

/* Free the object that a call has made. */
void drop_comm(MPI_Comm *comm);
void drop_group(MPI_Group *group);
void drop_type(MPI_Datatype *type);
void drop_op(MPI_Op *op);
void drop_info(MPI_Info *info);
void drop_errhandler(MPI_Errhandler *errhandler);
void drop_request(MPI_Request *request);
void drop_message(MPI_Message *message);
void drop_file(MPI_File *file);
void drop_win(MPI_Win *win);

/* Begin an epoch of a window of one rank, as origin and as target; and end it as origin. */
void start_win(MPI_Win win);
void complete_win(MPI_Win win);

/* Send a message from this rank to itself; or post a receive of one. */
void expect_message(void);
void expect_receive(void);

/* Leave nothing of the last call. */
void tidy(void);

/* ---- functions of the program's ------------------------------------------------------------------------ */

void user_function(void *in, void *inout, int *n, MPI_Datatype *type);
void user_function_c(void *in, void *inout, MPI_Count *n, MPI_Datatype *type);
void user_errhandler(MPI_Comm *comm, int *error, ...);
int user_extent(MPI_Datatype type, MPI_Aint *extent, void *state);
int user_query(void *state, MPI_Status *status);
int user_free(void *state);
int user_cancel(void *state, int complete);

/* ---- the calls ----------------------------------------------------------------------------------------- */

/* A function of MPI: call it with everything right (0), or, from 1 on, with the error in `wrong`. */
struct function {
    const char *name;
    int (*call)(int wrong);
    int cases;
    const char *const *wrong; /* "count negative" */
    const char *ranks;        /* for each case: '1' one rank makes it, '2' also both of two, 'i' only these */
};
extern const struct function functions[];
extern const int function_count;

#endif
