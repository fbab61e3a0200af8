"""Groups of PEs: masks, sets, and the `with` statement."""

from __future__ import annotations

from collections.abc import Iterable
from types import TracebackType

from . import _core


def members(mask: int) -> list[int]:
    """The numbers of the PEs in a mask, in order."""
    if mask < 0:
        raise ValueError(f"a mask has no sign, and this one is {mask}")
    return [pe for pe in range(mask.bit_length()) if mask >> pe & 1]


class group:
    """The present group of this PE inside a `with`; the one before comes back at its end. Communicates nothing.

    Takes a mask, or the numbers of the members. Only a member may enter.
    """

    def __init__(self, which: int | Iterable[int]) -> None:
        self.members = members(which) if isinstance(which, int) else sorted(set(which))
        self._before: list[list[int]] = []

    def __enter__(self) -> group:
        before = members(_core.mask())
        _core._enqueue(self.members)
        self._before.append(before)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        _core._enqueue(self._before.pop())

    def __repr__(self) -> str:
        return f"unisono.group({self.members})"
