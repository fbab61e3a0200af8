"""Nothing stays behind: no process, no file, however the job ends."""

import os
import re
import signal
import time

import pytest

from launcher import Mark, launcher_processes, program, shared_files, start, strangers, to_end
from patience import HANGS, SOON, until

GROUPS = program("groups")


PROGRAMS = {
    "the library": [GROUPS, "wait:f", "run", "wait:f", "sleep:100000"],
    "a wrapper": ["sh", "-c", f"{GROUPS} wait:f run wait:f run; exit $?"],
    "no library": ["sleep", "1000"],
    "a wrapper without the library": ["sh", "-c", "sleep 1000; true"],
    "background children": ["sh", "-c", "sleep 1000 & sleep 1000; true"],
    "daemons": ["sh", "-c", "setsid sh -c 'sleep 1000 & sleep 1000' & sleep 1000; true"],
}


@pytest.mark.parametrize("what", PROGRAMS)
@pytest.mark.parametrize("victim", ["command", "guard", "launcher"])
def test_launcher_killed(what, victim):
    mark = Mark()
    p = start("run", "-n", 4, *PROGRAMS[what], env=mark.environment)
    assert until(lambda: len(mark.processes()) >= 7)
    time.sleep(0.1)
    os.kill(launcher_processes(p.pid)[["command", "guard", "launcher"].index(victim)], signal.SIGKILL)
    status = p.wait(HANGS)
    assert status == (-9 if victim == "command" else 137)
    assert until(lambda: not mark.processes()), mark.processes()
    assert not shared_files()
    if victim != "command":
        assert p.stderr.read().endswith("unisono run: the launcher was killed by signal 9 (Killed)\n")


@pytest.mark.skipif(bool(os.environ["UNISONO_SANITIZE"]), reason="skipped: a sanitizer handles these signals itself")
@pytest.mark.parametrize("victim", ["guard", "launcher"])
@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGBUS])
def test_launcher_that_crashes_is_named(victim, number):
    """Once, by the process above it."""
    mark = Mark()
    p = start("run", "-n", 2, GROUPS, "run", "run", env=mark.environment)
    assert until(lambda: len(mark.processes()) == 5)
    os.kill(launcher_processes(p.pid)[["command", "guard", "launcher"].index(victim)], number)
    _, err = to_end(p)
    assert p.returncode == 128 + number
    assert re.fullmatch(rf"unisono run: the launcher was killed by signal {number} \(.*\)\n", err)
    assert until(lambda: not mark.processes()), mark.processes()


@pytest.mark.parametrize("n", [4, 64])
def test_launcher_killed_at_any_moment(n):
    """Also while it starts the processes."""
    for i in range(10):
        mark = Mark()
        p = start("run", "-n", n, GROUPS, env=mark.environment)
        time.sleep(0.002 * i)
        p.kill()
        to_end(p)
        assert until(lambda: not mark.processes()), mark.processes()


def test_launcher_killed_before_a_pe_checks_in(tmp_path):
    """The PE's parent is a wrapper that outlives all processes of the launcher, killed at the same time: none of them
    hears of another one's end."""
    mark = Mark()
    late = f"sh -c 'until [ -e go ]; do sleep 0.01; done; {GROUPS} run; exit $?'"
    p = start("run", "-n", 2, "sh", "-c", f"{late} & echo started; wait", env=mark.environment, cwd=tmp_path)
    assert [p.stdout.readline() for _ in range(2)] == ["started\n"] * 2
    for number in signal.SIGSTOP, signal.SIGKILL:
        for pid in launcher_processes(p.pid):
            os.kill(pid, number)
    assert p.wait(HANGS) == -9
    assert len(mark.processes()) >= 2  # the wrappers, which nobody told
    (tmp_path / "go").touch()
    assert until(lambda: not mark.processes()), mark.processes()


@pytest.mark.parametrize("how", ["", " setsid"])
def test_background_children_end_with_the_job(how):
    mark = Mark()
    began = time.monotonic()
    p = start("run", "-n", 4, "sh", "-c", f"{how} sleep 1000 & echo started", env=mark.environment)
    out, err = to_end(p)
    assert (p.returncode, out, err) == (0, "started\n" * 4, strangers(4))
    assert time.monotonic() - began < SOON
    assert not mark.processes()


def test_memory_has_no_name():
    """While the job runs, nothing but the anonymous memory is shared."""
    p = start("run", "-n", 3, program("chaos"), 1, 100000)
    pids = [int(p.stdout.readline().split()[1]) for _ in range(3)]
    assert until(lambda: all("memfd:unisono" in open(f"/proc/{pid}/maps").read() for pid in pids))
    for pid in pids:
        assert not re.search("/dev/shm|SYSV", open(f"/proc/{pid}/maps").read())
    assert not shared_files()
    p.send_signal(signal.SIGTERM)
    to_end(p)


def test_descriptors_of_a_pe():
    """A PE has its standard files and the job's memory."""
    p = start("run", "-n", 3, "ls", "-l", "/proc/self/fd")
    out, _ = to_end(p)
    targets = re.findall(r" (\d+) -> (\S+)", out)
    assert len(targets) == 3 * 5  # and the folder that ls reads
    assert sum("memfd:unisono" in target for _, target in targets) == 3
