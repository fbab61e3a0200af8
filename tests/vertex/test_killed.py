"""A PE is killed while the kernel copies a message to it or from it: the others say so, and end."""

import os
import time

import pytest

from launcher import run
from patience import HANGS, SOON

GONE = os.environ["UNISONO_GONE"]


# what is run; the PE that is killed, and the other one, counted from the end; where that is then
@pytest.mark.parametrize("case, victim, other, place", [
    ("killed", 1, 2, "nwait"), ("killed-reader", 1, 2, "nwrite"), ("killed-writer", 2, 1, "nread")])
@pytest.mark.parametrize("n", [2, 4])
def test_killed(n, case, victim, other, place):
    start = time.monotonic()
    r = run("run", "-n", n, GONE, case)
    if r.returncode == 77:
        pytest.skip("the kernel does not let processes reach each other")
    assert time.monotonic() - start < HANGS / 2 + SOON  # which it may try before it happens, beside other programs
    assert r.returncode == 128 + 9
    killed = f"PE {n - victim} was killed by signal 9 (Killed)"
    assert (f"unisono: PE {n - other}: {killed}; this PE was in {place}, waiting for PE {n - victim}"
            in r.stderr.splitlines()), r.stderr
    assert r.stderr.splitlines()[-1] == f"unisono run: {killed}"
