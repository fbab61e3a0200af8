"""Python's objects, by pickle, between PEs."""

from __future__ import annotations

import pickle

from . import _core

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any


def pickled(x: Any) -> bytes:
    return pickle.dumps(x, pickle.HIGHEST_PROTOCOL)


def send_object(x: Any, pe: int, tag: int = 0) -> None:
    """Send any object that can be pickled; recv_object receives it."""
    _core.send(pickled(x), pe, tag)


def recv_object(source: int | None = None, tag: int | None = None) -> Any:
    """Receive an object, from any PE and of any tag unless they are given; probe tells them beforehand."""
    message = _core.probe(source, tag)
    data = bytearray(message.bytes)
    _core.recv(data, message.source, message.tag)
    return pickle.loads(data)


def bcast_object(x: Any = None, root: int = 0) -> Any:
    """The object of the PE `root`; what others give does not count."""
    puts = root == _core.rank()
    data = pickled(x) if puts else b""
    size = _core.bcast(len(data), root)
    if not puts:
        data = bytearray(size)
    _core._array_bcast(data, "bytes", 1, root)
    return x if puts else pickle.loads(data)


def gather_object(x: Any, root: int | None = None) -> Any:
    """The object of each PE, by its number; None for one that is no member. At every member, or at the PE `root` alone,
    and the others get None."""
    data = pickled(x)
    sizes = _core.gather(len(data))
    gets = root is None or root == _core.rank()
    members = [size for size in sizes if size is not None]
    all = bytearray(sum(members) if gets else 0)
    mine = [len(data) if root is None or pe == root else 0 for pe, size in enumerate(sizes) if size is not None]
    _core._alltoallv(all, members if gets else [0] * len(members), data, mine, True)
    if not gets:
        return None
    objects, at = [], 0
    for size in sizes:
        objects.append(None if size is None else pickle.loads(memoryview(all)[at : at + size]))
        at += size or 0
    return objects
