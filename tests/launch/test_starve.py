"""Every single call for memory, files or processes, in the launcher and in a PE, fails in turn: the job does its
work nevertheless, or ends with a message."""

import os

import pytest

from disturbances import check_refusal
from launcher import Mark, program, run
from patience import until


@pytest.mark.parametrize("who, calls, least", [(-1, 90, 20), (0, 10, 2), (1, 10, 2)])
def test_each_call(who, calls, least):
    refused = 0
    for first in range(1, calls + 1):
        mark = Mark()
        p = run("run", "-n", 2, program("empty"), env={**mark.environment, "UNISONO_STARVE": f"{who},{first},1",
                                                       "LD_PRELOAD": os.environ["UNISONO_STARVE_LIBRARY"]})
        if p.returncode:
            check_refusal(p.returncode, p.stderr)
            refused += 1
        else:
            assert p.stderr == ""
        assert p.stdout == ""
        assert until(lambda: not mark.processes()), mark.processes()
    assert refused >= least, refused
