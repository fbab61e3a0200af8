"""Synchronized aggregate communication between the processes of one machine.

    import unisono

    total = unisono.reduce(unisono.rank())
    print(f"PE {unisono.rank()} of {unisono.size()}: {total}")

`unisono run -n 4 python hello.py` starts it on 4 processing elements (PEs). Each of them runs the whole script, and they
meet in the functions below: every member of the present group calls the same one, none returns before all have called,
and the result is a function of what every member put in. docs/python.md is the guide.
"""

from ._core import (
    Error,
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
    putget,
    rank,
    reduce,
    scan,
    select_first,
    select_one,
    size,
    vote,
    vote_count,
    wait,
    waitvec,
)
from ._group import group, members
from ._run import PEError, run

__all__ = [
    "Error",
    "PEError",
    "all",
    "any",
    "bcast",
    "enumerate",
    "gather",
    "group",
    "mask",
    "match",
    "match_count",
    "members",
    "order",
    "population",
    "putget",
    "rank",
    "reduce",
    "run",
    "scan",
    "select_first",
    "select_one",
    "size",
    "vote",
    "vote_count",
    "wait",
    "waitvec",
]
