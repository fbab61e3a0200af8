"""Processes that the launcher did not start are none of its business."""

import contextlib
import os
import signal
import subprocess

import pytest

from launcher import UNISONO, Mark, launcher_processes, parent, program
from patience import HANGS, until

GROUPS = program("groups")


@pytest.mark.parametrize("killed", ["no process", "command", "guard", "launcher"])
def test_children_of_before_stay(killed):
    """A command inherits by exec the children of the program before it. They, and their orphans, are no part of the
    job: nobody ends them."""
    mark = Mark()
    one = "sleep 300 >/dev/null 2>&1 & echo $!"
    place = "sleep:500" if killed == "no process" else "run"
    p = subprocess.Popen(["bash", "-c", f"{one}; sh -c 'echo $$; {one}; sleep 0.2' & "
                          f"exec {UNISONO} run -n 2 {GROUPS} {place} {place}"], env=mark.environment, text=True,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    first, shell, second = [int(p.stdout.readline()) for _ in range(3)]
    strangers = [first, second]
    # one of them loses its parent
    assert until(lambda: parent(second) != shell and len(launcher_processes(p.pid)) == 3)
    try:
        if killed != "no process":
            os.kill(launcher_processes(p.pid)[["command", "guard", "launcher"].index(killed)], signal.SIGKILL)
        assert p.wait(HANGS) == {"no process": 0, "command": -9}.get(killed, 137)
        assert until(lambda: len(mark.processes()) <= 2), mark.processes()
        assert sorted(mark.processes()) == sorted(strangers)
    finally:
        for pid in strangers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
