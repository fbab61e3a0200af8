"""Exchanges of 2 PEs of a Python script: values, messages of all lengths, objects, and all-to-all blocks."""

import unisono

me, other = unisono.rank(), 1 - unisono.rank()
assert unisono.size() == 2
assert unisono.reduce(me + 1) == 3
assert unisono.gather(me) == [0, 1]

length = 8
while length < 1 << 20:
    unisono.send(bytes([me + 1]) * length, other, tag=3)
    room = bytearray(length)
    assert unisono.recv(room, tag=3).bytes == length
    assert room == bytes([other + 1]) * length
    length = 3 * length + 8

unisono.send_object({"from": me, "large": "x" * 300_000}, other, tag=4)
assert unisono.recv_object(tag=4)["from"] == other
