"""Solvers on meshes, with more ranks than processors: in each iteration a rank exchanges values with its neighbours and gets one or two
sums of all. One is on a regular grid, the other on triangles (bench/library/mesh/). Beside the libraries stands the computation
alone, the same program without communication, and the floor: that and the switches of processes that no library can spare. In each
meeting of an iteration every rank on a processor but the last one to come has to give it away."""

import json
import os
import statistics
import subprocess

import fill
import sides as libraries
from sides import cell, show, sides

PROGRAMS = {"structured": ("structured.c", "main.c", "rank.c"), "unstructured": ("unstructured.c", "triangles.c", "main.c", "rank.c")}
# The program, its size, and whether the goals are for it: the strong-scaling end, where a rank has hundreds of points.
CASES = [("structured", 64), ("structured", 128), ("structured", 256),
         ("unstructured", 1000), ("unstructured", 4000), ("unstructured", 16000)]
RANKS = (4, 8)
MEETINGS = {"structured": 2, "unstructured": 3}  # of neighbours, and of all for each sum
ITERATIONS, TURNS = 50, 20
SPINNING = 3, 1  # the same where an iteration takes tens of milliseconds
ALONE, FLOOR = "computation alone", "floor"
AGREE = 1e-6  # of a residual; sums are added in another order


def run(side, ranks, program, size, *more):
    iterations, turns = SPINNING if side.spins else (ITERATIONS, TURNS)
    result = json.loads(side.launch(ranks, [program, size, iterations, turns, *more]))
    return {"seconds": statistics.median(result["seconds"]), "least": min(result["seconds"]),
            "switches": result["switches"], "residual": result["residual"]}


def build_switch():
    program = libraries.BUILT / "switch"
    subprocess.run(["cc", "-O2", "-o", program, libraries.ROOT / "bench/library/switch.c"], check=True)
    return program


def floor(alone, switch, name, ranks):
    """Of this machine, on which ranks give a processor away that have none of their own."""
    here = -(-ranks // len(os.sched_getaffinity(0)))
    switches = MEETINGS[name] * (here - 1)
    return alone + (switches * float(libraries.alone([switch, here])) if switches else 0)


def agree(rounds):
    """Whether all sides that have iterated as often say the same residual."""
    for spins in (False, True):
        residuals = [r["residual"] for side, found in rounds.items() for r in found if side.spins == spins]
        if residuals and max(residuals) - min(residuals) > AGREE * max(residuals):
            raise SystemExit(f"bench-library: the libraries do not agree: residuals {residuals}")


def measure_case(all_sides, programs, switch, name, size, ranks, rounds):
    own = all_sides[0]
    alone, floors, found = [], [], {side: [] for side in all_sides}
    for _ in range(rounds):
        alone.append(run(own, ranks, programs[own, name], size, "alone"))
        floors.append(floor(alone[-1]["seconds"], switch, name, ranks))
        for side in all_sides:
            found[side].append(run(side, ranks, programs[side, name], size))
    agree(found)
    by_name = {ALONE: alone, **{side.name: results for side, results in found.items()}}
    return {"program": name, "size": size, "ranks": ranks,
            FLOOR: floors, **{what: {side: [r[what] for r in results] for side, results in by_name.items()}
                              for what in ("seconds", "least", "switches")}}


def text_of(row):
    cells = {side: cell(seconds, digits=1) for side, seconds in (*row["seconds"].items(), (FLOOR, row[FLOOR]))}
    return f"{row['program']} {row['size']}, {row['ranks']} ranks", cells


def table(rows):
    """The rows for docs/mpi-library.md."""
    def us(seconds):
        return f"{statistics.median(seconds) * 1e6:,.1f}"

    def ratio(row):
        own, peer = row["seconds"]["unisono"], row["seconds"]["openmpi accelerated"]
        return cell([p / o for o, p in zip(own, peer)], 1, 2)

    names = list(rows[0]["seconds"])[1:]
    return fill.markdown(
        ["", "computation", FLOOR, *names, "openmpi accelerated by unisono", "switches here", "in openmpi accelerated"],
        [[f"{row['program']} {row['size']:,}, {row['ranks']} ranks", us(row["seconds"][ALONE]), us(row[FLOOR]),
          cell(row["seconds"]["unisono"], digits=1), *(us(row["seconds"][name]) for name in names[1:]), ratio(row),
          *(f"{statistics.median(row['switches'][name]):.1f}" for name in ("unisono", "openmpi accelerated"))] for row in rows])


def switches_of(row):
    cells = {side: f"{statistics.median(switches):.1f}" for side, switches in row["switches"].items() if side != ALONE}
    return f"{row['program']} {row['size']}, {row['ranks']} ranks", cells


def measure(rounds):
    all_sides = list(sides())
    programs = {(side, name): side.build(name, *(f"mesh/{source}" for source in sources))
                for side in all_sides for name, sources in PROGRAMS.items()}
    switch = build_switch()
    rows = [measure_case(all_sides, programs, switch, name, size, ranks, rounds) for name, size in CASES for ranks in RANKS]
    names = [ALONE, FLOOR, *(side.name for side in all_sides)]
    print("us of one iteration, the median of all rounds (their least to their most), of each the median of its turns\n")
    show(names, [text_of(row) for row in rows])
    print("\nswitches of processes in one iteration, of all ranks together\n")
    show(names[2:], [switches_of(row) for row in rows])
    return {"iterations": ITERATIONS, "turns": TURNS, "spinning": SPINNING, "rows": rows}
