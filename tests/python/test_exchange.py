"""Shared arrays, all-to-all, permutations and sort. oracle.py has random ones."""

import subprocess
import sys

import pytest
from patience import HANGS

pytest.importorskip("numpy")


def test_shared_arrays_are_seen_by_all_and_start_as_zeros(on_pes):
    on_pes(3, """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
a = unisono.shared((n, 4), "int16")
assert a.shape == (n, 4) and a.dtype == numpy.int16 and not a.any()
unisono.wait()
a[me] = me + 1
unisono.wait()
assert (a == numpy.arange(1, n + 1)[:, None]).all()
assert unisono.shared(0).shape == (0,) and unisono.shared((), "complex64").shape == ()
assert unisono.shared(numpy.int64(3)).shape == (3,) and unisono.shared((numpy.int16(300), 300)).shape == (300, 300)
records = unisono.shared(5, [("key", "u4"), ("value", "f8")])
if me == 0:
    records["value"][2] = 1.5
unisono.wait()
assert records["value"].sum() == 1.5
""")


def test_their_memory_is_given_back_when_nobody_has_them(on_pes):
    """Memory is not given back while any member has a part, of each group its own, and not if it is still used."""
    on_pes(3, """
import os, re, unisono
me = unisono.rank()
def shmem():  # of the system, kB
    return int(re.search(r"Shmem: +(\\d+)", open("/proc/meminfo").read())[1])
before = unisono.bcast(shmem())
kept = unisono.shared((16, 1 << 17))  # 16 MB
part = kept[5:7] if me == 1 else None
part is None or part.fill(3)
del kept
for i in range(20):
    a = unisono.shared((16, 1 << 17))
    assert not a[:, ::4096].any()
    unisono.wait()
    a[me] = i
    unisono.wait()
    if me != 2:
        with unisono.group({0, 1}):
            unisono.shared(100)
    del a
    assert part is None or (part == 3).all()
unisono.wait()
grown = unisono.bcast(shmem() - before)
assert grown < 150_000, f"20 arrays of 16 MB hold {grown} kB"  # those of others on this machine, too
""")


def test_shared_without_numpy():
    code = """
import sys
sys.modules["numpy"] = None
import unisono
a = unisono.shared((2, 3), "int32")
assert isinstance(a, memoryview) and a.shape == (2, 3) and a.format == "i" and a.tolist() == [[0] * 3] * 2
assert unisono.shared(0, float).tolist() == []
"""
    subprocess.run([sys.executable, "-c", code], timeout=HANGS, check=True)


def test_what_outlives_the_pe_has_memory(on_pes):
    on_pes(2, """
import atexit
last = []
atexit.register(lambda: last[0].sum())  # called after the package's own, which checks out
import unisono
last.append(unisono.shared(1000))
unisono.wait()
""")


def test_a_child_reaches_them(on_pes):
    on_pes(2, """
import os, unisono
a = unisono.shared(2, int)
if os.fork() == 0:
    a[0] = 7
    os._exit(0)
os.wait()
unisono.wait()
assert a[0] == 7
""")


def test_blocks_of_rows_go_to_the_members(on_pes):
    on_pes(3, """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
x = numpy.arange(n * 2 * 4, dtype="f4").reshape(n * 2, 4) + 100 * me
got = unisono.alltoall(x)
assert got.dtype == x.dtype and got.shape == x.shape
assert all((got[2 * k : 2 * k + 2] == x[2 * me : 2 * me + 2] + 100 * (k - me)).all() for k in range(n))
out = numpy.empty_like(x)
assert unisono.alltoall(x, out=out) is out and (out == got).all()
rows, counts = unisono.alltoallv(x[: n * (n - 1) // 2], numpy.arange(n))
assert counts == [me] * n and rows.shape == (me * n, 4)
""")


def test_permutations_of_rows(on_pes):
    on_pes(2, """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
a = unisono.shared((10, 3), "i2")
mine = numpy.arange(me, 10, n)
unisono.permute_put(a, 9 - mine, numpy.stack([mine, mine, mine], 1).astype("i2"))
assert (a == numpy.arange(10)[::-1, None]).all()
assert (unisono.permute_get(a, mine.astype("u8"))[:, 1] == 9 - mine).all()
""")


def test_sort_of_records_by_a_field(on_pes):
    on_pes(3, """
import numpy, unisono
me, n = unisono.rank(), unisono.size()
def records(pe):
    x = numpy.zeros(50 + pe, [("value", "u2"), ("key", "i4"), ("Of", "u1")])
    x["key"] = numpy.random.default_rng(pe).integers(-9, 9, len(x))
    x["value"], x["Of"] = numpy.arange(len(x)), pe
    return x
x, all = records(me), numpy.concatenate([records(pe) for pe in range(n)])
unisono.sort(x, key="key")
first = sum(50 + pe for pe in range(me))
assert (x == all[numpy.argsort(all["key"], kind="stable")][first : first + len(x)]).all()
shared = unisono.shared(n * 10)
shared[me * 10 : me * 10 + 10] = numpy.random.default_rng(me).random(10)
unisono.sort(shared[me * 10 : me * 10 + 10])
assert (numpy.diff(shared) >= 0).all()
""")


WRONG = [
    ("unisono.alltoall(numpy.zeros(3))", "no equal blocks"),
    ("unisono.alltoall(numpy.zeros(()))", "no dimension"),
    ("unisono.alltoall(own, out=numpy.zeros(2))", "out= has"),
    ("unisono.alltoall(own, out=own)", "overlap"),
    ("unisono.alltoall(own, out=numpy.zeros(4, int))", "do not go where"),
    ("unisono.alltoall(own.astype(object))", "holds objects"),
    ("unisono.alltoall(numpy.zeros(2, [('O', 'O')]))", "holds objects"),
    ("unisono.alltoall(numpy.zeros(4 + 2 * me))", "elements of float64 to alltoall()"),
    ("unisono.alltoallv(own, [1, 2, 1])", "for 2 members"),
    ("unisono.alltoallv(own, [1, 1])", "are not the 4"),
    ("unisono.permute_put(shared, numpy.zeros(2), numpy.zeros(2))", "int64 or uint64"),
    ("unisono.permute_put(shared, numpy.zeros(2, int), numpy.zeros(3))", "2 indices"),
    ("unisono.permute_put(shared, numpy.zeros(2, int), numpy.zeros(2, int))", "do not go where"),
    ("unisono.permute_get(shared, numpy.zeros(2, int), out=shared)", "overlap"),
    ("unisono.permute_get(shared, numpy.zeros(2, int), out=numpy.zeros(2, int))", "do not go where"),
    ("unisono.sort(own, key='a')", "no field 'a'"),
    ("unisono.sort(own.reshape(2, 2))", "2 dimensions"),
    ("unisono.sort(own.astype(bool))", "a key of"),
    ("unisono.sort(own.astype('>f8'))", "a key of"),
    ("unisono.shared(3, object)", "holds objects"),
    ("unisono.shared(1 << 50)", "no memory"),
    ("unisono.shared(-1)", "negative"),
    ("unisono.shared(2.5)", "interpreted as an integer"),
]


def test_what_does_not_fit_is_said(refuses):
    refuses("""
import numpy, unisono
me, own, shared = unisono.rank(), numpy.zeros(4), unisono.shared(4)
""", WRONG)


@pytest.mark.parametrize("call, message", [
    ("unisono.permute_put(shared, numpy.array([4]), numpy.zeros(1))", "permute_put: index 4, of element 0"),
    ("unisono.permute_get(numpy.zeros(4), numpy.array([1]))", "permute_get: "),
    ("unisono.shared(4 + me)", "shared: mismatch"),
])  # fmt: skip
def test_what_ends_the_job_is_an_exception_too(ends_job, call, message):
    ends_job(f"""
import numpy, unisono
me, shared = unisono.rank(), unisono.shared(4)
{call}
""", message)
