"""unisono ps and unisono inspect: which messages the PEs of a job have, seen from outside."""

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import time

import pytest

from launcher import UNISONO, program, run, start, to_end
from patience import HANGS, until

LETTERS = os.environ["UNISONO_LETTERS"]
JUGGLER = os.path.join(os.path.dirname(LETTERS), "juggler")
NONE = {"arriving": 0, "unclaimed": 0, "pending": 0, "queued": 0}


@contextlib.contextmanager
def running(*arguments):
    p = start("run", *arguments)
    try:
        yield p
    finally:
        p.send_signal(signal.SIGTERM)
        to_end(p)


def inspect(p, pe):
    r = run("inspect", "--json", "--pid", p.pid, pe)
    assert (r.returncode, r.stderr) == (0, "")
    job = json.loads(r.stdout)
    assert job["launcher"] == p.pid and len(job["pe"]) == 1 and job["pe"][0]["pe"] == pe
    return job["pe"][0]


def places(p):
    r = run("ps", "--json", p.pid)
    return json.loads(r.stdout)[0]["pe"] if r.returncode == 0 else []


@contextlib.contextmanager
def letters(*options):
    """The job of letters.c, in its known state."""
    with running("-n", 4, *options, LETTERS) as p:
        def reached():
            pe = places(p)
            return pe and [x["operation"] for x in pe] == ["nread", "nprobe", "p_wait", "nread"] and all(
                pe[k]["seconds"] for k in (0, 1, 3)) and pe[0]["messages"]["unclaimed"] == 3 and (
                pe[2]["messages"] == {**NONE, "arriving": 64, "pending": 2}) and pe[3]["type"] is None
        assert until(reached), places(p)
        yield p


def message(state, peer, type, bytes, context=0):
    return {"state": state, "peer": peer, "type": type, "extended": type is None, "context": context, "bytes": bytes}


def test_counts():
    with letters() as p:
        pe = places(p)
        assert [x["messages"] for x in pe] == [
            {**NONE, "unclaimed": 3}, {**NONE, "queued": 136}, {**NONE, "arriving": 64, "pending": 2}, NONE]
        assert [(x["state"], x["operation"], x["peer"], x["type"], x["missing"], x["group"]) for x in pe] == [
            ("waiting", "nread", 3, 9, [3], None), ("waiting", "nprobe", 0, 4, [0], None),
            ("running", "p_wait", None, None, [], [0, 1, 2, 3]), ("waiting", "nread", None, None, [], None)]
        lines = run("ps", p.pid).stdout.splitlines()
        assert re.fullmatch(r"  PE 0: waiting in nread from PE 3 of type 9 for \d+\.\d\d s; missing: PE 3; "
                            "messages: 3 unclaimed", lines[1])
        assert re.fullmatch(r"  PE 1: waiting in nprobe from PE 0 of type 4 for \d+\.\d\d s; missing: PE 0; "
                            "messages: 136 queued", lines[2])
        assert lines[3] == "  PE 2: running, last in p_wait of group {0-3}; messages: 64 arriving, 2 pending"
        assert re.fullmatch(r"  PE 3: waiting in nread from any PE of any type for \d+\.\d\d s", lines[4])
        assert len(lines) == 5


@pytest.mark.skipif(os.environ["UNISONO_MESH"] != "1", reason="skipped: there is no Verilator (Debian: verilator)")
def test_tiles():
    """PEs that are tiles of a mesh show what they wait for while they sleep."""
    def shown():
        return [(x["state"], x["operation"], x["peer"], x["missing"]) for x in places(p)]
    waiting = ("waiting", "nread", 3, [3]), ("waiting", "nprobe", 0, [0]), ("waiting", "nread", None, [])
    with running("-n", 4, "--unit", "mesh", LETTERS) as p:
        assert until(lambda: (pe := shown()) and (pe[0], pe[1], pe[3]) == waiting), shown()


def test_one_by_one():
    with letters() as p:
        pe = [inspect(p, k) for k in range(4)]
        assert all(x["steady"] for x in pe)
        assert pe[0]["list"] == [message("unclaimed", 1, 5, 100), message("unclaimed", 1, 6, 300000),
                                 message("unclaimed", 1, 8, 16, pe[0]["list"][2]["context"])]
        assert pe[0]["list"][2]["context"] > 0
        assert pe[1]["list"] == [message("queued", 2, 1, 8)] * 136
        assert pe[2]["list"] == [message("arriving", 1, 1, 8)] * 64 + [
            message("pending", 3, None, 24), message("pending", 3, None, 1000)]
        assert pe[3]["list"] == []
        again = places(p)
        for x, y in zip(pe, again):
            for name in ("state", "operation", "peer", "type", "missing", "messages", "pid"):
                assert x[name] == y[name]


def test_text():
    with letters() as p:
        lines = run("inspect", "-p", p.pid, 0).stdout.splitlines()
        assert re.fullmatch(rf"PID {p.pid}: {re.escape(LETTERS)}; 4 PEs, for \d+\.\d s", lines[0])
        assert re.fullmatch(r"  PE 0: waiting in nread from PE 3 of type 9 for \d+\.\d\d s; missing: PE 3", lines[1])
        assert lines[2:4] == ["    unclaimed  from PE 1     type 5           100 bytes",
                              "    unclaimed  from PE 1     type 6           300000 bytes"]
        assert re.fullmatch(r"    unclaimed  from PE 1     type 8           16 bytes  \(subcube: context \d+\)", lines[4])
        assert len(lines) == 5
        lines = run("inspect", "-p", p.pid, 2).stdout.splitlines()
        assert lines[2:66] == ["    arriving   from PE 1     type 1           8 bytes"] * 64
        assert lines[66:] == ["    pending    from PE 3     extended         room for 24 bytes",
                              "    pending    from PE 3     extended         room for 1000 bytes"]
        lines = run("inspect", "-p", p.pid, 1).stdout.splitlines()
        assert lines[2:] == ["    queued     to   PE 2     type 1           8 bytes"] * 136
        assert run("inspect", "-p", p.pid, 3).stdout.splitlines()[2:] == ["    no messages"]


def test_report_of_the_launcher():
    with letters() as p:
        p.send_signal(signal.SIGUSR1)
        p.send_signal(signal.SIGTERM)  # which is heard after the other one
        lines = to_end(p)[1].splitlines()
    assert any(re.fullmatch(r"  PE 0: waiting in nread from PE 3 of type 9 for \d+\.\d\d s; missing: PE 3; messages: 3 "
                            "unclaimed", line) for line in lines), lines
    assert "  PE 2: running, last in p_wait of group {0-3}; messages: 64 arriving, 2 pending" in lines


def blocks(p):
    """Return the size of the job's memory, in units of 512 bytes."""
    for fd in os.listdir(f"/proc/{p.pid}/fd"):
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/{p.pid}/fd/{fd}").startswith("/memfd:unisono"):
                return os.stat(f"/proc/{p.pid}/fd/{fd}").st_blocks
    pid = places(p)[0]["pid"]
    return next(os.stat(f"/proc/{pid}/fd/{fd}").st_blocks for fd in os.listdir(f"/proc/{pid}/fd")
                if os.readlink(f"/proc/{pid}/fd/{fd}").startswith("/memfd:unisono"))


@contextlib.contextmanager
def stopped(p):
    """Stop the job, so that only the observer can change its memory."""
    pids = [p.pid, *(x["pid"] for x in places(p))]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        assert until(lambda: all(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0] == "T" for pid in pids))
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_looking_takes_no_memory():
    """A page of the job's memory that is looked at is a page that is taken: of large masses of it none may be."""
    with running("-n", 4, program("groups"), *["run"] * 4) as p:
        assert until(lambda: [x["state"] for x in places(p)] == ["running"] * 4)
        with stopped(p):
            before = blocks(p)
            for k in range(4):
                inspect(p, k)
            assert blocks(p) == before, "a job without messages"
    with letters() as p, stopped(p):
        before = blocks(p)
        for k in range(4):
            inspect(p, k)
        assert blocks(p) == before < 16 * 2048


def check(pe, n, longest=3 << 20):
    """Check that the messages that a PE of the courier shows are possible."""
    assert all(0 <= count < 100000 for count in pe["messages"].values()), pe["messages"]
    for m in pe["list"]:
        assert m["state"] in NONE and not m["extended"] and m["context"] == 0, m
        assert 0 <= m["peer"] < n and 0 <= m["type"] < 4 and 0 <= m["bytes"] <= longest, m
        assert m["peer"] != pe["pe"] or m["state"] == "unclaimed", m
    if pe["steady"]:
        for state, count in pe["messages"].items():
            assert count == sum(m["state"] == state for m in pe["list"]), (state, pe)


@pytest.mark.parametrize("n", [2, 5])
def test_a_job_that_changes(n):
    """No half-written message is shown of a job that sends as fast as it can, and the job goes on undisturbed."""
    with running("-n", n, program("courier"), 17, 10**9) as p:
        began, looks, seen, steady = time.monotonic(), 0, 0, 0
        while (spent := time.monotonic() - began) < 2 or spent < HANGS and not (looks and seen and steady):
            pe = inspect(p, random.randrange(n)) if places(p) else None
            if pe:
                check(pe, n)
                looks += 1
                seen += len(pe["list"])
                steady += pe["steady"]
        assert p.poll() is None
        assert looks and seen and steady, (looks, seen, steady)


def test_messages_are_whole():
    """A message is shown whole, however fast others take its place."""
    with running("-n", 3, JUGGLER) as p:
        assert until(lambda: places(p) and places(p)[2]["messages"]["unclaimed"])
        began, seen = time.monotonic(), {"arriving": 0, "unclaimed": 0}
        while (spent := time.monotonic() - began) < 2 or spent < HANGS and not all(seen.values()):
            for m in inspect(p, random.choice([1, 2]))["list"]:
                assert m["bytes"] == m["type"] * 37 % 89, m
                seen[m["state"]] += 1
        assert p.poll() is None and all(seen.values()), seen


def test_a_job_that_ends_meanwhile():
    p = subprocess.Popen(["sh", "-c", f"while :; do {UNISONO} run -n 3 {program('courier')} 1 200 >/dev/null || exit 1; done"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    began, good, others = time.monotonic(), 0, False
    while (spent := time.monotonic() - began) < 2 or (not good and not others and spent < HANGS):
        r = run("inspect", "--json", random.randrange(3))
        if r.returncode == 0:
            job = json.loads(r.stdout)  # of another program, if one runs here and ours has just ended
            if "courier" in job["program"]:
                check(job["pe"][0], job["pes"])
                good += 1
        else:
            assert r.returncode == 1 and r.stdout == ""
            others |= "jobs of yours" in r.stderr
            assert re.fullmatch(r"unisono inspect: (no jobs|PE \d+; the job of process \d+ has PEs 0 to \d+|"
                                r"\d+ jobs of yours run; name one by --pid \(`unisono ps` shows all\))\n", r.stderr)
    assert p.poll() is None, p.stderr.read()
    p.terminate()
    p.communicate()
    assert good or others


BAD = [
    ([], 2, "unisono inspect: which PE?\n"),
    (["x"], 2, "unisono inspect: x: not the number of a PE\n"),
    (["16384"], 2, "unisono inspect: 16384: not the number of a PE\n"),
    (["0", "1"], 2, "unisono inspect: 1: name one PE only\n"),
    (["--pid", "0", "1"], 2, "unisono inspect: 0: not the number of a process\n"),
    (["--pid", "99999999", "1"], 1,
     "unisono inspect: 99999999 is no process of a job of yours; `unisono ps` shows all\n"),
]


@pytest.mark.parametrize("arguments, status, message", BAD)
def test_bad(arguments, status, message):
    r = run("inspect", *arguments)
    assert (r.returncode, r.stdout, r.stderr) == (status, "", message)


def test_a_pe_that_does_not_exist():
    with running("-n", 2, "sleep", 100) as p, running("-n", 1, "sleep", 100) as q:
        assert until(lambda: places(p) and places(q))
        r = run("inspect", "--pid", p.pid, 2)
        assert (r.returncode, r.stdout) == (1, "")
        assert r.stderr == f"unisono inspect: PE 2; the job of process {p.pid} has PEs 0 to 1\n"
        r = run("inspect", 0)
        assert r.returncode == 1 and re.fullmatch(
            r"unisono inspect: \d+ jobs of yours run; name one by --pid \(`unisono ps` shows all\)\n", r.stderr)
        assert inspect(q, 0)["list"] == []


def test_a_job_without_memory_for_messages():
    """Where files may not be large, there are no messages, and ps still works."""
    with running_limited() as p:
        assert until(lambda: places(p) and places(p)[0]["state"] == "running")
        assert places(p)[0]["messages"] == {}
        r = run("inspect", "--pid", p.pid, 0)
        assert (r.returncode, r.stdout) == (1, "")
        assert "has no memory for messages" in r.stderr


@contextlib.contextmanager
def running_limited():
    p = subprocess.Popen(["sh", "-c", f"ulimit -f 1000; exec {UNISONO} run -n 1 {program('groups')} run"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield p
    finally:
        p.terminate()
        to_end(p)
