"""HDF5 files written and read by all ranks, through h5py, whose files must be the same under every library."""
import hashlib
import sys

import h5py
import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
rows, columns = 8 * size, 250

with h5py.File("all.h5", "w", driver="mpio", comm=world) as file:
    whole = file.create_dataset("whole", (rows, columns), dtype="f8")
    blocks = file.create_dataset("blocks", (rows, columns), dtype="i4", chunks=(3, 50), fillvalue=-1)
    packed = file.create_dataset("packed", (rows, columns), dtype="i8", chunks=(8, 125), compression="gzip")
    mine = np.arange(8 * columns, dtype="f8").reshape(8, columns) + rank / 8
    whole[8 * rank:8 * rank + 8] = mine  # by each rank alone
    with blocks.collective:  # rows that the ranks have in turn
        blocks[rank::size] = np.full((8, columns), rank)
    with packed.collective:
        packed[8 * rank:8 * rank + 8] = mine.astype("i8")
    group = file.create_group("group")
    group.attrs["ranks"] = size
    strided = group.create_dataset("strided", (columns, rows), dtype="u2")
    with strided.collective:
        strided[:, rank::size] = np.arange(columns * 8, dtype="u2").reshape(columns, 8) + rank
    file.atomic = True
    whole[8 * rank, 0] = -rank
    file.flush()

with h5py.File("all.h5", "r", driver="mpio", comm=world) as file:
    after = (rank + 1) % size
    with file["whole"].collective:
        theirs = file["whole"][8 * after:8 * after + 8]
    found = [float(theirs.sum()), int(file["blocks"][:, 7].sum()), int(file["packed"][8 * after].sum()),
             int(file["group/strided"][3].sum()), int(file["group"].attrs["ranks"])]
everything = world.gather(found)
if rank == 0:
    for one, numbers in enumerate(everything):
        print("rank", one, "reads", numbers)
    print("file", hashlib.sha256(open("all.h5", "rb").read()).hexdigest())
