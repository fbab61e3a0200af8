/* unisono mpi: a profile, as rank 0's accelerator writes it (docs/mpi.md describes the format). */

#ifndef UNO_CLI_MPI_PROFILE_H
#define UNO_CLI_MPI_PROFILE_H

#include <jansson.h>
#include <stdbool.h>

#include "crossovers.h"

/* A collective, or a function of messages, with one type, size and number of participants. */
struct mpi_row {
    const char *name, *type;
    double bytes; /* the lower end of a range from one power of two to the next */
    int ranks;    /* of the communicator; 0: a message */
    double operations, accelerated, calls;
    double seconds; /* of all ranks */
    double saved;   /* likewise, by the times that --tune measured; NAN: none were */
};

struct mpi_profile {
    json_t *json; /* holds the texts */
    const char *library, *off;
    enum mpi_build build;
    int ranks, nodes;
    bool pretended;
    double seconds, inside;     /* of all ranks */
    double compared, different; /* of --check; compared < 0: there was none */
    size_t rows, messages;
    struct mpi_row *row, *message;
};

/* Read a profile. Returns NULL, or the words of the error. */
const char *mpi_profile_read(struct mpi_profile *profile, const char *path);

/* Add the time that acceleration has saved to the rows and to the JSON. */
void mpi_profile_save(struct mpi_profile *profile, const struct mpi_times *times);

#endif
