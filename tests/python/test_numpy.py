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
    ("unisono.reduce(own.astype('>i4'))", "byte order"),
    ("unisono.reduce(own.astype(complex))", "elements of complex128 are no type of the library"),
    ("unisono.reduce(own.astype('f2'))", "elements of float16 are no type of the library"),
    ("unisono.order(own.astype('M8[s]'))", "elements of datetime64[s] are no type of the library"),
    ("unisono.reduce(numpy.complex64(1))", "elements of complex64 are no type of the library"),
    ("unisono.reduce(own.astype(float), 'and')", "for integers"),
    ("unisono.reduce(own, dtype='int64')", "not that of the array"),
    ("unisono.reduce(own, out=own[0])", "out= has"),
    ("unisono.gather(own, out=numpy.empty((n, 2, 3000), 'f4'))", "float32"),
    ("unisono.putget(own, 0, out=own)", "overlap"),
    ("unisono.reduce(own[:, : 10 + me].copy())", "elements of int32 to reduce(op='add'), and PE "),
    ("unisono.reduce(own.astype('int32' if me else 'uint32'))", "elements of uint32 to reduce"),
    ("unisono.reduce(own, 'min' if me else 'max')", "to reduce(op='max')"),
    ("unisono.bcast(own, root=me)", "to bcast(root=1)"),
    ("unisono.gather(numpy.zeros(3, 'c8' if me else 'M8[s]'))", "3 elements of complex64 to gather()"),
    ("unisono.reduce(numpy.ma.masked_array([1, 2], [0, 1]))", "a masked array, whose mask would be lost"),
    ("unisono.send(numpy.ma.masked_array([1, 2], [0, 1]), 0)", "a masked array, whose mask would be lost"),
    ("unisono.bcast(numpy.array([None]))", "holds objects, which belong to one PE; unisono.bcast_object takes any object"),
]


def test_what_does_not_fit_is_said(refuses):
    refuses(SCRIPT, WRONG)


MOVED = """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
kinds = ["c8", "c16", "f2", "M8[us]", "m8[D]", ">i4", ">f8", "S5", "U3", "V7", [("a", "i4"), ("b", ">f8", 3)], "g"]
def values(kind, pe):
    kind = numpy.dtype(kind)
    if kind.kind in "SU":
        return numpy.array([["a", "bc", "d"], ["x" * (pe + 1), "", "z"]], kind)
    if kind.kind in "cfi":
        return (numpy.arange(6).reshape(2, 3) * (pe + 1)).astype(kind)
    return numpy.frombuffer(numpy.random.default_rng(pe).bytes(6 * kind.itemsize), kind).reshape(2, 3)
def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
for kind in kinds:
    all = [values(kind, pe) for pe in range(n)]
"""


def test_any_type_is_moved(on_pes):
    """Complex, half, times, the other byte order, bytes, text, records: to combine they are no types, to move they
    are."""
    on_pes(3, MOVED + """
    own = all[me]
    assert same(unisono.gather(own), numpy.stack(all).astype(own.dtype)), kind
    assert same(unisono.putget(own, (me + 1) % n), all[(me + 1) % n])
    there = own.copy()
    assert unisono.bcast(there, root=1) is there and same(there, all[1])
    wide = numpy.concatenate([own, own, own]).astype(own.dtype)
    rows = numpy.concatenate(all).astype(own.dtype)
    assert same(unisono.alltoall(wide), rows) and same(unisono.alltoallv(wide, [2, 2, 2])[0], rows)
    assert same(unisono.scatter(rows if me == 2 else None, root=2), own)
    place = unisono.shared((n,), own.dtype)
    unisono.permute_put(place, numpy.array([me]), own[0, :1])
    assert same(place, numpy.array([one[0, 0] for one in all], own.dtype))
    unisono.send(own, me)
    assert unisono.recv(there).bytes == own.nbytes and same(there, own)
""")


def test_scalars_of_any_type_are_moved(on_pes):
    on_pes(2, """
import numpy, unisono
me = unisono.rank()
for make in (numpy.complex64, numpy.float16, lambda v: numpy.datetime64(v, "s"), complex):
    a, b = make(1), make(2)
    own = (a, b)[me]
    assert unisono.gather(own) == [a, b] and unisono.putget(own, 1) == b and unisono.bcast(own, 1) == b
    assert type(unisono.bcast(own)) is type(own) is type(unisono.gather(own)[0])
""")


def test_any_order_of_elements(on_pes):
    """Fortran's order and slices give what C's order gives, and are filled where they are."""
    on_pes(2, """
import numpy, unisono
me = unisono.rank()
plain = [numpy.arange(24.0).reshape(4, 6) * (pe + 1) for pe in range(2)]
for order in (numpy.asfortranarray, lambda x: numpy.repeat(x, 2, 1)[:, ::2]):
    own = order(plain[me]) if me else plain[me]  # members need not have the same one
    assert (unisono.reduce(own) == plain[0] + plain[1]).all()
    assert (unisono.gather(own) == plain).all() and (unisono.scan(own) == sum(plain[: me + 1])).all()
    out = order(numpy.zeros((4, 6)))
    assert unisono.reduce(own, out=out) is out and (out == plain[0] + plain[1]).all()
    there = order(plain[me])
    assert unisono.bcast(there, root=0) is there and (there == plain[0]).all()
    unisono.send(order(plain[me]), 1 - me)
    unisono.recv(there)
    assert (there == plain[1 - me]).all()
    x = order(plain[me])[0]
    unisono.sort(x)
    assert (x == numpy.sort([*plain[0][0], *plain[1][0]])[6 * me : 6 * me + 6]).all()
""")


def test_truth_values_are_counted(on_pes):
    """As NumPy's sum does; modulo 2 is for who asks for dtype="bool"."""
    on_pes(3, """
import numpy, unisono
for true in (True, numpy.bool_(True)):
    assert unisono.reduce(true) == numpy.sum([true] * 3) == 3 and unisono.scan(true) == unisono.rank() + 1
    assert unisono.reduce(true, "mul") == 1
    assert unisono.reduce(true, "and") == True and type(unisono.reduce(true, "max")) is type(true)
    assert unisono.gather(true) == [true] * 3 and type(unisono.bcast(true)) is type(true)
assert type(unisono.reduce(True)) is int and type(unisono.reduce(numpy.bool_(True))) is numpy.int64
array = numpy.array([True, False])
assert unisono.reduce(array).tolist() == [3, 0] and unisono.reduce(array).dtype == numpy.sum([array] * 3, 0).dtype
assert unisono.reduce(array, "or").dtype == bool and unisono.reduce(array, dtype="bool").tolist() == [True, False]
assert unisono.reduce(True, dtype="bool") is True
""")


OWN_ARRAYS = """
import numpy, sys, types, unisono
me = unisono.rank()

class Tensor:  # as torch's, which shares its memory
    def __init__(self, array, device=1):
        self.array, self.device = array, device
    def __array__(self, dtype=None, copy=None):
        return self.array
    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)
    def __dlpack_device__(self):
        return self.device, 0

class Series:  # as pandas', which gives an array that may be read only
    def __init__(self, array):
        self.array = array
    def __array__(self, dtype=None, copy=None):
        view = self.array.view()
        view.flags.writeable = False
        return view

package = sys.modules["tensors"] = types.ModuleType("tensors")
package.from_dlpack = lambda array: Tensor(numpy.asarray(array))
Tensor.__module__ = "tensors"
"""


def test_arrays_of_others(on_pes):
    """A stand-in for each: by DLPack results come back as theirs, and `__array__` gives NumPy's."""
    on_pes(2, OWN_ARRAYS + """
own = Tensor(numpy.arange(3.0) + me)
sum = unisono.reduce(own)
assert isinstance(sum, Tensor) and sum.array.tolist() == [1, 3, 5]
assert unisono.bcast(own, root=1) is own and own.array.tolist() == [1, 2, 3]
assert isinstance(unisono.scatter(Tensor(numpy.arange(4)) if me == 0 else None), Tensor)
unisono.send(own, me)
assert unisono.recv(Tensor(numpy.zeros(3))).bytes == 24
series = Series(numpy.arange(3) * (me + 1))
assert unisono.reduce(series).tolist() == [0, 3, 6] and unisono.bcast(series, root=1).tolist() == [0, 2, 4]
assert series.array.tolist() == (numpy.arange(3) * (me + 1)).tolist()
for call, message in ((lambda: unisono.reduce(Tensor(numpy.zeros(1), 2)), "memory of a device"),
                      (lambda: unisono.recv(series), "cannot be filled"),
                      (lambda: unisono.reduce(numpy.zeros(3), out=series), "cannot be filled")):
    try:
        call()
    except TypeError as error:
        assert message in str(error), error
    else:
        raise SystemExit("no exception: " + message)
""")


def test_pandas(on_pes):
    pytest.importorskip("pandas")
    on_pes(2, """
import numpy, pandas, unisono
me = unisono.rank()
frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}) * (me + 1)
assert unisono.reduce(frame).tolist() == [[3, 9], [6, 12]] and unisono.reduce(frame["b"]).tolist() == [9, 12]
assert unisono.gather(frame["a"], root=1) is None if me == 0 else unisono.gather(frame["a"], root=1).tolist() == [[1, 2], [2, 4]]
""")


def test_torch(on_pes):
    pytest.importorskip("torch")
    on_pes(2, """
import torch, unisono
me = unisono.rank()
x = torch.arange(4.0) + me
assert isinstance(unisono.reduce(x), torch.Tensor) and unisono.reduce(x).tolist() == [1, 3, 5, 7]
assert unisono.bcast(x, root=1) is x and x.tolist() == [1, 2, 3, 4]
""")
