"""Rounds of sums and messages that take so many seconds, each checked: `unisono run -n 3 python rounds.py SECONDS`."""

import sys
import time

import unisono

me, n, end = unisono.rank(), unisono.size(), time.monotonic() + float(sys.argv[1])
number, room = 0, bytearray(8)
while unisono.all(time.monotonic() < end):
    if unisono.reduce(me + number) != n * (n - 1) // 2 + n * number:
        sys.exit(f"PE {me}: a wrong sum")
    unisono.send(number.to_bytes(8, "little"), (me + 1) % n)
    if unisono.recv(room).bytes != 8 or int.from_bytes(room, "little") != number:
        sys.exit(f"PE {me}: a wrong message")
    number += 1
