"""unisono run --gang: jobs that share the processors in turns."""

import collections
import contextlib
import json
import os
import re
import signal
import time
import uuid

import pytest

from launcher import Mark, children, launcher_processes, program, run, shared_files, start, to_end
from patience import HANGS, check_seconds, until

GANG = f"--gang={uuid.uuid4().hex}"  # nobody else's


def counting(*options, **more):
    """A job that works until it is ended."""
    return start("run", GANG, *options, "-n", 2, program("endless"), **more)


def shown(job):
    """Return what unisono ps shows of the job; None: it has no job yet, or takes no turns yet."""
    found = json.loads(run("ps", "--json", job.pid).stdout or "null") if job.poll() is None else None
    return found[0] if found and found[0]["turns"] else None


def turns(job):
    return shown(job)["turns"]["count"]


def taking_turns(*jobs):
    """Return true if all of them get turns now."""
    until(lambda: all(shown(job) for job in jobs))
    before = [turns(job) for job in jobs]
    return until(lambda: all(turns(job) >= was + 3 for job, was in zip(jobs, before)))


def pes(job):
    return children(launcher_processes(job.pid)[-1])


def state(pid):
    return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]


def runs_on(job, looks=50):
    """Return true if the PEs of the job are never stopped at so many looks, 2 ms and more apart."""
    for _ in range(looks):
        if any(state(pid) in "Tt" for pid in pes(job)):
            return False
        time.sleep(0.002)
    return len(pes(job)) > 0


def end(*jobs):
    for job in jobs:
        with job:
            job.kill()


@pytest.fixture
def two():
    jobs = counting(start_new_session=True), counting(start_new_session=True)
    assert taking_turns(*jobs)
    yield jobs
    end(*jobs)


def test_one_at_a_time(two):
    """All PEs of one job are stopped while the other's run, and both get their time. But for the moments in which a
    turn is handed on, which last while others keep the launchers from the processors."""
    def alternate():
        both, neither, looks = 0, 0, 200
        for _ in range(looks):
            stopped = [sum(state(pid) in "Tt" for pid in pes(job)) for job in two]
            both += stopped == [0, 0]
            neither += stopped == [2, 2]
            time.sleep(0.003)
        return both < looks / 4 and neither < looks / 4

    assert until(alternate)
    assert until(lambda: abs(turns(two[0]) - turns(two[1])) <= 3)
    assert "in turns: " in run("ps", two[0].pid).stdout


def test_alone():
    """A job that is alone is never stopped."""
    job = counting()
    assert until(lambda: shown(job) and len(pes(job)) == 2)
    assert runs_on(job)
    end(job)


def test_three():
    jobs = [counting() for _ in range(3)]
    assert taking_turns(*jobs)
    end(*jobs)


def gang_of(job):
    """The memory of the turns that the job's launcher has open, by its number; None: none yet."""
    for launcher in launcher_processes(job.pid)[2:]:
        for fd in os.listdir(f"/proc/{launcher}/fd"):
            with contextlib.suppress(OSError):
                if os.readlink(f"/proc/{launcher}/fd/{fd}") == f"/memfd:unisono-gang:{GANG.split('=')[1]} (deleted)":
                    return os.stat(f"/proc/{launcher}/fd/{fd}").st_ino
    return None


def test_all_at_once():
    """Jobs that begin in the same moment make one memory and not several. It takes a few tries until they meet."""
    for _ in range(3):
        jobs = [counting() for _ in range(8)]
        assert until(lambda: all(gang_of(job) for job in jobs) and all(shown(job) or job.poll() for job in jobs))
        assert len({gang_of(job) for job in jobs}) == 1
        end(*jobs)


@pytest.mark.parametrize("which, how", [
    (0, "finished"), (1, "terminated"), (0, "command killed"), (0, "launcher killed"), (1, "launcher killed"), (1, "PE killed")])
def test_ended(two, how, which):
    """The other job has all turns."""
    gone, other = two[which], two[1 - which]
    if how == "finished":
        for pid in pes(gone):
            os.kill(pid, signal.SIGUSR2)  # its PEs return
    elif how == "terminated":
        gone.terminate()
    else:
        os.kill({"command killed": gone.pid, "launcher killed": launcher_processes(gone.pid)[-1],
                 "PE killed": pes(gone)[0]}[how], signal.SIGKILL)
    to_end(gone)
    assert gone.returncode == {"finished": 0, "terminated": -15, "command killed": -9}.get(how, 128 + 9)
    assert until(lambda: runs_on(other))


@pytest.mark.parametrize("which", [0, 1])
def test_stopped(two, which):
    """Stop all its processes by SIGSTOP, which nobody can catch; when it goes on, it takes turns again."""
    away, other = two[which], two[1 - which]
    os.killpg(away.pid, signal.SIGSTOP)
    assert until(lambda: runs_on(other))  # after UNO_GANG_STOPPED_NS, if it had the turn
    assert shown(away)["turns"]["count"] == turns(away)
    os.killpg(away.pid, signal.SIGCONT)
    assert taking_turns(*two)


@pytest.mark.parametrize("which", [0, 1])
def test_stopped_at_terminal(two, which):
    """Stop them by SIGTSTP, as Ctrl-Z does: the turn is given back at once, and not after UNO_GANG_STOPPED_NS."""
    away, other = two[which], two[1 - which]

    def once():
        while any(state(pid) in "Tt" for pid in pes(away)):
            pass  # until it has the turn
        began = time.monotonic()
        os.killpg(away.pid, signal.SIGTSTP)
        assert until(lambda: all(state(pid) == "T" for pid in pes(away)) and not any(state(pid) in "Tt" for pid in pes(other)))
        took = time.monotonic() - began
        assert until(lambda: runs_on(other))
        os.killpg(away.pid, signal.SIGCONT)
        assert taking_turns(*two)
        return took

    check_seconds(0.015, once)


def system_call(pid):
    """The number of the system call in which a process sleeps or was stopped, as text: "running" or "-1" if it is in
    none."""
    return open(f"/proc/{pid}/syscall").read().split()[0]


def sleeps_in(pid):
    """The system call in which a process sleeps most of the time."""
    seen = collections.Counter(call for call in (system_call(pid) for _ in range(1000)) if call.isdigit())
    return seen.most_common(1)[0][0]


def pending(pid):
    """Return true if a SIGSTOP has come that is not carried out yet."""
    return int(re.search(r"ShdPnd:\s*(\S+)", open(f"/proc/{pid}/status").read())[1], 16) >> signal.SIGSTOP - 1 & 1


@pytest.mark.parametrize("wrapped", [False, True])
def test_stopped_pe_stays(wrapped):
    """A PE that somebody has stopped is not let go on by a turn, whether it was stopped in a turn of its job or out of
    one. It goes on when somebody says so, and takes turns again. For as long as it takes to stop a PE, its launcher is
    stopped where it waits: so it is known which of both it is, and no stop of the launcher's, nor a SIGCONT, is under
    way."""
    command = ["sh", "-c", f"{program('endless')}; true"] if wrapped else [program("endless")]
    jobs = [start("run", GANG, "-n", 2, *command), counting()]
    assert taking_turns(*jobs)
    launcher = launcher_processes(jobs[0].pid)[-1]
    victim = children(pes(jobs[0])[0])[0] if wrapped else pes(jobs[0])[0]
    ppoll = sleeps_in(launcher)
    stopped = {True: 0, False: 0}  # in turn, out of turn
    while min(stopped.values()) < 4:
        os.kill(launcher, signal.SIGSTOP)
        assert until(lambda: state(launcher) == "T")
        if system_call(launcher) != ppoll:
            os.kill(launcher, signal.SIGCONT)
            continue
        assert until(lambda: not pending(victim))
        in_turn = state(victim) != "T"
        stopped[in_turn] += 1
        os.kill(victim, signal.SIGSTOP)
        assert until(lambda: state(victim) == "T")
        os.kill(launcher, signal.SIGCONT)
        before = turns(jobs[0])
        assert until(lambda: turns(jobs[0]) >= before + 3)
        assert all(state(victim) == "T" for _ in range(100)), (in_turn, stopped)
        os.kill(victim, signal.SIGCONT)
        before = turns(jobs[0])
        assert until(lambda: turns(jobs[0]) >= before + 2)
    assert until(lambda: state(victim) != "T")
    end(*jobs)


def test_timeout():
    """Time in which others had the turn does not count."""
    other = counting()
    assert until(lambda: shown(other))

    def once():
        began = time.monotonic()
        job = counting("--timeout", 0.4)
        to_end(job)
        assert job.returncode == 124
        took = time.monotonic() - began
        assert took > 0.68
        return took

    check_seconds(2, once)
    end(other)


def test_all_killed():
    """Nothing is left behind, and later jobs take turns."""
    mark = Mark()
    jobs = [counting(env=mark.environment) for _ in range(2)]
    assert taking_turns(*jobs)
    for pid in mark.processes():
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    end(*jobs)
    assert until(lambda: not mark.processes())
    assert not shared_files()
    jobs = [counting() for _ in range(2)]
    assert taking_turns(*jobs)
    end(*jobs)


def test_results_are_right():
    """Random operations, checked, by jobs that are stopped again and again."""
    jobs = [start("run", GANG, "-n", 4, os.environ["UNISONO_ORACLE"], "--seed", seed, "--operations", 4000)
            for seed in (1, 2)]
    for job in jobs:
        out, error = job.communicate(timeout=2 * HANGS)
        assert job.returncode == 0, out + error


def test_names():
    """Jobs of different names do not wait for each other."""
    jobs = counting(), start("run", GANG + "-other", "-n", 1, program("endless"))
    assert until(lambda: all(shown(job) and pes(job) for job in jobs))
    assert all(runs_on(job) for job in jobs)
    end(*jobs)
    r = run("run", "--gang=a b", "-n", 1, "true")
    assert r.returncode == 2 and "--gang=a b: a name is printable ASCII" in r.stderr


def test_plain_jobs_take_no_turns():
    job = start("run", "-n", 1, program("endless"))
    assert until(lambda: f"PID {job.pid}:" in run("ps").stdout and len(pes(job)) == 1)
    assert json.loads(run("ps", "--json", job.pid).stdout)[0]["turns"] is None
    assert "in turns" not in run("ps", job.pid).stdout
    end(job)
