"""The aggregates of arrays: what has a buffer, or gives a NumPy array. _core calls a function here for a value that is
no number of Python's, with its arguments in the order of its own parameters.

A NumPy array gives a NumPy array, any other buffer a memoryview. A scalar of NumPy's gives one of the same type.
"""

from __future__ import annotations

from collections.abc import Callable

from . import _core
from ._memory import _FORMATS, Memory

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any


def _same_type(name: str, m: Memory, dtype: Any) -> None:
    if dtype is not None and _core._type_name(dtype) != m.kind:
        raise TypeError(f"{name}: dtype={dtype!r} is not that of the array; dtype= is for numbers")


def _number(name: str, m: Memory) -> None:
    if m.kind not in _FORMATS:
        raise TypeError(
            f"{name}: elements of {m.kind} are no type of the library, which combines and compares integers of 8 to 64 bits, "
            "float32, float64 and bool, in this machine's byte order; other types are only moved"
        )


def _no_out(name: str, out: Any) -> None:
    if out is not None:
        raise TypeError(f"{name}: out= is for arrays, and this value is a number")


def _scalar(m: Memory, value: Any) -> Any:
    """A value of the type of a scalar, as the caller gave that."""
    return value if type(m.of) is complex else m.dtype.type(value)


def _element(m: Memory, value: Any) -> Any:
    """An element of an array as a value of the type of a scalar, as the caller gave that."""
    return value.item() if type(m.of) is complex else value


def _combine(name: str, call: Callable[..., Any], x: Any, op: str | None, out: Any, dtype: Any, root: int | None) -> Any:
    m = Memory(name, x)
    _same_type(name, m, dtype)
    _number(name, m)
    gets = root is None or root == _core.rank()
    counts = m.kind == "bool" and dtype is None and op in (None, "add", "mul")  # as numbers, as NumPy's sum does
    if m.scalar:
        _no_out(name, out)
        value = call(int(m.array)) if counts else call(m.array.item(), dtype=m.kind)
        return value if value is None else m.array.astype("int64").dtype.type(value) if counts else _scalar(m, value)
    if counts:
        m = _as_int64(m)
    result = m.result(name, out) if gets else None
    _core._array_combine(name, m.array, result.array if result else None, op, -1 if root is None else root)
    return m.give(result, out) if result else None


def _as_int64(m: Memory) -> Memory:
    if m.dtype is not None:
        wide = Memory("", m.array.astype("int64"))
    else:
        wide = m.room(m.shape, "int64")
        numbers = wide.bytes().cast("q")
        for i, value in enumerate(m.bytes()):
            numbers[i] = value
    wide.of = m.of
    return wide


def reduce(x: Any, op: str | None, out: Any, dtype: Any, root: int | None) -> Any:
    call: Any = _core.reduce
    return _combine("reduce", lambda v, **t: call(v, op, root=root, **t), x, op, out, dtype, root)


def scan(x: Any, op: str | None, out: Any, dtype: Any) -> Any:
    call: Any = _core.scan
    return _combine("scan", lambda v, **t: call(v, op, **t), x, op, out, dtype, None)


def _result(name: str, m: Memory, out: Any, shape: tuple[int, ...]) -> Memory:
    result = m.result(name, out, shape)
    if result.kind != m.kind:
        raise ValueError(f"{name}: out= is of {result.kind}, and the result of {m.kind}")
    return result


def putget(x: Any, source: int, out: Any, dtype: Any) -> Any:
    m = Memory("putget", x)
    _same_type("putget", m, dtype)
    if m.scalar:
        _no_out("putget", out)
        if m.kind in _FORMATS:
            return _scalar(m, _core.putget(m.array.item(), source, dtype=m.kind))
    result = _result("putget", m, out, m.shape)
    _core._array_putget(m.bytes(), result.bytes(), m.kind, m.itemsize, source)
    return _element(m, result.array[()]) if m.scalar else m.give(result, out)


def bcast(x: Any, root: int | None, dtype: Any) -> Any:
    m = Memory("bcast", x)
    _same_type("bcast", m, dtype)
    if m.scalar and m.kind in _FORMATS:
        return _scalar(m, _core.bcast(m.array.item(), root, dtype=m.kind))
    m.may_be_filled()
    _core._array_bcast(m.bytes(), m.kind, m.itemsize, 0 if root is None else root)
    if m.scalar:
        return _element(m, m.array[()])
    m.written()
    return x if m.shares else m.array


def gather(x: Any, out: Any, dtype: Any, root: int | None) -> Any:
    m = Memory("gather", x)
    _same_type("gather", m, dtype)
    if m.scalar:
        _no_out("gather", out)
        if m.kind in _FORMATS:
            call: Any = _core.gather
            all = call(m.array.item(), dtype=m.kind, root=root)
            return all and [None if value is None else _scalar(m, value) for value in all]
    gets = root is None or root == _core.rank()
    result = _result("gather", m, out, (_core.size(), *m.shape)) if gets else None
    _core._array_gather(m.bytes(), result.bytes() if result else None, m.kind, m.itemsize, -1 if root is None else root)
    if not result:
        return None
    if m.scalar:
        mask = _core.mask()
        return [_element(m, result.array[pe]) if mask >> pe & 1 else None for pe in range(_core.size())]
    return m.give(result, out)


def _compare(name: str, call: Any, x: Any, dtype: Any, result_type: str) -> Any:
    m = Memory(name, x)
    _same_type(name, m, dtype)
    _number(name, m)
    if m.scalar:
        return call(m.array.item(), m.kind)
    result = m.room(m.shape, result_type)
    _core._array_compare(name, m.array, result.array)
    return m.give(result, None)


def order(x: Any, dtype: Any) -> Any:
    return _compare("order", _core.order, x, dtype, "int64")


def match(x: Any, dtype: Any) -> Any:
    if _core.mask() >> 64 and not Memory("match", x).scalar:
        raise ValueError("match: an array of masks has 64 bits an element, and the group has members beyond PE 63")
    return _compare("match", _core.match, x, dtype, "uint64")


def match_count(x: Any, dtype: Any) -> Any:
    return _compare("match_count", _core.match_count, x, dtype, "int64")


def send(x: Any, pe: int, tag: int | None) -> None:
    _core.send(Memory("send", x).bytes(), pe, tag)


def recv(out: Any, source: int | None, tag: int | None) -> Any:
    m = Memory("recv", out).to_fill("recv")
    room = m.bytes()
    if room.readonly:
        raise BufferError("recv: the memory of out is not writable")
    message = _core.recv(room, source, tag)
    m.written()
    return message
