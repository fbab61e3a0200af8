"""Shared arrays, and the operations of <exchange.h> on arrays. The first dimension is what moves: a row of an array
with more of them is one element."""

from __future__ import annotations

import importlib
import math
import operator
import struct
from collections.abc import Iterable, Sequence

from . import _core
from ._memory import _FORMATS, Memory

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

# The type of a key, as the library names it.
_KEYS = {f"{kind}{bits}": f"{kind[0]}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)}
_KEYS |= {"float32": "f32", "float64": "f64"}


def _same_kind(name: str, m: Memory, other: Memory) -> None:
    if m.kind != other.kind:
        raise TypeError(f"{name}: elements of {m.kind} do not go where those of {other.kind} are")


def shared(shape: int | tuple[int, ...], dtype: Any = "float64") -> Any:
    """An array of zeros that all members of the present group reach; all of them call.

    A NumPy array, or a memoryview where NumPy is not installed. What one PE writes the others see, at the latest after
    the next meeting. Its memory is given back once no member has the array, or a part of it, any more: at the next call
    of this function by the same group.
    """
    shape = tuple(map(operator.index, shape if isinstance(shape, Iterable) else (shape,)))
    if min(shape, default=0) < 0:
        raise ValueError(f"shared: {shape} is no shape: it has a negative number")
    try:
        numpy = importlib.import_module("numpy")
    except ImportError:
        format = _FORMATS[_core._type_name(dtype)]
        size = math.prod(shape) * struct.calcsize(format)
        view = memoryview(_core._allocate(max(size, 1)))[:size]
        return view.cast(format, shape) if size else view.cast(format)
    kind = numpy.dtype(dtype)
    if kind.hasobject:
        raise TypeError(f"shared: an array of {kind} holds objects, which belong to one PE")
    return numpy.ndarray(shape, kind, _core._allocate(max(math.prod(shape) * kind.itemsize, 1)))


def rows_of(name: str, m: Memory) -> int:
    if not m.shape:
        raise ValueError(f"{name}: the array has no dimension")
    return m.shape[0]


def alltoall(x: Any, out: Any = None) -> Any:
    """Block r of x goes to member r, and the block from member r becomes block r of the result. The rows of x are as
    many blocks, of equal sizes, as the group has members."""
    m = Memory("alltoall", x)
    rows = rows_of("alltoall", m)
    if rows % _core.population():
        raise ValueError(f"alltoall: {rows} rows are no equal blocks for {_core.population()} members")
    result = m.result("alltoall", out)
    _same_kind("alltoall", m, result)
    _core._alltoall(m.bytes(), result.bytes(), m.kind, m.itemsize)
    return m.give(result, out)


def alltoallv(x: Any, counts: Sequence[int]) -> tuple[Any, list[int]]:
    """Blocks of any sizes: counts[r] rows of x, after those for the members before, go to member r. Returns what the
    members sent, one block after the other, and how many rows each of them is."""
    m = Memory("alltoallv", x)
    rows = rows_of("alltoallv", m)
    mine = memoryview(bytearray(8 * len(counts))).cast("q")
    for r, count in enumerate(counts):
        mine[r] = count
    counts = mine.tolist()  # numbers of Python's
    members = _core.population()
    if len(counts) != members or sum(counts) != rows or min(counts) < 0:
        raise ValueError(f"alltoallv: {counts} rows are not the {rows} of the array, for {members} members")
    theirs = memoryview(bytearray(8 * members)).cast("q")
    _core._alltoall(mine, theirs, "int64", 8)
    result = m.room((sum(theirs), *m.shape[1:]))
    size = m.row()
    _core._alltoallv(result.bytes(), [n * size for n in theirs], m.bytes(), [n * size for n in counts], False)
    return m.give(result, None), list(theirs)


def _index(name: str, index: Any) -> Memory:
    m = Memory(name, index)
    if m.kind not in ("int64", "uint64"):
        raise TypeError(f"{name}: an index of {m.kind}; it is of int64 or uint64")
    return m


def permute_put(array: Any, index: Any, x: Any) -> None:
    """Row i of x goes to row index[i] of an array from shared(), at every member. All of them are there when it
    returns."""
    there, mine = Memory("permute_put", array), Memory("permute_put", x)
    _same_kind("permute_put", mine, there)
    _core._permute_put(there.bytes(), mine.bytes(), _index("permute_put", index).bytes(), there.row())


def permute_get(array: Any, index: Any, out: Any = None) -> Any:
    """Row index[i] of an array from shared() becomes row i of the result, which every member has of its own."""
    there, numbers = Memory("permute_get", array), _index("permute_get", index)
    result = there.result("permute_get", out, (math.prod(numbers.shape), *there.shape[1:]))
    _same_kind("permute_get", there, result)
    _core._permute_get(there.bytes(), result.bytes(), numbers.bytes(), there.row())
    return there.give(result, out)


def sort(x: Any, key: str | None = None) -> None:
    """Sort the elements of all members' arrays, where they are: afterwards every member has as many as before, and
    those of all members, one after the other, are in order. Of an array of records, `key` is the field by which they
    are ordered. Stable; floating-point numbers by IEEE 754's total order."""
    m = Memory("sort", x)
    if len(m.shape) != 1:
        raise ValueError(f"sort: an array of {len(m.shape)} dimensions; it sorts those of one")
    kind, offset = m.kind, 0
    if key is not None:
        fields = getattr(m.dtype, "fields", None) or {}
        if key not in fields:
            raise ValueError(f"sort: the array has no field {key!r}")
        kind, offset = str(fields[key][0]), fields[key][1]
    kind_of_key = _KEYS.get(kind)
    if kind_of_key is None:
        raise TypeError(f"sort: a key of {kind}; it is of integers of 8 to 64 bits, float32 or float64")
    _core._sort(m.to_fill("sort").bytes(), m.itemsize, kind_of_key, offset)
    m.written()
