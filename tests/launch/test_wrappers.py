"""PEs whose parent is not the launcher but a wrapper that it started."""

import contextlib
import os
import re
import signal
import sys
import time

import pytest

from launcher import Mark, children, launcher_processes, name_of, program, run, start, to_end
from patience import HANGS, SOON, until

GROUPS = program("groups")
EMPTY = program("empty")


def processes_of(mark, name):
    """Return the processes that run the program of this name and have checked in."""
    found = []
    for pid in mark.processes():
        with contextlib.suppress(OSError):
            if open(f"/proc/{pid}/comm").read().strip() == name and "memfd:unisono" in open(f"/proc/{pid}/maps").read():
                found.append(pid)
    return found


# ---- its end is noticed ------------------------------------------------------------------------------------


@pytest.mark.parametrize("number, name, after", [(9, "Killed", "sleep 600"), (9, "Killed", "wait; sleep 600"),
                                                 (14, "Alarm clock", "exec sleep 600")])
def test_killed_below_a_wrapper_that_lives_on(number, name, after):
    """The last PE never joins the others, which wait for it."""
    mark = Mark()
    between = "&" if after.startswith(("wait", "exec")) else ";"
    p = start("run", "-n", 3, "--timeout", HANGS / 2, "sh", "-c", f"{GROUPS} wait:7 wait:7 tell {between} {after}",
              env=mark.environment)
    assert p.stdout.readline() == "ready\n"
    victim, = [pid for pid in processes_of(mark, "groups") if environment_of(pid)["UNISONO_JOB"].endswith(",2")]
    began = time.monotonic()
    os.kill(victim, number)
    _, err = to_end(p)
    assert time.monotonic() - began < SOON
    assert p.returncode == 128 + number
    for k in 0, 1:
        assert f"unisono: PE {k}: PE 2 was killed by signal {number} ({name}); this PE was in p_wait" in err
    assert err.splitlines()[-1] == f"unisono run: PE 2 was killed by signal {number} ({name})"
    assert until(lambda: not mark.processes())


def environment_of(pid):
    return dict(entry.split("=", 1) for entry in open(f"/proc/{pid}/environ").read().split("\0") if "=" in entry)


@pytest.mark.parametrize("status", [0, 3])
def test_ended_below_a_wrapper_that_lives_on(status):
    began = time.monotonic()
    r = run("run", "-n", 3, "--timeout", HANGS / 2, "sh", "-c", f"{GROUPS} wait:7 wait:7 exit:{status}; sleep 600")
    assert time.monotonic() - began < SOON
    if status:
        assert r.returncode == 3
        assert r.stderr.splitlines()[-1] == "unisono run: PE 2 ended with exit status 3"
        assert "unisono: PE 0: PE 2 ended with exit status 3; " in r.stderr
    else:
        assert r.returncode == 1
        assert "waits for PE 2, which has left" in r.stderr


def test_wrapper_that_lives_on_after_a_good_end():
    r = run("run", "-n", 3, "sh", "-c", f"{GROUPS}; sleep 0.5; echo done")
    assert (r.returncode, r.stdout, r.stderr) == (0, "done\n" * 3, "")


def test_status_that_the_wrapper_makes_of_it():
    """A PE that has checked out has done its part; what its wrapper says counts."""
    r = run("run", "-n", 2, "sh", "-c", f"{GROUPS}; exit 4")
    assert r.returncode == 4


# ---- it ends before its PE ---------------------------------------------------------------------------------


def behind(*where, then="exit 0"):
    """A wrapper that puts the program into the background, and ends when that has said that it is ready."""
    return ("sh", "-c", f"{GROUPS} {' '.join(where)} >said.$$ & until [ -s said.$$ ]; do sleep 0.01; done; {then}")


@pytest.mark.parametrize("status", [0, 7])
def test_program_in_the_background_is_waited_for(status, tmp_path):
    """The launcher waits for a program in the background, and its status counts."""
    began = time.monotonic()
    r = run("run", "-n", 2, *behind("linger:0", f"linger:{status}"), cwd=tmp_path)
    assert r.returncode == status
    assert r.stderr == ("" if not status else "unisono run: PE 1 ended with exit status 7\n")
    assert time.monotonic() - began > 0.5


def test_wrapper_that_ends_before_the_launcher_hears_of_its_pe(tmp_path):
    """The launcher is stopped while the PEs check in and their wrappers end."""
    waits = "until [ -e go ]; do sleep 0.01; done"
    p = start("run", "-n", 2, "sh", "-c", f"{waits}; {behind('linger:0', 'linger:7')[2]}", cwd=tmp_path)
    assert until(lambda: len(launcher_processes(p.pid)) == 3 and len(children(launcher_processes(p.pid)[2])) == 2)
    launcher = launcher_processes(p.pid)[2]
    wrappers = children(launcher)
    os.kill(launcher, signal.SIGSTOP)
    (tmp_path / "go").touch()
    assert until(lambda: all(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] == "Z" for pid in wrappers))
    os.kill(launcher, signal.SIGCONT)
    _, err = to_end(p)
    assert (p.returncode, err) == (7, "unisono run: PE 1 ended with exit status 7\n")


def settled_behind(mark, *where):
    """Two PEs whose wrappers have ended."""
    p = start("run", "-n", 2, *behind(*where), env=mark.environment, cwd=mark.folder)
    assert until(lambda: len(processes_of(mark, "groups")) == 2)
    assert until(lambda: all(name_of(pid) == "groups\n" for pid in children(launcher_processes(p.pid)[-1])))
    return p


def test_program_in_the_background_is_killed(tmp_path):
    mark = Mark()
    mark.folder = tmp_path
    p = settled_behind(mark, "tell", "tell")
    victim, = [pid for pid in processes_of(mark, "groups") if environment_of(pid)["UNISONO_JOB"].endswith(",1")]
    os.kill(victim, 9)
    _, err = to_end(p)
    assert p.returncode == 137
    assert err.splitlines()[-1] == "unisono run: PE 1 was killed by signal 9 (Killed)"
    assert until(lambda: not mark.processes()), mark.processes()


def test_job_in_the_background_hears_signals(tmp_path):
    mark = Mark()
    mark.folder = tmp_path
    p = settled_behind(mark, "tell", "tell")
    p.send_signal(signal.SIGTERM)
    _, err = to_end(p)
    assert (p.returncode, err) == (-15, "unisono run: ended by signal 15 (Terminated)\n")
    assert until(lambda: not mark.processes()), mark.processes()


def test_job_in_the_background_times_out(tmp_path):
    r = run("run", "-n", 2, "--timeout", 1, *behind("tell", "tell"), cwd=tmp_path)
    assert r.returncode == 124 and "PE 1: running" in r.stderr


def test_wrapper_that_fails_ends_its_job(tmp_path):
    began = time.monotonic()
    r = run("run", "-n", 2, *behind("tell", "tell", then="exit 3"), cwd=tmp_path)
    assert r.returncode == 3 and r.stderr.splitlines()[-1].endswith("ended with exit status 3")
    assert time.monotonic() - began < SOON


@pytest.mark.parametrize("command", ["{0}", "sh -c '{0}; exit 0'"])
def test_pe_that_forks_and_ends(command):
    """The child is no PE that could be waited for, and does not end in silence."""
    r = run("run", "-n", 2, "sh", "-c", "exec " + command.format(f"{GROUPS} depart depart"))
    assert r.returncode == 1
    assert re.fullmatch(r"unisono run: process \d+ went on in the place of PE [01], which had ended without p_exit or "
                        r"MPI_Finalize: it was ended, too, for a PE is one process\n", r.stderr)


@pytest.mark.parametrize("inner", ["{0}; exit $?", "sh -c '{0}; exit $?'; exit $?", "{0} & wait"])
def test_pe_ends_with_guard_and_launcher(inner):
    """Only the kernel is left to end the PE, also below a wrapper in a wrapper."""
    mark = Mark()
    p = start("run", "-n", 2, "sh", "-c", inner.format(f"{GROUPS} tell tell"), env=mark.environment)
    assert [p.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
    for number in signal.SIGSTOP, signal.SIGKILL:
        for pid in launcher_processes(p.pid):
            os.kill(pid, number)
    assert p.wait(HANGS) == -9
    try:
        assert until(lambda: not processes_of(mark, "groups")), mark.processes()
    finally:
        for pid in mark.processes():
            os.kill(pid, signal.SIGKILL)


# ---- one process a PE --------------------------------------------------------------------------------------


@pytest.mark.parametrize("round_", range(4))
def test_second_process_of_a_pe_is_refused(round_, tmp_path):
    """Several processes check in at the same moment: one becomes the PE, and each other one is refused by name."""
    copies = 8
    one = f"(exec {GROUPS} run) & "
    p = start("run", "-n", 1, "sh", "-c", "until [ -e go ]; do :; done; " + one * copies + "wait", cwd=tmp_path)
    (tmp_path / "go").touch()
    said = [p.stderr.readline() for _ in range(copies - 1)]
    p.terminate()
    p.wait(HANGS)
    refused = re.findall(r"p_init: process (\d+) is PE 0 already; only one process may check in for each PE", "".join(said))
    assert len(refused) == copies - 1, said
    assert len(set(refused)) == 1 and int(refused[0]) > 0
    assert "already" not in p.stderr.read()


def test_check_in_after_the_wrapper_has_ended(tmp_path):
    """The job goes on without that PE, and says so to who comes too late."""
    late = f"(until [ -e go ]; do sleep 0.01; done; {EMPTY}; touch done) & exit 0"
    p = start("run", "-n", 2, "sh", "-c", f"if [ ${{UNISONO_JOB#*,}} = 1 ]; then {late}; fi; until [ -e done ]; do sleep 0.01; done",
              cwd=tmp_path)
    assert until(lambda: "PE 1: ended" in run("ps", p.pid).stdout)
    (tmp_path / "go").touch()
    _, err = to_end(p)
    assert "unisono: p_init: PE 1 has left already: the process that the launcher started for it has ended\n" in err
    assert p.returncode == 0


# ---- it lives as long as it wants --------------------------------------------------------------------------


FROM_A_THREAD = """
import subprocess, sys, threading, time
started = []
thread = threading.Thread(target=lambda: started.append(subprocess.Popen(sys.argv[1:], close_fds=False)))
thread.start()
time.sleep({pause})
thread.join()
sys.exit(started[0].wait())
"""


@pytest.mark.parametrize("pause", [0, 0.3])
def test_pe_started_by_a_thread_that_ends(pause):
    wrapper = [sys.executable, "-c", FROM_A_THREAD.format(pause=pause)]
    r = run("run", "-n", 2, *wrapper, GROUPS, "sleep:500", "sleep:500")
    assert (r.returncode, r.stderr) == (0, "")


def test_one_after_another():
    """Each wrapper ends well after it has killed its PE, while the launcher deals with the end of the one before."""
    r = run("run", "-n", 4, "sh", "-c", f"{GROUPS} tell tell tell tell & sleep 0.${{UNISONO_JOB#*,}}; sleep 0.3; kill -12 $!; wait $!; echo killed $?")
    assert (r.returncode, r.stdout.count("killed 140")) == (0, 4), r.stderr
