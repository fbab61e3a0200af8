"""The sum of the squares of the PEs' numbers, which every PE must get."""

import unisono

me = unisono.rank()
total = unisono.reduce(me * me)
mask = unisono.match(total)
if me == 0:
    print(f"{unisono.size()} PEs: {total}, agreed by {mask:#x}")
