"""Operations, their tables and limits, and the options of `unisono bench`."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from patience import until
from running import (LIMITS, LONG, SHORT, UNISONO, WRONG, WRONG_LIMITS, bench, call, can_plot, check_figures, check_limit,
                     check_picture, figures_of, measured, skip)


def by_side(run):
    """{(side, PEs): {(operation, type)}}"""
    found = {}
    for r in run["results"]:
        found.setdefault((r["side"], r["pes"]), set()).add((r["operation"], r["type"]))
    return found


def check_tables(run, counts):
    check_figures(run["results"])
    assert [t["number"] for t in run["tables"]] == list(range(2, 21))
    assert sum(len(row["cells"]) for t in run["tables"] for row in t["rows"]) == 501
    columns = {(c["operation"], c["type"]) for t in run["tables"] for c in t["columns"]}
    assert len(columns) == 101
    found = by_side(run)
    for pes in counts:
        assert columns <= found["unisono", pes], columns - found["unisono", pes]
        assert {("p_match", "64"), ("p_matchCount", "64")} <= found["unisono", pes]
    for pes in counts:
        assert columns - found["bare", pes] == {(f"p_{name}", "") for name in (
            "enqueue", "population", "enumerate", "selectFirst", "selectOne")}


def tables():
    run = measured(*SHORT, "--peers", "none", "-n", "2,4")
    check_tables(run, (2, 4))
    row = run["tables"][0]["rows"][0]
    assert row["system"] == "Cray T3D" and row["cells"][1] == {"text": "1.7", "microseconds": 1.7}
    assert row["cells"][2] == {"text": "?", "microseconds": None}
    text = bench(*SHORT, "--peers", "none", "--tables", "5,20", "-n", "3")
    assert text.returncode == 0, text.stderr
    for needed in ("Table 5: ReduceAdd Operations (microseconds)", "Table 20: Voting Operations", "PVM 3",
                   "101,000*", "Unisono", "bare exchange, 3 PEs", "Not compared: MPICH: not asked for"):
        assert needed in text.stdout, (needed, text.stdout)
    assert "Table 6" not in text.stdout and not text.stderr, text.stderr


def threads():
    run = measured(*SHORT, "--peers", "none", "--unit", "thread", "-n", "1,3")
    assert run["unit"] == "thread"
    found = by_side(run)
    assert len(found["unisono", 1]) == 103 and len(found["unisono", 3]) == 103
    assert ("bare", 1) not in found and len(found["bare", 3]) == 98
    types = "8,8u,16,16u,32,32u,64,64u,f,d"
    run = measured(*SHORT, "--peers", "none", "--unit", "thread", "-n", "2", "--type", types)
    assert len(by_side(run)["unisono", 2]) == 11 + 14 * 10 + 4 * 8


def wrong():
    sides = ["--peers", "none", "-n", "4"]
    # A run ends at the first wrong result; a busy machine makes fewer than 100 operations in a short one.
    options = ["--seconds", "12", "--repetitions", "2", *sides]
    good = bench(*SHORT, *sides, "--op", "wait,reduceAdd,gather,any,bcast", "--type", "64,d,32", program=WRONG)
    assert good.returncode == 0, good.stderr
    for fault, operation, kind, message in (
            ("rare", "reduceAdd", "64", "p_reduceAdd64 of 4 PEs, operation"),
            ("stale", "gather", "d", "p_gatherd of 4 PEs, operation 0: PE"),
            ("lost", "bcast", "32", "PE 3 received 0x0 instead of"),
            ("barrier", "wait", "d", "p_wait of 4 PEs: PE")):
        done = bench(*options, "--op", operation, "--type", kind, program=WRONG, WRONG=fault)
        assert done.returncode == 1, (fault, done)
        assert "wrong result from Unisono wrong" in done.stderr and message in done.stderr, done.stderr
        assert not done.stdout, done.stdout
    done = bench(*options, "--op", "any", program=WRONG, WRONG="death")
    assert done.returncode == 1 and "Unisono wrong with 4 PEs broke off in p_any" in done.stderr, done


def options():
    for bad in (["-n", "0"], ["-n", "2,x"], ["-n", "65"], ["-n", "2,"], ["--tables", "1"], ["--tables", "9-3"],
                ["--tables", "2-"], ["--op", "foo"], ["--op", ""], ["--type", "33"], ["--unit", "gpu"],
                ["--seconds", "0"], ["--seconds", "1x"], ["--repetitions", "0"], ["--repetitions", "1.5"],
                ["--peers", "foo"], ["--json", "/nowhere/x"], ["--plot", "/nowhere/x"], ["extra"],
                ["--op", "reduceAnd", "--type", "f"], ["--op", "wait", "--tables", "5"]):
        done = bench(*bad)
        assert done.returncode == 2 and not done.stdout, (bad, done)
        assert done.stderr.startswith("unisono bench: ") and done.stderr.count("\n") == 1, (bad, done.stderr)
        assert bad[-1] in done.stderr or len(bad) > 2, (bad, done.stderr)
    for bad in (["--frobnicate"], ["-n"], ["--limits"]):
        assert bench(*bad).returncode == 2
    run = measured("--quick", "--seconds", "1", "--peers", "none", "-n", "2", "--op", "any")
    assert (run["seconds"], run["repetitions"]) == (1, 5), run
    done = bench("--quick", "--seconds", "1", "--peers", "none", "-n", "2", "--op", "any", "--json", "/dev/full")
    assert done.returncode == 1 and "cannot write /dev/full" in done.stderr, done
    done = bench("--help")
    assert done.returncode == 0 and done.stdout.startswith("Usage: unisono bench") and not done.stderr


def descendants():
    """Processes with a worker's path in their command line, launchers included."""
    folder = os.path.dirname(os.path.dirname(UNISONO))
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                line = file.read().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(b"unisono-bench-") for word in line) and folder.encode() in b" ".join(line):
            found.append((int(pid), b" ".join(line).decode()))
    return found


def start_long():
    run = subprocess.Popen([UNISONO, "bench", "--seconds", "100", "--op", "wait,reduceAdd", "-n", "4"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert until(lambda: len(descendants()) >= 9)  # launcher and 4 PEs, of two sides at least
    time.sleep(2)  # into the turns
    assert run.poll() is None, run.communicate()
    return run


def expect_nothing_left():
    assert until(lambda: not descendants()), descendants()


def interrupt():
    for number in (signal.SIGINT, signal.SIGTERM):
        run = start_long()
        run.send_signal(number)
        out, err = run.communicate(timeout=LONG)
        assert run.returncode == 128 + number and not out, (run.returncode, out)
        assert err == "unisono bench: interrupted\n", err
        assert not descendants(), descendants()
    run = start_long()
    run.kill()
    run.wait()
    expect_nothing_left()
    run = start_long()
    victim = next(pid for pid, line in descendants() if "bench-bare" in line)
    os.kill(victim, signal.SIGKILL)
    out, err = run.communicate(timeout=LONG)
    assert run.returncode == 1 and not out and "bare exchange with 4 PEs broke off in p_" in err, (out, err)
    assert not descendants(), descendants()


def parent_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        return int(file.read().rsplit(")", 1)[1].split()[1])


def strangers():
    """A command inherits by exec the children of the program before it. They, and their orphans, belong to nobody."""
    one = "sleep 300 >/dev/null 2>&1 & echo $!"
    for end in (None, signal.SIGINT, "guard", "driver"):
        run = subprocess.Popen(["bash", "-c", f"{one}; sh -c '{one}; sleep 0.2' & exec {UNISONO} bench --peers none -n 2 "
                                f"--op wait,reduceAdd --seconds {100 if end else 1}"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        sleeping = [int(run.stdout.readline()) for _ in range(2)]
        try:
            assert not end or until(lambda: len(descendants()) >= 5)  # a launcher, and 2 PEs of two sides
            if isinstance(end, signal.Signals):
                run.send_signal(end)
            elif end:
                sides = {pid for pid, _ in descendants()}
                driver = next(up for up in map(parent_of, sides) if up not in sides)
                os.kill(parent_of(driver) if end == "guard" else driver, signal.SIGKILL)
            out, err = run.communicate(timeout=LONG)
            assert run.returncode == {None: 0, signal.SIGINT: 130}.get(end, 137), (end, out, err)
            expect_nothing_left()
            for pid in sleeping:
                with open(f"/proc/{pid}/comm") as file:
                    assert file.read() == "sleep\n"
        finally:
            for pid in sleeping:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def peers():
    run = measured(*SHORT, "-n", "2,4", "--op", "wait,reduceAdd,scanAdd,bcast,rank,any", "--type", "64,d")
    for line in run["absent"]:
        print(f"not compared: {line}")
    sides = {r["side"] for r in run["results"]} - {"unisono", "bare"}
    if not sides:
        skip("no MPI library to compare with was found when this was built")
    check_figures(run["results"])
    for side in sides:
        for pes in (2, 4):
            assert len(by_side(run)[side, pes]) == 12 - 2, by_side(run)
            ratios = [r for r in run["ratios"] if r["peer"] == side and r["pes"] == pes]
            assert all(0 < r["rounds"][0] <= r["rounds"][1] for r in ratios), ratios
            if not any(others["disturb"] for others in run["others"]):  # or some are left out, as in busy()
                assert len(ratios) == 10 and sum(r["key"] for r in ratios) == 9
        starred = {r["operation"] for r in run["results"] if r["side"] == side and r["equivalent"]}
        assert starred == {"p_scanAdd", "p_rank"}, starred
    labels = {r["label"] for r in run["results"] if r["side"] in sides}
    print("compared with", ", ".join(sorted(labels)))
    assert all(any(c.isdigit() for c in label) for label in labels), labels


def busy():
    """Beside a busy loop on each processor a warning stands above the tables, and no ratio comes of disturbed
    samples."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in os.sched_getaffinity(0)]
    try:
        options = [*SHORT, "-n", "2", "--op", "wait,reduceAdd", "--type", "64"]
        shown = bench(*options)
        run = measured(*options)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    assert shown.returncode == 0 and shown.stderr == "", shown
    assert re.search(rf"^Warning: other programs used \d+\.\d of the {run['processors']} processors while 2 PEs were measured\.", shown.stdout,
                     re.M), shown.stdout
    others, = run["others"]
    assert others["pes"] == 2 and others["disturb"] and 0.05 * run["processors"] < others["processors"] <= run["processors"] + 0.1, others
    for ratio in run["ratios"]:
        for r in run["results"]:
            if (r["operation"], r["type"]) == (ratio["operation"], ratio["type"]) and r["side"] in ("unisono", ratio["peer"]):
                assert r["batches"] >= 8 and r["nanoseconds"]["median"] <= 2 * r["nanoseconds"]["minimum"], (ratio, r)


def found():
    """Workers that were built without a launcher, as a wheel's are, go with the MPI library whose mpirun is in PATH."""
    built = os.path.join(os.path.dirname(UNISONO), "../libexec/unisono")
    peers = [key for key in ("mpich", "openmpi") if os.path.exists(f"{built}/bench-{key}.json")]
    if not peers:
        skip("no MPI library to compare with was found when this was built")
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/libexec/unisono")
        os.makedirs(f"{folder}/bin")
        os.symlink(os.path.join(os.path.dirname(UNISONO), "../lib"), f"{folder}/lib")
        shutil.copy(UNISONO, f"{folder}/bin/unisono")
        for name in ["bench", "bench-bare", "bench-unisono", *(f"bench-{key}" for key in peers)]:
            shutil.copy(f"{built}/{name}", f"{folder}/libexec/unisono")
        launchers = {}
        for key in peers:
            with open(f"{built}/bench-{key}.json") as file:
                description = json.load(file)
            launchers[key], description["launch"][0] = description["launch"][0], "mpirun"
            with open(f"{folder}/libexec/unisono/bench-{key}.json", "w") as file:
                json.dump(description, file)
        options = [*SHORT, "-n", "2", "--op", "wait", "--json", "-"]
        for key, launcher in launchers.items():
            run = figures_of(bench(*options, program=f"{folder}/bin/unisono", PATH=f"{folder}:{os.path.dirname(launcher)}:/usr/bin:/bin"))
            assert key in {r["side"] for r in run["results"]}, run["absent"]
        run = figures_of(bench(*options, program=f"{folder}/bin/unisono", PATH=folder))
        assert {r["side"] for r in run["results"]} == {"unisono", "bare"}
        assert all("there is no mpirun of it in PATH" in line for line in run["absent"]), run["absent"]


def plot():
    if not can_plot():
        skip("/usr/bin/python3 has no matplotlib")
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "bench.png")
        done = bench(*SHORT, "--peers", "none", "-n", "2,3", "--plot", picture)
        assert done.returncode == 0, done.stderr
        check_picture(picture)
        done = bench(*SHORT, "--peers", "none", "-n", "2", "--op", "population", "--plot", picture)
        assert done.returncode == 1 and "nothing to draw" in done.stderr, done


def limits():
    figures = figures_of(call(LIMITS, "--seconds", "4", "--repetitions", "2", "--peers", "none", "--json", "-"))
    for row in figures["limits"]:
        check_limit(row)
    goals = {row["goal"]: row for row in figures["limits"]}
    assert len(goals) == len(figures["limits"])
    for goal in ("p_population", "p_enumerate", "p_selectFirst", "4 PEs: p_wait and 8-byte reductions",
                 "64 PEs: p_wait and 8-byte reductions",
                 "8 PEs: process switches of a p_wait, and the least possible",
                 "of a processor, by a PE that waits one second", "8 PEs on a mask of one processor"):
        assert goals[goal]["measured"] is not None, goals[goal]
    peers = [row for row in figures["limits"] if "MPI" in row["goal"]]
    assert peers and all(row["measured"] is None and row["note"].startswith("no ") for row in peers), peers
    check_figures(figures["results"])
    assert {r["pes"] for r in figures["results"]} == {2, 4, 8, 16, 64}
    assert {"awake", "switches"} <= {r["side"] for r in figures["results"]}
    done = call(WRONG_LIMITS, "--seconds", "2", "--repetitions", "1", "--peers", "none", WRONG="late")
    assert done.returncode == 1 and not done.stdout and "left it" in done.stderr, done
    assert "script/bench-limits: " in done.stderr, done
    for bad in (("-n", "2"), ("--json=/nowhere/figures.json",)):
        done = call(LIMITS, *bad)
        assert done.returncode == 2 and not done.stdout and done.stderr.startswith("script/bench-limits: "), done
