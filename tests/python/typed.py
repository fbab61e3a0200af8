"""The types that a type checker must see in the package; test_types.py runs mypy on it. A line that ends with `# error`
must be an error."""

from array import array

from typing_extensions import assert_type

import unisono

assert_type(unisono.rank(), int)
assert_type(unisono.reduce(1), int)
assert_type(unisono.reduce(1.5, "max"), float)
assert_type(unisono.reduce(array("d", [1.0])), memoryview)
assert_type(unisono.reduce(array("d", [1.0]), out=bytearray(8)), bytearray)
assert_type(unisono.gather(1), list[int | None])
assert_type(unisono.bcast(b"x"), bytes)
assert_type(unisono.match(1), int)
assert_type(unisono.run(unisono.rank, n=2), list[int])
assert_type(unisono.recv(bytearray(8), source=1), unisono.Message)
assert_type(unisono.probe().bytes, int)
assert_type(unisono.probe(wait=False), unisono.Message | None)
assert_type(unisono.alltoallv(b"abc", [1, 2])[1], list[int])
with unisono.group({0, 2}) as group:
    assert_type(group.members, list[int])

unisono.reduce(1, "sum")  # error
unisono.wait(1)  # error
unisono.vote("0")  # error
unisono.putget(1)  # error
unisono.send(1, 0)  # error
unisono.recv(bytearray(8), tag="a")  # error
