"""The sum of the squares of the PEs' numbers, which every PE must get."""

import unisono

me = unisono.rank()
shared = unisono.shared(unisono.size(), "int64")
shared[me] = me * me
unisono.wait()
total = sum(shared)
mask = unisono.match(total)
if me == 0:
    print(f"{unisono.size()} PEs: {total}, agreed by {mask:#x}")
