"""--stats and --html of a job on several machines: the figures of all PEs, as those of one machine, with the node of
each."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from machines import UNISONO, agents, launcher_processes, run, start, to_end

KNOWN, PLACES, SHARE = os.environ["UNISONO_KNOWN"], os.environ["UNISONO_PLACES"], Path(os.environ["UNISONO_SHARE"])
OBSERVE = Path(__file__).resolve().parents[1] / "mpi/observe"
GROUPS = os.environ["UNISONO_GROUPS"]
HOSTS = {"a:3": "aaa", "a:2,b:2": "aabb", "a:1,b:2,a:1": "abba", "a,b,c": "abc"}


def figures(tmp_path, hosts, *arguments, status=0, **settings):
    """Run it; return the JSON, and what it said."""
    path = tmp_path / "stats.json"
    r = run(hosts, f"--stats={path}", *arguments, **settings)
    assert r.returncode == status, r.stderr
    return json.loads(path.read_text()), r.stderr


@pytest.mark.parametrize("hosts", HOSTS)
def test_counts(tmp_path, hosts):
    rounds, nodes = 30, HOSTS[hosts]
    n = len(nodes)
    stats, err = figures(tmp_path, hosts, KNOWN, rounds)
    assert err == "" and os.listdir(tmp_path) == ["stats.json"]
    assert (stats["pes"], stats["program"]) == (n, f"{KNOWN} {rounds}")
    assert {k["name"]: (k["count"], k["unfinished"]) for k in stats["operations"]} == {
        "p_wait": (n, 0), "p_reduceAdd": (n * rounds, 0), "p_bcast": (n * rounds, 0)}
    assert [(pe["pe"], pe["node"]) for pe in stats["pe"]] == list(enumerate(nodes))
    for pe, rank in zip(stats["pe"], stats["calls"]["rank"]):
        assert pe["checked_in"] and rank["recorded"] and pe["node"] == rank["node"]
        assert pe["operations"] == rank["calls"] == 1 + 2 * rounds
        assert 0 < pe["waiting_seconds"] <= pe["run_seconds"] <= stats["seconds"]
        assert rank["waited_seconds"] <= rank["inside_seconds"] <= rank["seconds"] <= pe["run_seconds"] * 1.01
    assert sum(k["seconds"] for k in stats["operations"]) == pytest.approx(stats["all"]["seconds"])
    assert sum(pe["waited_for_seconds"] for pe in stats["pe"]) <= stats["all"]["seconds"] * 1.000001


def test_as_on_one_machine(tmp_path):
    """The places, calls and bytes of a program are those of a job on one machine."""
    def known(stats):
        return {(s["function"], s["place"], s["calls"], s["bytes"], tuple((r["rank"], r["calls"], r["bytes"]) for r in s["rank"]))
                for s in stats["calls"]["sites"]}
    there, _ = figures(tmp_path, "a:2,b:1,c:1", PLACES, "counts")
    r = subprocess.run([UNISONO, "run", "-n", "4", f"--stats={tmp_path}/one.json", PLACES, "counts"], check=False)
    assert r.returncode == 0
    one = json.loads((tmp_path / "one.json").read_text())
    assert known(there) == known(one) and any("places.c:" in place for _, place, *_ in known(there))
    for mine, other in zip(there["calls"]["rank"], one["calls"]["rank"]):
        assert (mine["to"], mine["sizes"]) == (other["to"], other["sizes"])


def among(tries, attempt):
    """Return what the attempt yields, the first time that is true: a machine with other work makes others late."""
    return next(filter(None, (attempt() for _ in range(tries))), None)


@pytest.mark.parametrize("way", ["recorded", "unrecorded"])
@pytest.mark.parametrize("hosts", ["a:2,b:2", "a:1,b:2,a:1", "a,b,c,d"])
def test_straggler(tmp_path, hosts, way):
    """PE 2 comes 20 ms late to each reduction, and those on other machines wait for it as its neighbours do."""
    rounds = 20
    alone = ["sh", "-c", f"unset UNISONO_MPI_OBSERVE; exec {KNOWN} {rounds} 2 20000"]

    def attempt():
        stats, _ = figures(tmp_path, hosts, *([KNOWN, rounds, 2, 20000] if way == "recorded" else alone))
        late = [pe["waited_for_seconds"] for pe in stats["pe"]]
        return stats if stats["straggler"] == 2 and late[2] > sum(late) / 2 else None
    stats = among(4, attempt)
    assert stats and stats["pe"][2]["waited_for_seconds"] > 3 * rounds * 0.02 * 0.8
    assert (stats["calls"] is None) == (way == "unrecorded")
    if way == "unrecorded":
        return
    sites = stats["calls"]["sites"]
    first = next(wait for wait in stats["calls"]["waits"] if sites[wait["site"]]["function"] == "p_reduceAdd")
    assert (first["for_rank"], first["wait"], first["came_at_site"]) == (2, "late to the collective", first["site"])
    assert sorted(rank["rank"] for rank in first["rank"]) == [0, 1, 3]
    assert all(rank["seconds"] > rounds * 0.02 * 0.8 for rank in first["rank"])


def test_table():
    def attempt():
        r = run("first:2,other:2", "--stats", KNOWN, 10, 2, 50000)
        assert (r.returncode, r.stdout) == (0, "")
        return r if "PE 2 on other was waited for most: " in r.stderr else None
    r = among(4, attempt)
    lines = r.stderr.splitlines()
    assert re.fullmatch(r"unisono run: 4 PEs ran for \d+\.?\d* [a-z]*s; what they did and waited for:", lines[0])
    assert all(len(line) <= 80 for line in lines[:-1])
    assert re.search(r"^  p_reduceAdd +40 +\S+ m?s +\S+ ms$", r.stderr, re.M)
    rows = re.findall(r"^  (\d on \w+) .*?(#*)$", r.stderr, re.M)
    assert [name for name, _ in rows] == ["0 on first", "1 on first", "2 on other", "3 on other"]
    assert [len(bar) == 30 for _, bar in rows] == [False, False, True, False]
    assert lines[-1].startswith("  PE 2 on other comes late to p_reduceAdd at known.c:16, by ")
    # which PE 3 knows, and those on the other machine do not
    assert lines[-1].endswith(" of all waiting; it spends the time in the program before that call")


def test_page(tmp_path):
    """The page has the figures of the JSON."""
    stats, _ = figures(tmp_path, "a:2,b:1", "--html", tmp_path / "page.html", KNOWN, 5)
    text = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', (tmp_path / "page.html").read_text(), re.DOTALL)[1]
    assert json.loads(text) == stats


@pytest.fixture(scope="module")
def late(tmp_path_factory):
    """Programs of MPI in which rank 2 is late."""
    program = tmp_path_factory.mktemp("late") / "late"
    prefix = Path(subprocess.run([UNISONO, "mpi", "--prefix"], check=True, capture_output=True, text=True).stdout.strip())
    if os.environ["UNISONO_SANITIZE"] or not (prefix / "bin/mpicc").exists():
        pytest.skip("skipped: there is no MPI library, or others would have to link a sanitizer")
    subprocess.run([prefix / "bin/mpicc", "-g", "-O1", OBSERVE / "late.c", "-o", program], check=True)
    return program


@pytest.mark.parametrize("case, reason", [("sender", "late sender"), ("waitany", "late sender"), ("any", "late sender"),
                                          ("large", "late receiver"), ("bcast", "late root"), ("reduce", "late to the collective"),
                                          ("allreduce", "late to the collective"), ("between", "late to the collective")])
def test_mpi(tmp_path, late, case, reason):
    """The ranks, of a machine each, wait for rank 2 where it is late, also in collectives between two groups."""
    def attempt():
        calls = figures(tmp_path, "a,b,c,d", late, case)[0]["calls"]
        waits = [wait for wait in calls["waits"] if calls["sites"][wait["site"]]["function"] != "MPI_Finalize"]
        site = calls["sites"][waits[0]["site"]]
        named = (waits[0]["for_rank"], waits[0]["wait"]) == (2, reason) and site["waits"].keys() == {reason}
        return named and re.search(r"/late\.c:\d+$", site["place"]) and calls["member"] == "rank"
    assert among(4, attempt)


def test_forms(tmp_path, late):
    jsonschema = pytest.importorskip("jsonschema", reason="skipped: there is no jsonschema (Debian: python3-jsonschema)")
    checker = jsonschema.Draft7Validator(json.loads((SHARE / "stats.schema.json").read_text()))
    checker.validate(figures(tmp_path, "a:2,b:2", KNOWN, 5)[0])
    checker.validate(figures(tmp_path, "a:2,b:2", late, "ring")[0])


def test_a_job_that_fails(tmp_path):
    """The figures tell the operations of its PEs, and those out of which some had not come."""
    stats, _ = figures(tmp_path, "a:2,b:2", GROUPS, "wait:f", "wait:f", "wait:f", "kill:9", status=137)
    (wait,) = stats["operations"]
    assert (wait["name"], wait["count"]) == ("p_wait", 4) and 1 <= wait["unfinished"] <= 3
    assert [pe["checked_in"] for pe in stats["pe"]] == [True] * 4
    assert stats["pe"][3]["operations"] == 1


def test_a_machine_that_is_gone(tmp_path):
    """The figures of the others are there, and a line says whose are missing."""
    path = tmp_path / "stats.json"
    p = start("a:2,b:2", f"--stats={path}", GROUPS, *["tell"] * 4)
    assert [p.stdout.readline() for _ in range(4)] == ["ready\n"] * 4
    os.kill(agents(p)[1], 9)
    _, err = to_end(p)
    assert p.returncode == 1 and "unisono run: node b is gone: " in err, err
    assert "have nothing of the PEs on b, which is gone\n" in err
    stats = json.loads(path.read_text())
    assert [(pe["node"], pe["checked_in"], pe["operations"]) for pe in stats["pe"]] == [("a", True, 1)] * 2 + [("b", False, 0)] * 2


def test_a_coordinator_that_is_killed(tmp_path):
    """Where files must have a name until they are whole, nothing is left of it."""
    killer = os.environ.get("UNISONO_KILLER")
    if not killer:
        pytest.skip("skipped: the sanitizer's library must be the first that is loaded")
    p = start("a,b", f"--stats={tmp_path}/stats.json", GROUPS, "tell", "tell", env={"LD_PRELOAD": killer, "KILLER": "nameless"})
    assert [p.stdout.readline() for _ in range(2)] == ["ready\n"] * 2
    assert len(os.listdir(tmp_path)) == 1 and not (tmp_path / "stats.json").exists()
    os.kill(launcher_processes(p.pid)[-1], signal.SIGKILL)
    to_end(p)
    assert not os.listdir(tmp_path)


@pytest.mark.parametrize("arguments, message", [
    (["--stats=/nonexistent/x"], "unisono run: --stats=/nonexistent/x: cannot write this file: No such file or directory\n"),
    (["--html", "/nonexistent/x"], "unisono run: --html: /nonexistent/x: cannot create it: "),
])
def test_no_such_folder(arguments, message):
    """An error is told at once, and nothing starts."""
    r = run("a,b", *arguments, "sh", "-c", "echo started")
    assert r.returncode != 0 and r.stdout == "" and r.stderr.startswith(message), r.stderr


def test_nothing_is_recorded_without(tmp_path):
    r = run("a,b", "sh", "-c", 'echo "${UNISONO_MPI_OBSERVE-unset}"', env={"UNISONO_MPI_OBSERVE": "3:4:5:6"})
    assert r.stdout == "unset\nunset\n"
