"""The memory of an argument: a NumPy array, or what gives one (pandas, torch and others by DLPack or `__array__`), or
anything else that has a buffer."""

from __future__ import annotations

import importlib
import math
import struct
import sys
from collections.abc import Callable

from . import _core

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

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

_HOST = (1, 3, 11)  # DLPack's numbers of the devices whose memory the processor reaches: its own, and that pinned for CUDA or ROCm

_OBJECTS = {
    "bcast": "unisono.bcast_object takes any object",
    "gather": "unisono.gather_object takes any object",
    "scatter": "a list is scattered whatever it holds",
    "send": "unisono.send_object takes any object",
    "recv": "unisono.recv_object takes any object",
}


def _numpy() -> Any:
    return sys.modules.get("numpy")


def _instead(name: str) -> str:
    return f"; {_OBJECTS[name]}" if name in _OBJECTS else ""


def _refused(name: str, x: Any) -> TypeError:
    text = f"{name}: an object of the type {type(x).__name__} is neither a number nor an array"
    if isinstance(x, (list, tuple)):
        text += "; numpy.asarray makes an array of it"
    return TypeError(text + _instead(name))


def _checked(name: str, x: Any) -> Any:
    """A NumPy array that holds numbers or bytes itself."""
    if any(base.__name__ == "MaskedArray" for base in type(x).__mro__):
        raise TypeError(f"{name}: a masked array, whose mask would be lost; x.filled(value) gives an array without one")
    if x.dtype.hasobject:
        raise TypeError(f"{name}: the array holds objects, which belong to one PE{_instead(name)}")
    return x


def array_of(name: str, x: Any) -> Any:
    """x itself if it is an array of NumPy's, a scalar of NumPy's or has a buffer; otherwise NumPy's array of it, of the
    same memory where that is possible."""
    numpy = importlib.import_module("numpy") if isinstance(x, complex) else _numpy()
    if isinstance(x, complex) and not isinstance(x, numpy.generic):
        return numpy.complex128(x)
    if numpy and isinstance(x, (numpy.ndarray, numpy.generic)):
        return _checked(name, x)
    device = getattr(x, "__dlpack_device__", None)
    if device and device()[0] not in _HOST:
        raise TypeError(f"{name}: a {type(x).__name__} in the memory of a device; a copy in that of the processor (.cpu()) will do")
    if hasattr(x, "__array__") and not isinstance(x, type):
        return _checked(name, importlib.import_module("numpy").asarray(x))
    if device:
        return _checked(name, importlib.import_module("numpy").from_dlpack(x))
    try:
        memoryview(x)
    except TypeError:
        raise _refused(name, x) from None
    return x


def package_of(x: Any) -> str | None:
    """The package that makes an array of the kind of x of NumPy's by its function from_dlpack. None: it shall stay
    NumPy's."""
    package = type(x).__module__.partition(".")[0]
    other = package != "numpy" and hasattr(x, "__dlpack__")
    return package if other and hasattr(sys.modules.get(package), "from_dlpack") else None


def back(package: str | None) -> Callable[[Any], Any]:
    if not package:
        return lambda result: result
    function: Callable[[Any], Any] = importlib.import_module(package).from_dlpack
    return function


class Memory:
    """The elements of x in C's order: those of x itself, or of a copy if x is not in this order."""

    def __init__(self, name: str, x: Any) -> None:
        array = array_of(name, x)
        self.of = x
        self.dtype: Any = None  # NumPy's; None: x has a buffer
        self.scalar = False
        self._written: Any = None  # an array that takes over what is written into the copy of it
        self.shares = True  # what is written into the elements, or taken over, is in x
        numpy = _numpy()
        if numpy and isinstance(array, (numpy.ndarray, numpy.generic)):
            self.scalar = isinstance(array, numpy.generic)
            self.shares = array is x or hasattr(x, "__dlpack__")
            self.array = numpy.asarray(array)
            if not self.array.flags.c_contiguous:
                self._written, self.array = self.array, numpy.ascontiguousarray(self.array)
            self.dtype = self.array.dtype
            self.shape: tuple[int, ...] = self.array.shape
            self.itemsize = int(self.dtype.itemsize)
            self.kind = str(self.dtype)
            return
        self.array = memoryview(array)
        if not self.array.c_contiguous:
            raise ValueError(f"{name}: the memory is not contiguous; numpy.ascontiguousarray makes an array that is")
        _core._check_format(name, self.array.format)
        self.shape, self.itemsize = self.array.shape or (), self.array.itemsize
        self.kind = _kind(self.array)

    def bytes(self) -> memoryview:
        """Their memory; memoryviews themselves have no format for some types."""
        if not self.array.nbytes:
            return memoryview(bytearray())
        if self.dtype is not None:
            return memoryview(self.array.reshape(-1).view("u1"))
        return self.array.cast("B")  # type: ignore[no-any-return]

    def row(self) -> int:
        """The bytes of a row, that is an element of the first dimension."""
        return math.prod(self.shape[1:]) * self.itemsize

    def room(self, shape: tuple[int, ...], dtype: Any = None) -> Memory:
        """A new array of zeros of the kind of x; dtype: another type, by NumPy's name of it."""
        if self.dtype is not None:
            return Memory("", _numpy().zeros(shape, self.dtype if dtype is None else dtype))
        return Memory("", room(shape, _FORMATS[dtype] if dtype else self.array.format))

    def result(self, name: str, out: Any, shape: tuple[int, ...] | None = None, dtype: Any = None) -> Memory:
        """Where the result goes: into out, or a new array."""
        return Memory(name, out).to_fill(name) if out is not None else self.room(self.shape if shape is None else shape, dtype)

    def give(self, result: Memory, out: Any) -> Any:
        """The result as the caller gets it."""
        if out is None:
            return back(package_of(self.of))(result.array)
        result.written()
        return out

    def to_fill(self, name: str) -> Memory:
        if not self.shares:
            raise TypeError(f"{name}: a {type(self.of).__name__} cannot be filled: it gives its array by a copy")
        return self

    def may_be_filled(self) -> None:
        """Where x only gives an array, which may be read only, and may be a copy or not, have one of our own."""
        if not self.shares:
            self.array, self._written = self.array.copy(), None

    def written(self) -> None:
        """Something was written into the elements: x is to have it."""
        if self._written is not None:
            self._written[...] = self.array


def _kind(view: memoryview) -> str:
    """The type of the elements by the name that NumPy's arrays of the same have, where there is one."""
    try:
        return str(_core._format_name(view.format, view.itemsize))
    except TypeError:
        return view.format


def room(shape: tuple[int, ...], format: str) -> memoryview:
    """New memory of zeros without NumPy."""
    plain = memoryview(bytearray(math.prod(shape) * struct.calcsize(format)))
    return plain.cast(format, shape) if plain.nbytes else plain.cast(format)
