"""Ends that are neither p_exit nor a plain error: each comes soon, with its reason."""

import os
import subprocess
import sys

import pytest

from launcher import program, run
from patience import HANGS

ENDINGS = program("endings")


def alone(case):
    return subprocess.run([ENDINGS, case], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=HANGS)


def test_exit_handler_that_fails():
    r = alone("handler")
    assert (r.returncode, r.stderr) == (1, "unisono: PE 0: the program has failed\n"
                                        "unisono: PE 0: the handler has failed, too\n")


def test_exit_handler_that_waits():
    r = alone("handler-wait")
    assert r.returncode in (0, 1) and "the program has failed" in r.stderr
    r = run("run", "-n", 3, "--timeout", HANGS / 2, ENDINGS, "handler-wait")
    assert r.returncode == 1
    assert "the program has failed" in r.stderr


def test_exit_handler_of_a_team_that_fails():
    r = alone("team-handler")
    assert r.returncode == 1
    assert "unisono: PE 1: a member has failed\n" in r.stderr
    assert "unisono: PE 1: the handler has failed, too\n" in r.stderr


def test_exit_handler_of_a_program_that_is_no_pe():
    r = alone("before")
    assert r.returncode == 1
    assert r.stderr == "unisono: this is no PE\nunisono: the handler has failed, too\n"


def test_member_of_a_team_that_ends_its_thread():
    r = alone("team-exit")
    assert r.returncode == 1
    assert "unisono: PE 1: p_team: the thread of this PE has ended; its function must return\n" in r.stderr


def test_killed_while_it_recorded_its_failure():
    """No PE can name the failure then: the launcher does."""
    r = run("run", "-n", 3, ENDINGS, "half-said")
    assert r.returncode == 137
    for k in 0, 1:
        assert f"unisono: PE {k}: PE 2 was killed by signal 9 (Killed); this PE was in p_wait" in r.stderr


# ---- what the environment says -----------------------------------------------------------------------------


@pytest.mark.parametrize("value, message", [
    ("{0},2", "p_init: UNISONO_JOB={0},2 names PE 2, and the PEs of this job are 0 to 1"),
    ("{0},-1", "p_init: UNISONO_JOB={0},-1 names PE -1, and the PEs of this job are 0 to 1"),
    ("{0},4000000", "p_init: UNISONO_JOB={0},4000000 names PE 4000000, and the PEs of this job are 0 to 1"),
    ("-5:{0#*:},0", "p_init: the launcher's file descriptor -5 is gone: a program between `unisono run` and this one closed it, "
     "and the launcher, process {1}, cannot be asked: No such file or directory"),
    ("99:{0#*:},0", "p_init: the launcher's file descriptor 99 is gone: a program between"),
    ("1:{0#*:},0", "p_init: the launcher's file descriptor 1 is gone: a program between"),
    ("99:1:1:1,0", "p_init: the launcher's file descriptor 99 is gone: a program between"),
    ("3,0", "p_init: UNISONO_JOB=3,0 is not what `unisono run` sets"),
    ("junk", "p_init: UNISONO_JOB=junk is not what `unisono run` sets"),
    ("999999999999,1", "p_init: UNISONO_JOB=999999999999,1 is not what `unisono run` sets"),
    ("{0},99999999999999999999", "p_init: UNISONO_JOB={0},99999999999999999999 is not what `unisono run` sets"),
    ("{0},0 and more", "p_init: UNISONO_JOB={0},0 and more is not what `unisono run` sets"),
])
def test_environment_that_is_wrong(value, message):
    value = value.replace("{0#*:}", "${job#*:}").replace("{0}", "$job")
    script = f"job=${{UNISONO_JOB%,*}}; UNISONO_JOB=\"{value}\" {program('empty')}; echo $job; exit 1"
    r = run("run", "-n", 2, "sh", "-c", script)
    job = r.stdout.split()[0]
    assert f"unisono: {message.format(job, job.split(':')[1])}" in r.stderr
    assert "killed by" not in r.stderr


def test_environment_says_that_a_program_runs_under_mpi():
    """The variables of Open MPI's and MPICH's launchers are set, whatever a launcher around this one has set."""
    script = "echo $OMPI_COMM_WORLD_RANK $OMPI_COMM_WORLD_SIZE $OMPI_COMM_WORLD_LOCAL_RANK " \
             "$OMPI_COMM_WORLD_LOCAL_SIZE $MPI_LOCALRANKID $MPI_LOCALNRANKS; env | grep -c OMPI_COMM_WORLD_SIZE="
    r = run("run", "-n", 3, "sh", "-c", script, env={**os.environ, "OMPI_COMM_WORLD_SIZE": "7"})
    assert sorted(r.stdout.splitlines()) == ["0 3 0 3 0 3", "1", "1", "1", "1 3 1 3 1 3", "2 3 2 3 2 3"]


def test_memory_keeps_its_size():
    """A PE that cut it would kill the launcher by SIGBUS."""
    change = "import os; os.ftruncate(int(os.environ['UNISONO_JOB'].split(':')[0]), {size})"
    for size in 0, 1 << 50:
        r = run("run", "-n", 1, sys.executable, "-c", change.format(size=size))
        assert r.returncode == 1 and "PermissionError" in r.stderr
        assert r.stderr.splitlines()[-1] == "unisono run: PE 0 ended with exit status 1"


def test_memory_cannot_be_executed():
    """A system may insist on that (vm.memfd_noexec=2)."""
    if tuple(map(int, os.uname().release.split(".")[:2])) < (6, 3):
        pytest.skip("needs Linux 6.3")
    F_GET_SEALS, F_SEAL_EXEC = 1034, 0x20
    show = f"import fcntl, os; print(fcntl.fcntl(int(os.environ['UNISONO_JOB'].split(':')[0]), {F_GET_SEALS}))"
    r = run("run", "-n", 1, sys.executable, "-c", show)
    assert int(r.stdout) & F_SEAL_EXEC
