"""`unisono bench mpi`: the layers of the MPI library, and the programs of the paper."""

import json
import os
import tempfile

from running import WRONG, bench, by_pattern, can_plot, check_figures, check_limit, check_picture, measured, skip

MPI_BYTES = [4, 8, 64, 256, 1024, 4000, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24]
# The sizes of a short run, which leaves out the largest.
PROGRAMS = {"jacobi": [16, 64, 256, 1024, 2048], "product": [16, 64, 256], "trapezoid": [16, 1000, 100000],
            "pi": [16, 1000, 100000]}
LAYERS = [("the channel", "the bare exchange"), ("MPI", "the channel"), ("MPI", "the bare exchange")]


def mpi_run(*options):
    """Check the figures of `unisono bench mpi`, and its output."""
    with tempfile.TemporaryDirectory() as folder:
        results = os.path.join(folder, "mpi.json")
        done = bench("mpi", "--seconds", "1", "--repetitions", "1", "--json", results, *options)
        if "built without its MPI library" in done.stderr:
            skip("this build has no MPI library")
        assert done.returncode == 0, done.stderr
        with open(results) as file:
            run = json.load(file)
    check_figures(run["results"])
    for row in run["limits"]:
        check_limit(row)
    layers = [row for row in run["overheads"] if row["operation"] == "ring"]
    assert [(r["bytes"], r["above"], r["below"]) for r in layers] == [(b, *names) for b in MPI_BYTES for names in LAYERS], layers
    assert all(row["rounds"][0] <= row["percent"] <= row["rounds"][1] for row in run["overheads"]), run["overheads"]
    paper = {(r["operation"], r["bytes"], r["pes"]): r["paper"] for r in run["overheads"] if r["paper"]}
    assert paper == {("ring", 4, 2): 481, ("ring", 4000, 2): 33, ("jacobi", 2048, 2): 5, ("jacobi", 2048, 4): 5}, paper
    goals = {row["goal"]: row for row in run["limits"]}
    assert len(goals) == len(run["limits"]) == 5 + 2 * sum(map(len, PROGRAMS.values())), len(goals)
    for goal, bound in (("8 bytes: MPI by the channel", 1.3), ("64 KB: MPI by the channel", 1.03),
                        ("a word: MPI by the bare exchange", 5.81), ("1,000 words: MPI by the bare exchange", 1.33)):
        assert abs(goals[goal]["bound"] - bound) < 1e-6 and goals[goal]["measured"] > 0, goals[goal]
    return run, goals, done


def check_programs(run, side):
    found = by_pattern(run, side)
    rows = [(row["program"], row["pes"], row["size"]) for row in run["speedups"] if row["side"] == side]
    for program, given in PROGRAMS.items():
        for pes in (2, 4):
            assert found[program, pes] == given, (side, program, found)
            assert [size for *key, size in rows if key == [program, pes]] == given, (side, rows)


def mpi():
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "mpi.png")
        plot = ["--plot", picture] if can_plot() else []
        run, goals, done = mpi_run("--peers", "none", *plot)
        assert not done.stderr, done.stderr
        if plot:
            check_picture(picture)
        else:
            print("skipped: the picture: /usr/bin/python3 has no matplotlib")
    check_programs(run, "unisono-mpi")
    for side in "bare", "channel":
        assert by_pattern(run, side)["jacobi", 4] == PROGRAMS["jacobi"], side
    assert all(row["measured"] is None for row in goals.values() if row["goal"].endswith("faster"))
    for needed in ("the channel above the bare exchange", "rMPI above its network, the paper", "Time by that of the bare exchange",
                   "Jacobi, a sweep, 4 PEs", "speed-up, Unisono MPI", "Not compared: MPICH: not asked for",
                   " 4000 B ", " 16 KB ", " 16 MB\n"):
        assert needed in done.stdout, (needed, done.stdout)


def mpi_peers():
    run, goals, _ = mpi_run()
    for line in run["absent"]:
        print(f"not compared: {line}")
    sides = {r["side"] for r in run["results"]} - {"unisono-mpi", "channel", "bare"}
    if not sides:
        skip("no MPI library to compare with was found when this was built")
    assert all(row["measured"] is not None for row in goals.values()), goals
    for side in sides:
        assert by_pattern(run, side)["ring", 2] == MPI_BYTES, side
        check_programs(run, side)


def mpi_wrong():
    for fault, message in (("bit", "ring of 2 PEs, message"), ("halo", "jacobi of 2 PEs, 16 x 16 cells"),
                           ("share", "product of 2 PEs, 16 x 16 numbers: row 15"), ("area", "trapezoid of 2 PEs"),
                           ("digit", "pi of 2 PEs")):
        done = bench("mpi", "--seconds", "1", "--repetitions", "1", "--peers", "none", program=WRONG, WRONG=fault)
        if "built without its MPI library" in done.stderr:
            skip("this build has no MPI library")
        assert done.returncode == 1 and not done.stdout, (fault, done)
        assert "wrong result from Unisono MPI" in done.stderr and message in done.stderr, (fault, done.stderr)
