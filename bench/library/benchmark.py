"""The MPI library of unisono run beside Open MPI and MPICH, alone and accelerated. What lies below the library is
measured by `unisono bench mpi`."""

import files
import mesh
import messages
import osu
import polling
import ring
import start
import threads

PARTS = {"messages": messages.BENCHMARK, "mesh": mesh.BENCHMARK, "ring": ring.BENCHMARK, "start": start.BENCHMARK,
         "osu": osu.BENCHMARK, "files": files.BENCHMARK, "polling": polling.BENCHMARK,
         "threads": threads.BENCHMARK}
