"""scatter(): parts of what one PE has, for each member its own."""

from __future__ import annotations

import importlib
import math
import pickle
from collections.abc import Sequence

from . import _core
from ._exchange import rows_of
from ._group import members
from ._memory import Memory, back, package_of, room
from ._objects import bcast_object, pickled

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any


def _move(root: int, part: bytearray | memoryview, data: bytes | memoryview, sizes: Sequence[int]) -> None:
    """The member's part of the root's data, which are as many bytes for each member."""
    of_root = [len(part) if pe == root else 0 for pe in members(_core.mask())]
    _core._alltoallv(part, of_root, data, list(sizes), False)


def _blocks(x: Any) -> tuple[Any, Any, list[int]]:
    """The description of what is scattered, which the others need; its memory; and the bytes for each member."""
    count = _core.population()
    wrong = f"scatter: a {type(x).__name__}"
    if isinstance(x, (list, tuple)):
        if len(x) != count:
            return ValueError(f"{wrong} of {len(x)} for {count} members"), b"", [0] * count
        parts = [pickled(part) for part in x]
        sizes = [len(part) for part in parts]
        return sizes, b"".join(parts), sizes
    m = Memory("scatter", x)
    rows = rows_of("scatter", m)
    if rows % count:
        return ValueError(f"{wrong} of {rows} rows, which are no equal blocks for {count} members"), b"", [0] * count
    bytes = rows // count * m.row()
    head = ((rows // count, *m.shape[1:]), m.array.format if m.dtype is None else m.dtype, m.kind, bytes, package_of(x))
    return head, m.bytes(), [bytes] * count


def scatter(x: Any = None, root: int = 0, out: Any = None) -> Any:
    """Block r of the x of the PE `root` goes to member r, which gets it as a new array, or in out; what the others give
    as x does not count. The rows of x are as many blocks, of equal sizes, as the group has members. Of a list, or
    tuple, member r gets the element r, which is any object."""
    puts = root == _core.rank()
    head, data, sizes = _blocks(x) if puts else (None, b"", [0] * _core.population())
    head = bcast_object(head, root)
    if isinstance(head, ValueError):
        raise head
    if isinstance(head, list):
        part = bytearray(head[_core.enumerate()])
        _move(root, part, data, sizes)
        return pickle.loads(part)
    shape, kind, name, bytes, package = head
    if out is not None:
        result = Memory("scatter", out).to_fill("scatter")
    else:
        result = Memory("", room(shape, kind) if isinstance(kind, str) else importlib.import_module("numpy").zeros(shape, kind))
    fits = result.kind == name and result.shape == shape
    _move(root, result.bytes() if fits else bytearray(bytes), data, sizes)
    if not fits:
        raise ValueError(f"scatter: out= has the shape {result.shape} of {result.kind}; the block has {shape} of {name}")
    result.written()
    return back(package)(result.array) if out is None else out
