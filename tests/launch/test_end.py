"""The end of a job, and its exit status."""

import re
import signal
import time

import pytest

from launcher import UNISONO, program, run, settled, start, strangers, to_end
from patience import HANGS, SOON, check_seconds

GROUPS = program("groups")


def test_good_end():
    r = run("run", "-n", 4, GROUPS)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")


def test_highest_status():
    """PE k ends with status k at once."""
    r = run("run", "-n", 4, "sh", "-c", "exit ${UNISONO_JOB#*,}")
    assert r.returncode == 3
    assert r.stderr in [f"unisono run: PE {k} ended with exit status {k}\n" for k in (1, 2, 3)]


def test_status_of_one():
    r = run("run", "-n", 4, GROUPS, "wait:f", "exit:3", "wait:f", "wait:f")
    assert r.returncode == 3
    assert r.stderr.splitlines()[-1] == "unisono run: PE 1 ended with exit status 3"
    for k in (0, 2, 3):  # on a busy machine others may not have come either
        assert re.search(f"^unisono: PE {k}: PE 1 ended with exit status 3; this PE was in p_wait of group {{0-3}}, "
                         f"waiting for PE [^{k}]$", r.stderr, re.MULTILINE), r.stderr


@pytest.mark.parametrize("number, name", [(9, "Killed"), (14, "Alarm clock"), (6, "Aborted"),
                                          (12, "User defined signal 2")])
def test_killed(number, name):
    r = run("run", "-n", 4, GROUPS, "add:f", "add:f", f"kill:{number}", "add:f")
    assert r.returncode == 128 + number
    assert r.stderr.splitlines()[-1] == f"unisono run: PE 2 was killed by signal {number} ({name})"
    for k in (0, 1, 3):
        assert f"unisono: PE {k}: PE 2 was killed by signal {number} ({name}); this PE was in p_reduceAdd32" in r.stderr


def test_error_of_the_library():
    """The last line names the PE that failed, though the others, which it told, may have ended before it."""
    r = run("run", "-n", 4, GROUPS, "wait:f", "wait:f", "wait:f", "fail")
    assert r.returncode == 1
    assert "unisono: PE 3: this is the failure\n" in r.stderr
    assert r.stderr.splitlines()[-1] == "unisono run: PE 3 ended with exit status 1"


def test_mismatch():
    r = run("run", "-n", 2, GROUPS, "wait:3", "add:3")
    assert r.returncode == 1
    assert "mismatch" in r.stderr and "p_wait" in r.stderr and "p_reduceAdd32" in r.stderr


def test_waiting_for_one_that_left():
    r = run("run", "-n", 3, GROUPS, "wait:7", "wait:7")
    assert r.returncode == 1
    assert "p_wait of group {0-2} waits for PE 2, which has left" in r.stderr


def test_waiting_for_one_that_ended_without_p_exit():
    began = time.monotonic()
    r = run("run", "-n", 3, GROUPS, "wait:7", "wait:7", "exit:0")
    assert time.monotonic() - began < SOON
    assert r.returncode == 1
    assert "waits for PE 2, which has left" in r.stderr


def test_one_that_ended_before_p_init():
    r = run("run", "-n", 2, "sh", "-c", f"[ ${{UNISONO_JOB#*,}} = 1 ] || exec {program('groups')}")
    assert r.returncode == 1
    assert "p_wait of group {0-1} waits for PE 1, which has left" in r.stderr


@pytest.mark.parametrize("how, why", [("kill -9 $$", "PE 39 was killed by signal 9"),
                                      ("exit 0", ".*waits for PE 39, which has left")])
def test_many_say_it_in_few_lines(how, why, tmp_path):
    """The last PE does not come to the first p_wait: some of those that wait say so, and one line counts the others."""
    last = f"[ ${{UNISONO_JOB#*,}} = 39 ] && {{ until [ -e go ]; do sleep 0.01; done; {how}; }}; exec {GROUPS}"
    p = start("run", "-n", 40, "sh", "-c", last, cwd=tmp_path)
    settled(p, *["waiting"] * 39, "not checked in")
    (tmp_path / "go").touch()
    *said, more, end = to_end(p)[1].splitlines()
    assert len(said) == (8 if "kill" in how else 9), said  # the one that finds that PE 39 has left has failed first
    assert all(re.match(rf"unisono: PE \d+: {why}", line) for line in said), said
    assert more == f"unisono run: {39 - len(said)} more PEs have ended for the same reason"
    assert end.startswith("unisono run: PE ")


@pytest.mark.parametrize("others", ["wait:7", "run", "sleep:100000"])
def test_over_within_a_second(others):
    """Wherever the others are: waiting, busy, asleep."""
    def once():
        began = time.monotonic()
        r = run("run", "-n", 3, GROUPS, others, "kill:9", others)
        assert r.returncode == 137
        assert r.stderr.splitlines()[-1] == "unisono run: PE 1 was killed by signal 9 (Killed)"
        return time.monotonic() - began

    check_seconds(1.2, once)  # the start included


def test_others_that_ignore_sigterm():
    def once():
        began = time.monotonic()
        r = run("run", "-n", 2, "sh", "-c", "trap '' TERM; [ ${UNISONO_JOB#*,} = 0 ] && exit 5; sleep 100; true")
        assert r.returncode == 5
        assert r.stderr == "unisono run: PE 0 ended with exit status 5\n"
        return time.monotonic() - began

    check_seconds(1.2, once)


def test_under_a_wrapper():
    r = run("run", "-n", 4, "sh", "-c", f"{GROUPS}; exit $?")
    assert (r.returncode, r.stderr) == (0, "")
    r = run("run", "-n", 2, "sh", "-c", f"{GROUPS} wait:3 exit:7; exit $?")
    assert r.returncode == 7
    assert r.stderr.splitlines()[-1] == "unisono run: PE 1 ended with exit status 7"


def test_a_job_in_a_job():
    r = run("run", "-n", 2, UNISONO, "run", "-n", 3, GROUPS, "wait:7", "wait:7")
    assert r.returncode == 1
    assert r.stderr.count("waits for PE 2, which has left") == 4
    r = run("run", "-n", 2, UNISONO, "run", "-n", 3, GROUPS)
    assert (r.returncode, r.stderr) == (0, strangers(2))


def test_stop_is_no_death():
    p = start("run", "-n", 3, GROUPS, "tell", "kill:19", "tell")
    assert [p.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
    time.sleep(0.5)
    assert p.poll() is None
    p.send_signal(signal.SIGTERM)
    assert p.wait(HANGS) == -signal.SIGTERM


@pytest.mark.parametrize("n", [1, 8])
def test_time_of_an_empty_job(n):
    """Well under 50 ms, but for the sanitizers' own start."""
    def once():
        began = time.monotonic()
        assert run("run", "-n", n, program("empty")).returncode == 0
        return time.monotonic() - began

    check_seconds(0.05, once)
