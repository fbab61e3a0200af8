"""The aggregates of arrays: what has a buffer. _core calls a function here for a value that is no number of Python's, with
its arguments in the order of its own parameters.

A NumPy array gives a NumPy array, any other buffer a memoryview. A scalar of NumPy's gives one of the same type.
"""

from __future__ import annotations

import math
import struct
import sys
from typing import Any

from . import _core

_FORMATS = {
    "bool": "?",
    "int8": "b",
    "int16": "h",
    "int32": "i",
    "int64": "q",
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "float32": "f",
    "float64": "d",
}


def _view(name: str, x: Any) -> memoryview:
    try:
        view = memoryview(x)
    except TypeError:
        raise TypeError(
            f"{name}: a {type(x).__name__} is neither a number nor an array; numpy.asarray makes an array of a list"
        ) from None
    if not view.c_contiguous:
        raise ValueError(f"{name}: the array is not contiguous; numpy.ascontiguousarray makes one that is")
    return view


def _is_scalar(x: Any, view: memoryview) -> bool:
    """Of NumPy's scalars, whose dtype makes numbers; an array without dimensions stays an array."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.generic) and view.ndim == 0


def _same_type(name: str, view: memoryview, dtype: Any) -> None:
    if dtype is not None and _core._type_name(dtype) != _core._format_name(view.format, view.itemsize):
        raise TypeError(f"{name}: dtype={dtype!r} is not that of the array; dtype= is for numbers")


def _room(x: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """A new array of the kind of x; dtype: NumPy's name."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.ndarray):
        return numpy.zeros(shape, dtype)
    format = _FORMATS[dtype]
    plain = memoryview(bytearray(math.prod(shape) * struct.calcsize(format)))
    return plain.cast(format, shape) if plain.nbytes else plain.cast(format)


def _shape(view: memoryview) -> tuple[int, ...]:
    return view.shape or ()


def _type(view: memoryview) -> str:
    return str(_core._format_name(view.format, view.itemsize))


def _value(name: str, x: Any, view: memoryview, out: Any, call: Any) -> Any:
    """A scalar of NumPy's: the same call on Python's number of the same type."""
    if out is not None:
        raise TypeError(f"{name}: out= is for arrays, and this value is a number")
    return call(view.tolist(), _type(view))


def _combine(name: str, call: Any, x: Any, op: str | None, out: Any, dtype: Any) -> Any:
    view = _view(name, x)
    _same_type(name, view, dtype)
    if _is_scalar(x, view):
        return type(x)(_value(name, x, view, out, lambda v, t: call(v, op, dtype=t)))
    result = _room(x, _shape(view), _type(view)) if out is None else out
    _core._array_combine(name, view, result, op)
    return result


def reduce(x: Any, op: str | None, out: Any, dtype: Any) -> Any:
    return _combine("reduce", _core.reduce, x, op, out, dtype)


def scan(x: Any, op: str | None, out: Any, dtype: Any) -> Any:
    return _combine("scan", _core.scan, x, op, out, dtype)


def putget(x: Any, source: int, out: Any, dtype: Any) -> Any:
    view = _view("putget", x)
    _same_type("putget", view, dtype)
    if _is_scalar(x, view):
        return type(x)(_value("putget", x, view, out, lambda v, t: _core.putget(v, source, dtype=t)))
    result = _room(x, _shape(view), _type(view)) if out is None else out
    _core._array_putget(view, result, source)
    return result


def bcast(x: Any, root: int | None, dtype: Any) -> Any:
    view = _view("bcast", x)
    _same_type("bcast", view, dtype)
    if _is_scalar(x, view):
        return type(x)(_value("bcast", x, view, None, lambda v, t: _core.bcast(v, root, dtype=t)))
    _core._array_bcast(view, 0 if root is None else root)
    return x


def gather(x: Any, out: Any, dtype: Any) -> Any:
    view = _view("gather", x)
    _same_type("gather", view, dtype)
    if _is_scalar(x, view):
        all = _value("gather", x, view, out, lambda v, t: _core.gather(v, dtype=t))
        return [None if value is None else type(x)(value) for value in all]
    result = _room(x, (_core.size(), *_shape(view)), _type(view)) if out is None else out
    _core._array_gather(view, result)
    return result


def _compare(name: str, call: Any, x: Any, dtype: Any, result_type: str) -> Any:
    view = _view(name, x)
    _same_type(name, view, dtype)
    if _is_scalar(x, view):
        return call(view.tolist(), _type(view))
    result = _room(x, _shape(view), result_type)
    _core._array_compare(name, view, result)
    return result


def order(x: Any, dtype: Any) -> Any:
    return _compare("order", _core.order, x, dtype, "int64")


def match(x: Any, dtype: Any) -> Any:
    if _core.mask() >> 64 and not isinstance(x, (int, float)):
        raise ValueError("match: an array of masks has 64 bits an element, and the group has members beyond PE 63")
    return _compare("match", _core.match, x, dtype, "uint64")


def match_count(x: Any, dtype: Any) -> Any:
    return _compare("match_count", _core.match_count, x, dtype, "int64")
