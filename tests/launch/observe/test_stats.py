"""--stats: operations counted, waiting measured, the straggler named."""

import json
import os
import re

import pytest

from launcher import program, run, strangers

KNOWN = os.environ["UNISONO_KNOWN"]
GROUPS = program("groups")


def figures(tmp_path, *arguments, status=0):
    """The JSON object of a run."""
    path = tmp_path / "stats.json"
    r = run("run", f"--stats={path}", *arguments)
    assert r.returncode == status, r.stderr
    return json.loads(path.read_text()), r.stderr


@pytest.mark.parametrize("n", [1, 2, 5, 33, 70])
def test_counts(tmp_path, n):
    rounds = 50
    stats, err = figures(tmp_path, "-n", n, KNOWN, rounds)
    assert err == ""
    assert stats["pes"] == n and stats["program"] == f"{KNOWN} {rounds}"
    assert {k["name"]: (k["count"], k["unfinished"]) for k in stats["operations"]} == {
        "p_wait": (n, 0), "p_reduceAdd": (n * rounds, 0), "p_bcast": (n * rounds, 0)}
    assert stats["all"]["count"] == n * (1 + 2 * rounds)
    assert [pe["pe"] for pe in stats["pe"]] == list(range(n))
    for pe in stats["pe"]:
        assert pe["checked_in"] and pe["operations"] == 1 + 2 * rounds
        assert 0 < pe["waiting_seconds"] <= pe["run_seconds"] <= stats["seconds"]
        assert pe["waiting_share"] == pytest.approx(pe["waiting_seconds"] / pe["run_seconds"])
    for kind in stats["operations"]:
        assert kind["mean_seconds"] == pytest.approx(kind["seconds"] / kind["count"], abs=1e-8)
    assert sum(k["seconds"] for k in stats["operations"]) == pytest.approx(stats["all"]["seconds"])
    assert sum(pe["waiting_seconds"] for pe in stats["pe"]) == pytest.approx(stats["all"]["seconds"])
    assert sum(pe["waited_for_seconds"] for pe in stats["pe"]) <= stats["all"]["seconds"] * 1.000001
    if n == 1:
        assert stats["straggler"] is None


@pytest.mark.parametrize("way", ["recorded", "timeline", "unrecorded", "some unrecorded"])
def test_ways(tmp_path, way):
    """The operations are counted as recorded calls, or by each PE itself where there is a timeline, or where its calls
    are not recorded, as those of programs that were linked with an archive: each way, and in the same job."""
    n, rounds = 4, 30
    alone = {"unrecorded": "unset UNISONO_MPI_OBSERVE; ", "some unrecorded": '[ "${UNISONO_JOB#*,}" -ge 2 ] || unset UNISONO_MPI_OBSERVE; '}
    command = ["sh", "-c", f"{alone[way]}exec {KNOWN} {rounds} 2 20000"] if way in alone else [KNOWN, rounds, 2, 20000]
    stats, _ = figures(tmp_path, "-n", n, *(["--trace", tmp_path / "trace.json"] if way == "timeline" else []), *command)
    assert {k["name"]: k["count"] for k in stats["operations"]} == {"p_wait": n, "p_reduceAdd": n * rounds, "p_bcast": n * rounds}
    assert [pe["operations"] for pe in stats["pe"]] == [1 + 2 * rounds] * n
    assert (stats["calls"] is None) == (way == "unrecorded")
    late = [pe["waited_for_seconds"] for pe in stats["pe"]]
    assert stats["straggler"] == 2 and late[2] > 3 * rounds * 0.02 * 0.8 and sum(late) <= stats["all"]["seconds"] * 1.000001


def test_straggler(tmp_path):
    """PE 2 comes 10 times 50 ms late, and 3 others wait for it."""
    stats, _ = figures(tmp_path, "-n", 4, KNOWN, 10, 2, 50000)
    assert stats["straggler"] == 2
    late = [pe["waited_for_seconds"] for pe in stats["pe"]]
    assert late[2] > 3 * 10 * 0.04 and late[2] == max(late)
    assert all(pe["waiting_share"] > 0.5 for pe in stats["pe"] if pe["pe"] != 2)
    assert stats["pe"][2]["waiting_share"] < 0.5


def test_table():
    r = run("run", "-n", 4, "--stats", KNOWN, 10, 2, 50000)
    assert (r.returncode, r.stdout) == (0, "")
    lines = r.stderr.splitlines()
    assert re.fullmatch(r"unisono run: 4 PEs ran for \d+\.?\d* [a-z]*s; what they did and waited for:", lines[0])
    assert all(len(line) <= 80 for line in lines[:-1]) and "\x1b" not in r.stderr
    assert re.search(r"^  p_reduceAdd +40 +\S+ m?s +\S+ ms$", r.stderr, re.M)
    assert re.search(r"^  all +84 ", r.stderr, re.M)
    bars = dict(re.findall(r"^  ([0-3]) .*?(#*)$", r.stderr, re.M))
    assert len(bars["2"]) == 30 and all(len(bars[k]) < 15 for k in "013")
    assert re.search(r"^  PE 2 was waited for most: [\d.]+ s, \d+ % of all time in operations$", r.stderr, re.M)
    assert re.search(r"^ .* 40 .*  p_reduceAdd at known.c:\d+; PE 2, \d+ %$", r.stderr, re.M)
    assert re.match(r"  PE 2 comes late to p_reduceAdd at known.c:\d+, by ", lines[-1])


def test_table_of_many(tmp_path):
    """The PEs that were waited for most, and the rest as one row."""
    path = tmp_path / "stats.json"
    r = run("run", "-n", 100, "--stats", f"--stats={path}", KNOWN, 20)
    assert r.returncode == 0
    stats = json.loads(path.read_text())
    lines = r.stderr.splitlines()
    assert all(len(line) <= 80 for line in lines[:-1])
    first = next(i for i, line in enumerate(lines) if line.startswith("  PE  ")) + 1
    rows = lines[first:lines.index("", first)]
    most = sorted(stats["pe"], key=lambda pe: (-pe["waited_for_seconds"], pe["pe"]))
    assert [int(row.split()[0]) for row in rows[:-1]] == [pe["pe"] for pe in most[:15]]
    assert rows[-1].startswith("  85 others ")
    assert re.search("#{30}$", rows[0])
    assert stats["straggler"] == most[0]["pe"]
    assert f"\n  PE {stats['straggler']} was waited for most" in r.stderr


def test_table_after_a_timeout(tmp_path):
    """The wait that did not end counts, and names who was missing."""
    path = tmp_path / "stats.json"
    r = run("run", "-n", 3, "--timeout", 5, "--stats", f"--stats={path}", GROUPS, "wait:7", "run", "wait:7")
    assert r.returncode == 124
    assert "  PE 1: running, last in p_wait" in r.stderr
    assert re.search(r"^  p_wait +3 .*  \+ 2 unfinished$", r.stderr, re.M)
    assert "PE 1 was waited for most" in r.stderr
    stats = json.loads(path.read_text())
    assert stats["straggler"] == 1
    assert stats["operations"][0]["unfinished"] == 2
    assert stats["pe"][1]["waited_for_seconds"] > 2 * 1
    assert stats["pe"][0]["waiting_share"] > 0.9 > 0.5 > stats["pe"][1]["waiting_share"]


def test_after_a_kill():
    r = run("run", "-n", 3, "--stats", GROUPS, "wait:7", "kill:9", "wait:7")
    assert r.returncode == 137
    assert r.stderr.splitlines()[-1] == "unisono run: PE 1 was killed by signal 9 (Killed)"
    assert re.search(r"^  p_wait +3 .*  \+ 2 unfinished$", r.stderr, re.M)


def test_under_a_wrapper(tmp_path):
    stats, _ = figures(tmp_path, "-n", 2, "sh", "-c", f"{KNOWN} 10; exit $?")
    assert stats["all"]["count"] == 2 * 21


def test_nothing_to_show():
    r = run("run", "-n", 2, "--stats", "true")
    assert r.returncode == 0
    assert re.fullmatch(r"unisono run: 2 PEs ran for \S+ [mu]s, without an operation\n" + strangers(2), r.stderr)


def test_some_not_checked_in():
    r = run("run", "-n", 2, "--timeout", 5, "--stats", "sh", "-c",
            f"[ ${{UNISONO_JOB#*,}} = 1 ] && exec sleep 100; exec {KNOWN}")
    assert r.returncode == 124
    assert re.search(r"^  1 +not checked in$", r.stderr, re.M)


@pytest.mark.parametrize("path, why", [("/no/such/folder/x", "No such file or directory"), ("/", "Is a directory")])
def test_bad_path(path, why):
    """Refused before the job starts."""
    r = run("run", "-n", 2, f"--stats={path}", "echo", "started")
    assert (r.returncode, r.stdout) == (1, "")
    assert r.stderr == f"unisono run: --stats={path}: cannot write this file: {why}\n"


def test_full_disk():
    r = run("run", "-n", 2, "--stats=/dev/full", KNOWN)
    assert r.returncode == 1
    assert r.stderr == "unisono run: --stats=/dev/full: cannot write this file: No space left on device\n"


def test_off():
    r = run("run", "-n", 2, KNOWN)
    assert (r.returncode, r.stderr) == (0, "")
