"""Arrays of NumPy: their types, shapes and places."""

import pytest

pytest.importorskip("numpy")

SCRIPT = """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
all = [numpy.arange(6000, dtype="int32").reshape(2, 3000) * (pe + 2) % 97 for pe in range(n)]
own = all[me]
"""


def test_kinds_and_shapes(on_pes):
    on_pes(3, SCRIPT + """
result = unisono.reduce(own, "max")
assert isinstance(result, numpy.ndarray) and result.dtype == own.dtype and result.shape == own.shape
assert (result == numpy.maximum.reduce(all)).all()
assert unisono.gather(own).shape == (n, 2, 3000) and (unisono.gather(own) == all).all()
assert unisono.match(own).dtype == numpy.uint64 and unisono.order(own).dtype == numpy.int64
assert unisono.reduce(numpy.array(1.5)).shape == () and unisono.reduce(numpy.array(1.5)) == 4.5
assert unisono.reduce(numpy.zeros((0, 4))).size == 0
assert (unisono.reduce(numpy.array([me == 1, False]), "or") == [True, False]).all()
""")


def test_results_go_where_the_caller_wants(on_pes):
    on_pes(3, SCRIPT + """
out = numpy.empty_like(own)
assert unisono.reduce(own, out=out) is out and (out == sum(all)).all()
copy = own.copy()
unisono.scan(copy, out=copy)
assert (copy == sum(all[: me + 1])).all()
copy = own.copy()
assert unisono.bcast(copy, root=2) is copy and (copy == all[2]).all()
""")


def test_scalars_keep_their_type(on_pes):
    on_pes(2, SCRIPT + """
sum = unisono.reduce(numpy.int8(100))
assert type(sum) is numpy.int8 and sum == -56
assert unisono.gather(numpy.float32(me)) == [0, 1] and type(unisono.bcast(numpy.uint16(me), 1)) is numpy.uint16
assert type(unisono.reduce(me)) is int and type(unisono.reduce(1.5)) is float
assert unisono.reduce(1, dtype=numpy.uint8) == unisono.reduce(1, dtype=numpy.dtype("uint8")) == 2
""")


WRONG = [
    ("unisono.reduce(own[:, ::2])", "not contiguous"),
    ("unisono.reduce(own.astype('>i4'))", "byte order"),
    ("unisono.reduce(own.astype(complex))", "no type of the library"),
    ("unisono.reduce(own.astype(float), 'and')", "for integers"),
    ("unisono.reduce(own, dtype='int64')", "not that of the array"),
    ("unisono.reduce(own, out=own[0])", "out= has"),
    ("unisono.gather(own, out=numpy.empty((n, 2, 3000)))", "float64"),
    ("unisono.putget(own, 0, out=own)", "overlap"),
    ("unisono.reduce(own[:, : 10 + me].copy())", "different lengths"),
    ("unisono.reduce(own.astype('int32' if me else 'uint32'))", "different lengths or types"),
    ("unisono.reduce(own, 'min' if me else 'max')", "different operations"),
]


def test_what_does_not_fit_is_said(refuses):
    refuses(SCRIPT, WRONG)
