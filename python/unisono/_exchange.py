"""Shared arrays, and the operations of <exchange.h> on arrays. The first dimension is what moves: a row of an array with more
of them is one element."""

from __future__ import annotations

import importlib
import math
import operator
import struct
from collections.abc import Iterable, Sequence
from typing import Any

from . import _arrays, _core
from ._arrays import _FORMATS, _room, _shape

_KEYS = {"b": "i8", "h": "i16", "i": "i32", "l": "i64", "q": "i64", "B": "u8", "H": "u16", "I": "u32", "L": "u64", "Q": "u64",
         "f": "f32", "d": "f64"}  # fmt: skip


def _view(name: str, x: Any) -> memoryview:
    view = _arrays._view(name, x)
    _core._check_format(name, view.format)
    return view


def _kind(view: memoryview) -> str:
    """Of a key, as the library names it; otherwise the format."""
    format = view.format.lstrip("@=<")
    return _KEYS.get(format, format)


def _same_kind(name: str, view: memoryview, other: memoryview) -> None:
    if _kind(view) != _kind(other):
        raise TypeError(f"{name}: elements of the format '{view.format}' do not go where those of '{other.format}' are")


def shared(shape: int | tuple[int, ...], dtype: Any = "float64") -> Any:
    """An array of zeros that all members of the present group reach; all of them call.

    A NumPy array, or a memoryview where NumPy is not installed. What one PE writes the others see, at the latest after
    the next meeting. Its memory is given back once no member has the array, or a part of it, any more: at the next call of
    this function by the same group.
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


def _rows(name: str, view: memoryview) -> tuple[int, int]:
    """The number of rows, and the bytes of one."""
    shape = _shape(view)
    if not shape:
        raise ValueError(f"{name}: the array has no dimension")
    return shape[0], math.prod(shape[1:]) * view.itemsize


def _like(x: Any, view: memoryview, rows: int) -> Any:
    """A new array of the kind of x, with so many rows."""
    dtype = getattr(x, "dtype", None)
    shape = (rows, *_shape(view)[1:])
    return _room(x, shape, _core._format_name(view.format, view.itemsize) if dtype is None else dtype)


def alltoall(x: Any, out: Any = None) -> Any:
    """Block r of x goes to member r, and the block from member r becomes block r of the result. The rows of x are as many
    blocks, of equal sizes, as the group has members."""
    view = _view("alltoall", x)
    rows, _ = _rows("alltoall", view)
    if rows % _core.population():
        raise ValueError(f"alltoall: {rows} rows are no equal blocks for {_core.population()} members")
    result = _like(x, view, rows) if out is None else out
    _same_kind("alltoall", view, _view("alltoall", result))
    _core._alltoall(view, result)
    return result


def alltoallv(x: Any, counts: Sequence[int]) -> tuple[Any, list[int]]:
    """Blocks of any sizes: counts[r] rows of x, after those for the members before, go to member r. Returns what the members
    sent, one block after the other, and how many rows each of them is."""
    view = _view("alltoallv", x)
    rows, size = _rows("alltoallv", view)
    mine = memoryview(bytearray(8 * len(counts))).cast("q")
    for r, count in enumerate(counts):
        mine[r] = count
    counts = mine.tolist()  # numbers of Python's
    members = _core.population()
    if len(counts) != members or sum(counts) != rows or min(counts) < 0:
        raise ValueError(f"alltoallv: {counts} rows are not the {rows} of the array, for {members} members")
    theirs = memoryview(bytearray(8 * members)).cast("q")
    _core._alltoall(mine, theirs)
    result = _like(x, view, sum(theirs))
    _core._alltoallv(result, [n * size for n in theirs], view, [n * size for n in counts], False)
    return result, list(theirs)


def _index(name: str, index: Any) -> memoryview:
    view = _view(name, index)
    if view.itemsize != 8 or view.format.lstrip("@=<") not in ("q", "Q", "l", "L"):
        raise TypeError(f"{name}: an index of the format '{view.format}'; it is of int64 or uint64")
    return view


def permute_put(array: Any, index: Any, x: Any) -> None:
    """Row i of x goes to row index[i] of an array from shared(), at every member. All of them are there when it returns."""
    view, mine = _view("permute_put", array), _view("permute_put", x)
    _same_kind("permute_put", mine, view)
    _core._permute_put(array, mine, _index("permute_put", index), _rows("permute_put", view)[1])


def permute_get(array: Any, index: Any, out: Any = None) -> Any:
    """Row index[i] of an array from shared() becomes row i of the result, which every member has of its own."""
    view, numbers = _view("permute_get", array), _index("permute_get", index)
    result = _like(array, view, len(numbers)) if out is None else out
    _same_kind("permute_get", view, _view("permute_get", result))
    _core._permute_get(view, result, numbers, _rows("permute_get", view)[1])
    return result


def sort(x: Any, key: str | None = None) -> None:
    """Sort the elements of all members' arrays, where they are: afterwards every member has as many as before, and those of
    all members, one after the other, are in order. Of an array of records, `key` is the field by which they are ordered.
    Stable; floating-point numbers by IEEE 754's total order."""
    view = _view("sort", x)
    if view.ndim != 1:
        raise ValueError(f"sort: an array of {view.ndim} dimensions; it sorts those of one")
    offset, format = 0, view.format
    if key is not None:
        fields = getattr(getattr(x, "dtype", None), "fields", None) or {}
        if key not in fields:
            raise ValueError(f"sort: the array has no field {key!r}")
        kind, offset = fields[key][:2]
        format = kind.char if kind.isnative else kind.str
    kind_of_key = _KEYS.get(format.lstrip("@=<"))
    if kind_of_key is None:
        raise TypeError(f"sort: a key of the format '{format}'; it is of integers of 8 to 64 bits, float32 or float64")
    _core._sort(x, view.itemsize, kind_of_key, offset)
