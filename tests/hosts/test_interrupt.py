"""Interrupts of PEs on several machines: what comes of one when a PE is killed, computes, or has left. The conformance
suite has all else."""

import os
import re
import signal
import time

import pytest

from machines import RANK, agents, launcher_processes, run, start, to_end
from patience import SLOW, until

PAPERS, JOINS = os.environ["UNISONO_PAPERS"], os.environ["UNISONO_JOINS"]


@pytest.fixture(scope="module", autouse=True)
def _network():
    if "cannot load libfabric" in run("a,b", PAPERS, "wait", "wait").stderr:
        pytest.skip("skipped: there is no libfabric")


def noted(hosts, folder, calls, *options):
    """A job whose PE k notes the number of its process in the file k."""
    return start(hosts, *options, "sh", "-c", f'echo $$ > {folder}/of.${RANK} && mv {folder}/of.${RANK} {folder}/${RANK}; exec "$@"', "sh",
                 PAPERS, *calls)


def kill(killed, hosts, folder, delay):
    """A job whose PE `killed` computes, and is killed so many seconds after it has started. What is told then."""
    p = noted(hosts, folder, ["nap:100000" if k == killed else "interrupt,wait" for k in range(3)])
    assert until((folder / str(killed)).exists)
    time.sleep(delay)
    os.kill(int((folder / str(killed)).read_text()), signal.SIGKILL)
    text = to_end(p)[1]
    assert p.returncode == 137, text
    return text


@pytest.mark.parametrize("killed, hosts", [(0, "a,b,c"), (0, "a:2,b:1"), (2, "a,b,c"), (2, "a:1,b:2")])
def test_a_pe_is_killed(killed, hosts, tmp_path):
    """The others have stopped for an interrupt, if the machine is not too busy, and say so."""
    for delay in (0.5, 1, 2, 4, 8, 16):
        (tmp_path / str(delay)).mkdir()
        text = kill(killed, hosts, tmp_path / str(delay), delay)
        missing = [k for k in {0, 1, 2} - {killed} if not re.search(
            rf"^unisono: PE {k}: PE {killed}( on \w)? was killed by signal 9 \(Killed\); this PE was in p_wait of group \{{0-2\}}, "
            "waiting for PE ", text, re.MULTILINE)]
        if not missing:
            return
    pytest.fail(text)


@pytest.mark.parametrize("hosts", ["a,b,c,d", "a:2,b:2"])
def test_those_that_have_left_are_not_waited_for(hosts):
    """PE 0, which would be the coordinator, leaves without having met anybody, and another one later."""
    def seconds(call):
        began = time.monotonic()
        r = run(hosts, PAPERS, "leave", f"nap:300,group:10,{call}wait,leave", f"nap:600,group:4,{call}wait",
                "nap:300,group:10,wait,group:8,wait")
        assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
        return time.monotonic() - began

    more = sorted(seconds("interrupt,") - seconds("") for _ in range(3))
    assert more[1] < SLOW, more


def test_a_machine_does_not_know_that_the_coordinator_has_left(tmp_path):
    """Its agent stands still. The notice of the next coordinator is enough."""
    calls = ["nap:2000,leave", "nap:4000,interrupt,group:6,wait", "group:6,wait"]
    p = noted("a,b,c", tmp_path, calls, "--heartbeat-timeout", 0)
    files = [tmp_path / str(k) for k in range(3)]
    assert until(lambda: all(file.exists() for file in files))
    pes = [f"/proc/{file.read_text().strip()}" for file in files]
    time.sleep(1)  # the addresses are everywhere
    agent = launcher_processes(agents(p)[2])
    for process in agent:
        os.kill(process, signal.SIGSTOP)
    assert until(lambda: not any(map(os.path.exists, pes[:2])))
    for process in agent:
        os.kill(process, signal.SIGCONT)
    assert to_end(p) == ("", "")
    assert p.returncode == 0


def test_one_that_computes_is_waited_for():
    began = time.monotonic()
    r = run("a,b:2", PAPERS, "interrupt,group:1,wait", "", "nap:1500")
    assert (r.returncode, r.stderr) == (0, "")
    assert time.monotonic() - began > 1.5


def test_neighbours_of_the_coordinator_are_woken():
    """The suite has them on another node. PE 1 sleeps in a receive, and PE 2 until PE 1 posts."""
    r = run("a:3,b:1", JOINS)
    assert (r.returncode, r.stderr) == (0, "")
