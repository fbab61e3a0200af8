"""`unisono bench vertex`: messages."""

import json
import os
import tempfile

from running import WRONG, bench, by_pattern, can_plot, check_figures, check_limit, check_picture, measured, skip

PICTURES = ("sobel", "sobelKnown", "sobelParts", "sobelFirst")
ALL_BYTES = [0, 8, 64, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24]


def check_vertex(run):
    check_figures(run["results"])
    found = by_pattern(run, "unisono")
    for pattern in ("ring", "ringKnown"):
        assert found[pattern, 2] == ALL_BYTES, found
    for pattern in ("stream", "streamKnown"):
        assert set(found[pattern, 2]) >= {1 << 12, 1 << 16, 1 << 20, 1 << 24}, found
    for pes in (4, 8):
        for pattern in ("ring", "ringKnown", "swap", "swapKnown"):
            assert found[pattern, pes] == [0, 8, 64], found
    for pes, edges in ((2, [512, 4096]), (4, [32, 64, 128, 1024]), (16, [32, 64, 128, 1024])):
        for pattern in PICTURES:
            assert found[pattern, pes] == edges, found
    assert found["sobelWhole", 2] == [512, 4096]
    for row in run["limits"]:
        check_limit(row)
    goals = {row["goal"]: row for row in run["limits"]}
    assert len(goals) == len(run["limits"]) == 22 + 24 + 7 + 2, len(goals)
    for fit in run["fits"]:
        assert fit["m"] > 0 and fit["m_large"] > 0 and fit["worst_deviation"] >= 0, fit
    return goals


def vertex():
    with tempfile.TemporaryDirectory() as folder:
        results, picture = os.path.join(folder, "vertex.json"), os.path.join(folder, "vertex.png")
        plot = ["--plot", picture] if can_plot() else []
        done = bench("vertex", "--seconds", "6", "--repetitions", "2", "--peers", "none", "--json", results, *plot)
        assert done.returncode == 0 and not done.stderr, done.stderr
        if plot:
            check_picture(picture)
        else:
            print("skipped: the picture: /usr/bin/python3 has no matplotlib")
        with open(results) as file:
            run = json.load(file)
    for needed in ("Table 1: ring messages", "466.40", "Table 2: t'comm", "IHOS", "5960", "Table 3: Sobel edge",
                   "NCUBE, 16 PEs, 32 x 32", "Unisono, 16 PEs, 32 x 32", "bare exchange",
                   "speed-up by that of two serial runs at once", "Not compared: MPICH: not asked for"):
        assert needed in done.stdout, (needed, done.stdout)
    goals = check_vertex(run)
    assert all(row["measured"] is None for row in goals.values() if "peer" in row["goal"] or "MPI" in row["goal"])
    assert all(row["measured"] is not None for row in goals.values()
               if "peer" not in row["goal"] and "MPI" not in row["goal"]), goals
    assert [(fit["side"], fit["protocol"]) for fit in run["fits"]] == [
        ("unisono", "standard"), ("unisono", "extended"), ("bare", "standard")], run["fits"]
    assert len(run["detector"]) == 2 + 2 * 4
    for row in run["detector"]:
        assert row["alone"] > 0 and row["calculating"] > 0 and all(t > 0 for t in row["execution"]), row
        assert all(g <= 1 for g in row["gamma"]) or row["calculating"] > min(row["execution"]), row


def vertex_peers():
    run = measured("vertex", "--seconds", "3", "--repetitions", "1")
    for line in run["absent"]:
        print(f"not compared: {line}")
    sides = {r["side"] for r in run["results"]} - {"unisono", "bare"}
    if not sides:
        skip("no MPI library to compare with was found when this was built")
    goals = check_vertex(run)
    assert all(row["measured"] is not None for row in goals.values() if "peer" in row["goal"]), goals
    for side in sides:
        found = by_pattern(run, side)
        assert found["ring", 2] == found["ringKnown", 2] == ALL_BYTES, found
        assert found["swap", 8] == found["swapKnown", 8] == [0, 8, 64], found
        assert found["sobelKnown", 16] == [32, 64, 128, 1024], found


def vertex_wrong():
    for fault, message in (("bit", "ring of 2 PEs, message "), ("tail", "ringKnown of 2 PEs, message ")):
        done = bench("vertex", "--seconds", "2", "--repetitions", "1", "--peers", "none", program=WRONG, WRONG=fault)
        assert done.returncode == 1 and not done.stdout, (fault, done)
        assert "wrong result from Unisono wrong" in done.stderr and message in done.stderr, done.stderr
    done = bench("vertex", "--seconds", "2", "--repetitions", "1", "--peers", "none", program=WRONG, WRONG="edge")
    assert done.returncode == 1 and "sobel" in done.stderr and "in row" in done.stderr, done


def vertex_options():
    for bad in (["-n", "2"], ["--limits"], ["--op", "wait"], ["--seconds", "0"], ["--repetitions", "1.5"],
                ["--peers", "foo"], ["--json", "/nowhere/x"], ["--plot", "/nowhere/x"], ["extra"]):
        done = bench("vertex", *bad)
        assert done.returncode == 2 and not done.stdout and done.stderr.startswith("unisono bench"), (bad, done)
    done = bench("vertex", "--help")
    assert done.returncode == 0 and done.stdout.startswith("Usage: unisono bench vertex") and not done.stderr
