"""A PE is killed at a random moment while a file is written again and again: the file of that name is one whole
version."""

import os
import random
import signal
import time

import pytest

from launcher import children, launcher_processes, name_of, start, to_end
from patience import until

WRITER = os.environ["UNISONO_WRITER"]
PARTS = 200


def pes_of(command, n):
    """Return the processes of the PEs, once all run the program: before that the guard and the launcher may be found
    instead."""
    name = os.path.basename(WRITER)[:15] + "\n"
    found = []
    until(lambda: found.clear() or found.extend(c for c in children(launcher_processes(command)[-1]) if name_of(c) == name) or
          len(found) == n)
    return found


@pytest.mark.parametrize("n, bytes", [(1, 64), (3, 64), (3, 40000)])
def test_killed(n, bytes, tmp_path):
    whole = 0
    for number in range(6):
        job = start("run", "-n", n, WRITER, bytes, cwd=tmp_path)
        pes = pes_of(job.pid, n)
        assert len(pes) == n
        if number == 0:  # so that there is one
            assert until((tmp_path / "written").exists)
        time.sleep(random.uniform(0, 0.15))
        os.kill(random.choice(pes), signal.SIGKILL)
        to_end(job)
        assert job.returncode == 128 + 9
        for name in os.listdir(tmp_path):  # one that was just to get its name has another one, and is whole too
            assert name == "written" or name.startswith("written.")
            content = (tmp_path / name).read_bytes()
            assert len(content) == n * PARTS * bytes
            assert content.count(content[0]) == len(content)
            whole += 1
            if number % 2:
                os.unlink(tmp_path / name)
    assert whole
