"""Solvers on meshes, with more ranks than processors: in each iteration a rank exchanges values with its neighbours and gets one or two
sums of all. One is on a regular grid, the other on triangles (bench/library/mesh/). Beside the libraries stands the computation
alone: the same program without communication, which is the least that any library could take."""

import json
import statistics

from sides import cell, show, sides

PROGRAMS = {"structured": ("structured.c", "main.c", "rank.c"), "unstructured": ("unstructured.c", "triangles.c", "main.c", "rank.c")}
# The program, its size, and whether the goals are for it: the strong-scaling end, where a rank has hundreds of points.
CASES = [("structured", 64), ("structured", 128), ("structured", 256),
         ("unstructured", 1000), ("unstructured", 4000), ("unstructured", 16000)]
RANKS = (4, 8)
ITERATIONS, TURNS = 50, 20
SPINNING = 3, 1  # the same where an iteration takes tens of milliseconds
ALONE = "computation alone"
AGREE = 1e-6  # of a residual; sums are added in another order


def run(side, ranks, program, size, *more):
    iterations, turns = SPINNING if side.spins else (ITERATIONS, TURNS)
    result = json.loads(side.launch(ranks, [program, size, iterations, turns, *more]))
    return {"seconds": statistics.median(result["seconds"]), "least": min(result["seconds"]),
            "switches": result["switches"], "residual": result["residual"]}


def agree(rounds):
    """Whether all sides that have iterated as often say the same residual."""
    for spins in (False, True):
        residuals = [r["residual"] for side, found in rounds.items() for r in found if side.spins == spins]
        if residuals and max(residuals) - min(residuals) > AGREE * max(residuals):
            raise SystemExit(f"bench-library: the libraries do not agree: residuals {residuals}")


def measure_case(all_sides, programs, name, size, ranks, rounds):
    own = all_sides[0]
    alone, found = [], {side: [] for side in all_sides}
    for _ in range(rounds):
        alone.append(run(own, ranks, programs[own, name], size, "alone"))
        for side in all_sides:
            found[side].append(run(side, ranks, programs[side, name], size))
    agree(found)
    by_name = {ALONE: alone, **{side.name: results for side, results in found.items()}}
    return {"program": name, "size": size, "ranks": ranks,
            **{what: {side: [r[what] for r in results] for side, results in by_name.items()}
               for what in ("seconds", "least", "switches")}}


def text_of(row):
    cells = {side: cell(seconds, digits=1) for side, seconds in row["seconds"].items()}
    return f"{row['program']} {row['size']}, {row['ranks']} ranks", cells


def switches_of(row):
    cells = {side: f"{statistics.median(switches):.1f}" for side, switches in row["switches"].items() if side != ALONE}
    return f"{row['program']} {row['size']}, {row['ranks']} ranks", cells


def measure(rounds):
    all_sides = list(sides())
    programs = {(side, name): side.build(name, *(f"mesh/{source}" for source in sources))
                for side in all_sides for name, sources in PROGRAMS.items()}
    rows = [measure_case(all_sides, programs, name, size, ranks, rounds) for name, size in CASES for ranks in RANKS]
    names = [ALONE, *(side.name for side in all_sides)]
    print("us of one iteration, the median of all rounds (their least to their most), of each the median of its turns\n")
    show(names, [text_of(row) for row in rows])
    print("\nswitches of processes in one iteration, of all ranks together\n")
    show(names[1:], [switches_of(row) for row in rows])
    return {"iterations": ITERATIONS, "turns": TURNS, "spinning": SPINNING, "rows": rows}
