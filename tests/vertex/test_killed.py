"""A PE is killed while the kernel copies a message to it: the others say so, and end."""

import os
import time

import pytest

from launcher import run

REACH = os.environ["UNISONO_REACH"]


@pytest.mark.parametrize("n", [2, 4])
def test_killed(n):
    start = time.monotonic()
    r = run("run", "-n", n, REACH, "killed")
    if r.returncode == 77:
        pytest.skip("the kernel does not let processes reach each other")
    assert time.monotonic() - start < 5
    assert r.returncode == 128 + 9
    assert (f"unisono: PE {n - 2}: PE {n - 1} was killed by signal 9 (Killed); this PE was in nwait, waiting for "
            f"PE {n - 1}") in r.stderr.splitlines(), r.stderr
    assert r.stderr.splitlines()[-1] == f"unisono run: PE {n - 1} was killed by signal 9 (Killed)"
