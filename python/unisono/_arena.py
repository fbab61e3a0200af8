"""Large memory between a pool and one of its workers: each side copies what it sends into its half of memory that both
have, and the other one's arrays lie there, without a copy, until they go."""

from __future__ import annotations

import mmap
import os
from collections.abc import Sequence

from . import _core

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

LARGE = 32768  # bytes from which on a buffer goes this way: less is copied faster along with the rest
_SIZES = (1 << 32, 1 << 30, 1 << 27)  # of which the first that may be mapped is taken; only what is used takes memory
_PAGE = 4096


def create() -> int:
    """A descriptor of new memory, which os.close closes."""
    descriptor = os.memfd_create("unisono-pool")
    for size in _SIZES:
        try:
            os.ftruncate(descriptor, size)
            break
        except OSError:  # ulimit -f
            pass
    return descriptor


class Arena:
    """One side's view. The pool's half is the first one."""

    def __init__(self, descriptor: int, size: int | None = None) -> None:
        """size: as the pool has it, at a worker."""
        self._memory: mmap.mmap | None = None
        for bytes in _SIZES if size is None else (size,):
            try:
                self._memory = mmap.mmap(descriptor, bytes) if bytes else None
                break
            except (OSError, ValueError):  # few addresses: ulimit -v
                pass
        self.size = len(self._memory) if self._memory else 0
        self._view = memoryview(self._memory) if self._memory else memoryview(b"")
        half = self.size // 2
        self._next, self._end = (0, half) if size is None else (half, self.size)
        self._first = self._next
        self._free: dict[int, list[int]] = {}
        self._taken: dict[int, int] = {}  # bytes of a place
        self.freed: list[int] = []  # places of the other side's that are not needed any more, for the next message to it

    def take(self, bytes: int) -> int | None:
        """A place for so many bytes of one's own; None: there is none."""
        whole = -(-bytes // _PAGE) * _PAGE
        free = self._free.get(whole)
        if free:
            place = free.pop()
        elif self._next + whole <= self._end:
            place = self._next
            self._next += whole
        else:
            return None
        self._taken[place] = whole
        return place

    def give_back(self, places: Sequence[int]) -> None:
        """The other side does not need them any more."""
        for place in places:
            self._free.setdefault(self._taken.pop(place), []).append(place)
        if not self._taken:
            self._free.clear()
            self._next = self._first

    def put(self, data: memoryview, parts: list[int]) -> bool:
        """Copy large data to a place, and add that and their length to `parts`: before the copy, since Ctrl-C may come
        during it, and who has `parts` gives the place back then. Returns true if it was done."""
        place = self.take(data.nbytes) if data.nbytes >= LARGE else None
        if place is None:
            return False
        parts += place, data.nbytes
        self._view[place : place + data.nbytes] = data
        return True

    def buffers(self, parts: Sequence[int]) -> list[Any]:
        """The buffers that the other side has put into these places, for the unpickler."""
        places = zip(parts[::2], parts[1::2])
        return [memoryview(_core._region(self._memory, place, length, self.freed)) for place, length in places]

    def take_freed(self) -> list[int]:
        count = len(self.freed)  # others may come meanwhile, from other threads
        freed = self.freed[:count]
        del self.freed[:count]
        return freed
