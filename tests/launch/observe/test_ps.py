"""unisono ps: which jobs run, and where their PEs are, seen from outside."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time

import pytest

from launcher import UNISONO, program, run, settled, start, to_end
from patience import HANGS, until

GROUPS = program("groups")


def jobs(*arguments):
    r = run("ps", "--json", *arguments)
    assert r.stderr == ""
    return json.loads(r.stdout)


@contextlib.contextmanager
def running(*arguments, **options):
    p = start("run", *arguments, **options)
    try:
        yield p
    finally:
        p.send_signal(signal.SIGTERM)
        to_end(p)


def test_a_program_that_hangs():
    with running("-n", 4, GROUPS, "add:f", "wait:a", "add:f", "run") as p:
        job = settled(p, "waiting", "waiting", "waiting", "running", operations=[
            ("p_reduceAdd32", [0, 1, 2, 3]), ("p_wait", [1, 3]), ("p_reduceAdd32", [0, 1, 2, 3])])
        assert job["launcher"] == p.pid and job["pes"] == 4
        assert job["program"] == f"{GROUPS} add:f wait:a add:f run"
        assert 0 < job["seconds"] < 60
        assert [(pe["operation"], pe["group"], pe["missing"]) for pe in job["pe"]] == [
            ("p_reduceAdd32", [0, 1, 2, 3], [1, 3]), ("p_wait", [1, 3], [3]),
            ("p_reduceAdd32", [0, 1, 2, 3], [1, 3]), ("p_wait", [0, 1, 2, 3], [])]
        for k, pe in enumerate(job["pe"]):
            assert pe["pe"] == k
            assert "UNISONO_JOB" in open(f"/proc/{pe['pid']}/environ").read()
            if pe["state"] == "waiting":
                assert 0 < pe["seconds"] <= job["seconds"] + 1
        lines = run("ps", p.pid).stdout.splitlines()
        assert re.fullmatch(rf"PID {p.pid}: {re.escape(job['program'])}; 4 PEs, for \d+\.\d s", lines[0])
        assert re.fullmatch(r"  PE 0: waiting in p_reduceAdd32 of group \{0-3\} for \d+\.\d\d s; missing: PEs 1,3", lines[1])
        assert re.fullmatch(r"  PE 1: waiting in p_wait of group \{1,3\} for \d+\.\d\d s; missing: PE 3", lines[2])
        assert lines[4] == "  PE 3: running, last in p_wait of group {0-3}"
        assert len(lines) == 5
        assert p.poll() is None, "the job goes on"


def test_states():
    with running("-n", 4, "sh", "-c", f"[ ${{UNISONO_JOB#*,}} = 3 ] && exec sleep 100; exec {program('chaos')} 1 0") as p:
        job = settled(p, "waiting", "waiting", "waiting", "not checked in")
        assert job["pe"][3] == {"pe": 3, "pid": None, "state": "not checked in", "operation": None, "group": None,
                                "peer": None, "type": None, "seconds": None, "missing": [],
                                "messages": {"arriving": 0, "unclaimed": 0, "pending": 0, "queued": 0}, "requests": None}
        assert [pe["missing"] for pe in job["pe"][:3]] == [[3]] * 3
    with running("-n", 3, GROUPS, "run", "kill:19", "sleep:0") as p:
        job = settled(p, "running", "stopped by a signal", "ended")
        assert run("ps", p.pid).stdout.splitlines()[3] == "  PE 2: ended"
        os.kill(job["pe"][1]["pid"], signal.SIGCONT)
        settled(p, "running", "running", "ended")


def test_by_any_process_of_the_job():
    with running("-n", 2, GROUPS, "run", "run") as p:
        job = settled(p, "running", "running")
        with running("-n", 2, GROUPS, "run", "run") as q:
            other = settled(q, "running", "running")
            for pid in (p.pid, job["pe"][0]["pid"], job["pe"][1]["pid"]):
                assert [j["launcher"] for j in jobs(pid)] == [p.pid]
            assert [j["launcher"] for j in jobs(other["pe"][1]["pid"])] == [q.pid]
            # both are there, once each, the older first; there may be others of this user
            ours = [j["launcher"] for j in jobs() if j["launcher"] in (p.pid, q.pid)]
            assert ours == [p.pid, q.pid]
            text = run("ps").stdout
            assert text.index(f"PID {p.pid}: ") < text.index(f"PID {q.pid}: ")
            lines = text.splitlines()
            title = next(i for i, line in enumerate(lines) if line.startswith(f"PID {q.pid}: "))
            assert lines[title + 1] == "  2 running" and "PE 0:" not in text
            assert all("  PE 1: running" in run("ps", option).stdout for option in ("--long", "-l"))


def test_wide_job():
    with running("-n", 100, "sh", "-c", f"[ ${{UNISONO_JOB#*,}} = 77 ] && exec sleep 100; exec {GROUPS}") as p:
        job = settled(p, *(["waiting"] * 77 + ["not checked in"] + ["waiting"] * 22))
        assert all(pe["missing"] == [77] and pe["group"] == list(range(100)) for pe in job["pe"] if pe["pe"] != 77)


def test_odd_names():
    """For any arguments of a program, the list is text of one line for each job, and JSON."""
    odd = b"a\xff\n\x1b[1m\"\\"
    with running_bytes(odd) as p:
        job = settled(p, "not checked in")
        assert job["program"].startswith('sh -c exec sleep 100 a???[1m"\\ xxx') and len(job["program"]) == 259
        assert len(run("ps", p.pid).stdout.splitlines()) == 2


@contextlib.contextmanager
def running_bytes(odd):
    p = subprocess.Popen([UNISONO.encode(), b"run", b"-n", b"1", b"sh", b"-c", b"exec sleep 100", odd, b"x" * 1000],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield p
    finally:
        p.terminate()
        p.wait()


def as_user(uid):
    def change():
        os.setgroups([])
        os.setgid(uid)
        os.setuid(uid)
    return change


def reachable(uid):
    """Return true if another user can run the program."""
    try:
        return run("--version", preexec_fn=as_user(uid), cwd="/").returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


NOBODY = 54321  # a user without processes
root = pytest.mark.skipif(os.geteuid() != 0 or not reachable(NOBODY), reason="takes root, to be another user")


@root
def test_no_jobs():
    r = run("ps", preexec_fn=as_user(NOBODY))
    assert (r.returncode, r.stdout, r.stderr) == (0, "no jobs\n", "")
    r = run("ps", "--json", preexec_fn=as_user(NOBODY))
    assert (r.returncode, r.stdout, r.stderr) == (0, "[]\n", "")


@root
def test_jobs_of_others():
    with running("-n", 1, "sleep", 100) as p, running("-n", 1, "sleep", 100, preexec_fn=as_user(NOBODY), cwd="/") as q:
        settled(p, "not checked in")
        assert until(lambda: run("ps", preexec_fn=as_user(NOBODY)).stdout.startswith(f"PID {q.pid}: "))
        assert run("ps", preexec_fn=as_user(NOBODY)).stdout.count("PID") == 1
        assert q.pid not in [j["launcher"] for j in jobs()]


def test_jobs_that_end_meanwhile(tmp_path):
    """A short job after another, while we look again and again. Its program has a name that no other test's has."""
    own = tmp_path / "empty"
    own.symlink_to(program("empty"))
    p = subprocess.Popen(["sh", "-c", f"while :; do {UNISONO} run -n 3 {own} || exit 1; done"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seen, looks, deadline = set(), 0, time.monotonic() + HANGS
    while looks < 100 or len(seen) < 2 and time.monotonic() < deadline:
        looks += 1
        for job in jobs():
            if job["program"] == str(own):
                seen.add(job["launcher"])
                assert job["pes"] == 3 and len(job["pe"]) == 3
    assert p.poll() is None, p.stderr.read()
    p.terminate()
    p.wait()
    assert len(seen) > 1


BAD = [
    (["x"], 2, "unisono ps: x: not the number of a process\n"),
    (["0"], 2, "unisono ps: 0: not the number of a process\n"),
    (["1", "2"], 2, "unisono ps: 2: name one process only\n"),
    (["99999999"], 1, "unisono ps: 99999999 is no process of a job of yours; `unisono ps` shows all\n"),
    ([str(os.getpid())], 1, f"unisono ps: {os.getpid()} is no process of a job of yours; `unisono ps` shows all\n"),
]


@pytest.mark.parametrize("arguments, status, message", BAD)
def test_bad(arguments, status, message):
    r = run("ps", *arguments)
    assert (r.returncode, r.stdout, r.stderr) == (status, "", message)


def test_output_that_cannot_be_written():
    with open("/dev/full", "w") as full:
        r = subprocess.run([UNISONO, "ps"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert r.returncode == 1
    assert r.stderr == "unisono ps: cannot write standard output: No space left on device\n"
