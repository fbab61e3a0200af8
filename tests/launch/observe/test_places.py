"""--stats of programs of <papers.h>, messages and exchanges: the places of their calls, and for whom they waited."""

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from launcher import run

HERE, PLACES, LATE, N = Path(__file__).resolve().parent, os.environ["UNISONO_PLACES"], 2, 4
SOURCE = (HERE / "places.c").read_text().splitlines()
CASES = re.findall(r'\{"(\w+)", \1\}', "\n".join(SOURCE))
DEADLOCK = 125
TIMES = 4  # on a machine with other work a PE that is not to be late may be so
PYTHON = """import sys, time, unisono
me, n = unisono.rank(), unisono.size()
def late():
    if me == 2:
        time.sleep(0.02)
def meet():
    return unisono.reduce(1)
for i in range(8):
    late()
    if sys.argv[1] == "reduce":
        meet()
    elif sys.argv[1] == "recv" and me == 2:
        unisono.send_object("x", 1)
    elif sys.argv[1] == "recv" and me == 1:
        unisono.recv_object(2)
"""


def line(mark):
    return f"places.c:{next(i for i, text in enumerate(SOURCE, 1) if text.endswith(f'/* {mark} */'))}"


def recorded(folder, *command, options=(), status=0):
    """Return the report, and the calls in the file."""
    r = run("run", "-n", N, "--stats", f"--stats={folder}/stats.json", *options, *command)
    assert r.returncode == status, r.stderr
    return r.stderr, json.loads((folder / "stats.json").read_text())["calls"]


def wrong(table, calls, waits, late):
    """Say what a report has not named."""
    first, site = calls["waits"][0] if calls["waits"] else None, calls["sites"][0]
    if not first or first["for_rank"] != LATE:
        return "another PE is the first of those waited for"
    needed = [
        (site["place"].endswith(waits), "the first place is another one"),
        (calls["sites"][first["came_at_site"]]["place"].endswith(late), "it came to another place"),
        (f" at {waits}; PE {LATE}," in re.search(r"place; for whom it waited most\n(.*)\n", table)[1], "the table's first row names others"),
        (re.match(rf"PE {LATE} [\w.(), ]+ at {re.escape(late)}\b", calls["look_at"]), "the sentence names others"),
        (calls["look_at"] in table, "the sentence is missing in the table"),
    ]
    return next((what for right, what in needed if not right), None)


def check(folder, waits, late, *command, **words):
    for _ in range(TIMES):
        table, calls = recorded(folder, *command, **words)
        what = wrong(table, calls, waits, late)
        if not what:
            return calls
    return pytest.fail(f"{what}\n{table}")


@pytest.mark.parametrize("case", CASES)
def test_late(tmp_path, case):
    waits, late = (line(case),) * 2 if f"/* {case} */" in "\n".join(SOURCE) else (line(f"{case}: waits"), line(f"{case}: late"))
    assert check(tmp_path, waits, late, PLACES, case)["member"] == "PE"


def test_late_in_a_unit(tmp_path):
    """PEs that a simulated unit joins wait at the same places."""
    check(tmp_path, line("barrier"), line("barrier"), PLACES, "barrier", options=("--unit", "papers1"))


def test_folder_of_the_library_in_the_program(tmp_path, monkeypatch):
    """A program with DT_RPATH finds its library before LD_LIBRARY_PATH counts."""
    monkeypatch.setenv("ASAN_OPTIONS", "verify_asan_link_order=0")  # the library that records is loaded before
    r = subprocess.run(["readelf", "-d", f"{PLACES}-rpath"], capture_output=True, text=True, check=True)
    assert "(RPATH)" in r.stdout
    check(tmp_path, line("barrier"), line("barrier"), f"{PLACES}-rpath", "barrier")


def test_below_a_shell(tmp_path):
    check(tmp_path, line("message: waits"), line("message: late"), "sh", "-c", f"{PLACES} message; exit $?")


@pytest.mark.parametrize("mode, function, waits, late", [
    ("reduce", "reduce (p_reduceAdd)", 7, 7), ("recv", "recv_object (nprobe)", 15, 13)])
def test_python(tmp_path, mode, function, waits, late):
    """Lines of Python, also where the package's own functions lie in between, and names as Python has them."""
    if not importlib.util.find_spec("unisono"):
        pytest.skip("the package for Python is not built here")
    program = tmp_path / "late.py"
    program.write_text(PYTHON)
    calls = check(tmp_path, f"late.py:{waits}", f"late.py:{late}", sys.executable, program, mode)
    assert calls["sites"][0]["function"] == f"unisono.{function}"


def test_counts(tmp_path):
    """Every call, message and byte of each PE, and the groups."""
    _, calls = recorded(tmp_path, PLACES, "counts")
    of = {}
    for site in calls["sites"]:
        for part in site["rank"]:
            had = of.setdefault((site["function"], part["rank"]), [0, 0])
            had[0] += part["calls"]
            had[1] += part["bytes"]
    for k in range(N):
        before = (k - 1) % N
        assert of[("nwrite", k)] == [k + 1, 10 * k + 3]
        assert of[("nread", k)] == [before + 1, 0]
        assert of[("ntest", k)] == [1, 0]
        assert of[("p_reduceAdd", k)] == [N - k, 8 * (N - k)]
        assert of[("p_allToAll", k)] == [N - k, 8 * sum(range(k + 1, N + 1))]
        assert of[("p_wait", k)] == [1, 0]
        assert calls["rank"][k]["to"] == [{"rank": (k + 1) % N, "messages": k + 1, "bytes": 10 * k + 3}]
        assert calls["rank"][k]["calls"] == sum(count for (_, rank), (count, _) in of.items() if rank == k)
    groups = {group["name"]: (group["size"], group["calls"]) for group in calls["communicators"]}
    everybody = 2 * N + N + sum(of[(name, k)][0] for name in ("nwrite", "nread", "ntest") for k in range(N))
    assert groups == {"{0-3}": (4, everybody), "{0-2}": (3, 6), "{0-1}": (2, 4), "{0}": (1, 2)}


def test_one_call_that_sends_several_messages(tmp_path):
    _, calls = recorded(tmp_path, PLACES, "neighbours")
    assert all(rank["to"] == [{"rank": other, "messages": 1, "bytes": 5} for other in sorted((k ^ 1, k ^ 2))]
               for k, rank in enumerate(calls["rank"]))
    assert [site["bytes"] for site in calls["sites"] if site["function"] == "nbcast"] == [N * 2 * 5]


def test_lines_that_call_the_same_function_of_python(tmp_path):
    """It lies between the line and the library."""
    if not importlib.util.find_spec("unisono"):
        pytest.skip("the package for Python is not built here")
    program = tmp_path / "two.py"
    program.write_text("""import unisono
to = (unisono.rank() + 1) % unisono.size()
unisono.send_object(1, to)
unisono.send_object(2, to)
unisono.send_object(3, to); unisono.send_object(4, to)
for _ in range(4):
    unisono.recv_object()
""")
    _, calls = recorded(tmp_path, sys.executable, program)
    assert sorted((site["function"], int(site["place"].split(":")[-1]), site["calls"]) for site in calls["sites"]) == [
        ("unisono.recv_object (nprobe)", 7, 4 * N), ("unisono.recv_object (nread)", 7, 4 * N),
        ("unisono.send_object (nwrite)", 3, N), ("unisono.send_object (nwrite)", 4, N), ("unisono.send_object (nwrite)", 5, 2 * N)]


@pytest.mark.parametrize("level", ["O0", "O2"])
def test_overloads_of_cpp(tmp_path, level):
    """The place is the program's line, not one of papers/generic.h."""
    source = (HERE / "overloads.cc").read_text().splitlines()
    _, calls = recorded(tmp_path, f"{os.environ['UNISONO_OVERLOADS']}-{level}")
    assert {(site["function"], site["place"].rpartition("/")[2]) for site in calls["sites"]} == {
        (text.split()[-2], f"overloads.cc:{i}") for i, text in enumerate(source, 1) if text.endswith(" */") and i > 1}


def test_deadlock(tmp_path):
    """The report names the program's line, and not the library that records."""
    table, calls = recorded(tmp_path, PLACES, "deadlock", status=DEADLOCK)
    at = line("deadlock")
    assert len(re.findall(rf"missing: PE \d; called by deadlock at \S*{at}$", table, re.M)) == N
    assert calls["sites"][0]["place"].endswith(at) and calls["sites"][0]["unfinished"] == N


def test_job_within_a_job(tmp_path):
    """It records nothing into the memory of the outer one, and says nothing."""
    r = run("run", "-n", N, f"--stats={tmp_path}/stats.json", "sh", "-c",
            f"[ ${{UNISONO_JOB#*,}} = 0 ] || exit 0; {os.environ['UNISONO']} run -n {N} {PLACES} counts")
    assert (r.returncode, r.stdout) == (0, "") and "records no calls" not in r.stderr
    assert json.loads((tmp_path / "stats.json").read_text())["calls"] is None


def test_team(tmp_path):
    """The PEs of p_team are in no job of the launcher's, and are not recorded."""
    _, calls = recorded(tmp_path, PLACES, "threads")
    assert [(site["function"], site["calls"]) for site in calls["sites"]] == [("p_wait", N)]
