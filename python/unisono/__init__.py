"""Synchronized aggregate communication between the processes of one machine.

    import unisono

    total = unisono.reduce(unisono.rank())
    print(f"PE {unisono.rank()} of {unisono.size()}: {total}")

`unisono run -n 4 python hello.py` starts it on 4 processing elements (PEs). Each of them runs the whole script, and
they meet in the functions below: every member of the present group calls the same one, none returns before all have
called, and the result is a function of what every member put in. docs/python.md is the guide.
"""

from __future__ import annotations

from ._core import (
    Error,
    Message,
    all,
    any,
    bcast,
    enumerate,
    gather,
    mask,
    match,
    match_count,
    order,
    population,
    probe,
    putget,
    rank,
    recv,
    reduce,
    scan,
    select_first,
    select_one,
    send,
    size,
    vote,
    vote_count,
    wait,
    waitvec,
)
from ._exchange import alltoall, alltoallv, permute_get, permute_put, shared, sort
from ._group import group, members
from ._objects import bcast_object, gather_object, recv_object, send_object
from ._run import PEError, PETimeout, run
from ._scatter import scatter

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from ._pool import BrokenPool, Pool

__all__ = [
    "BrokenPool",
    "Error",
    "Message",
    "PEError",
    "PETimeout",
    "Pool",
    "all",
    "alltoall",
    "alltoallv",
    "any",
    "bcast",
    "bcast_object",
    "enumerate",
    "gather",
    "gather_object",
    "group",
    "mask",
    "match",
    "match_count",
    "members",
    "order",
    "permute_get",
    "permute_put",
    "population",
    "probe",
    "putget",
    "rank",
    "recv",
    "recv_object",
    "reduce",
    "run",
    "scan",
    "scatter",
    "select_first",
    "select_one",
    "send",
    "send_object",
    "shared",
    "size",
    "sort",
    "vote",
    "vote_count",
    "wait",
    "waitvec",
]


def __getattr__(name: str) -> object:
    """Import the pool at its first use, so that `import unisono` is quick for programs without one."""
    if name in ("BrokenPool", "Pool"):
        from . import _pool

        return getattr(_pool, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
