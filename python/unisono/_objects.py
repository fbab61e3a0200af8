"""Python's objects, by pickle, between PEs."""

from __future__ import annotations

import pickle
from typing import Any

from . import _core


def _pickled(x: Any) -> bytes:
    return pickle.dumps(x, pickle.HIGHEST_PROTOCOL)


def send_object(x: Any, pe: int, tag: int = 0) -> None:
    """Send any object that can be pickled; recv_object receives it."""
    _core.send(_pickled(x), pe, tag)


def recv_object(source: int | None = None, tag: int | None = None) -> Any:
    """Receive an object, from any PE and of any tag unless they are given; probe tells them beforehand."""
    message = _core.probe(source, tag)
    data = bytearray(message.bytes)
    _core.recv(data, message.source, message.tag)
    return pickle.loads(data)


def bcast_object(x: Any = None, root: int = 0) -> Any:
    """The object of the PE `root`; what others give does not count."""
    puts = root == _core.rank()
    data = _pickled(x) if puts else b""
    size = _core.bcast(len(data), root)
    if not puts:
        data = bytearray(size)
    _core._array_bcast(memoryview(data), root)
    return x if puts else pickle.loads(data)


def gather_object(x: Any) -> list[Any]:
    """The object of each PE, by its number; None for one that is no member."""
    data = _pickled(x)
    sizes = _core.gather(len(data))
    members = [size for size in sizes if size is not None]
    all = bytearray(sum(members))
    _core._alltoallv(all, members, data, [len(data)] * len(members), True)
    objects, at = [], 0
    for size in sizes:
        objects.append(None if size is None else pickle.loads(memoryview(all)[at : at + size]))
        at += size or 0
    return objects
