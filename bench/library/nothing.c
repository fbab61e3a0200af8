/* A program that is loaded and ends: with the library (WITH_MPI), or alone. */

#ifdef WITH_MPI
#include <mpi.h>
void *volatile needed = (void *)MPI_Init; /* so that the library is not left out */
#endif

int main(void) {
    return 0;
}
