"""Solvers on meshes, with more ranks than processors: in each iteration a rank exchanges values with its neighbours and
gets one or two sums of all. One is on a regular grid, the other on triangles (bench/library/mesh/). Beside the
libraries stands the computation alone, the same program without communication, and the floor: that and the switches of
processes that no library can spare. In each meeting of an iteration every rank on a processor but the last one to come
has to give it away."""

import json
import os
import statistics
from functools import partial

import fill
import runner
from sides import compiled, sides

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
    return {"seconds": statistics.median(result["seconds"]), "switches": result["switches"], "residual": result["residual"]}


def spared_by_none(switch, name, ranks):
    """The seconds of the switches of an iteration: on this machine, on which ranks give a processor away that have none
    of their own."""
    here = -(-ranks // len(os.sched_getaffinity(0)))
    switches = MEETINGS[name] * (here - 1)
    return {"seconds": switches * float(runner.launch([switch, here])) if switches else 0}


def agree(residuals):
    """End if the residuals of sides that have iterated equally often differ."""
    if residuals and max(residuals) - min(residuals) > AGREE * max(residuals):
        raise SystemExit(f"bench-library: the libraries do not agree: residuals {residuals}")


def cases(options):
    every = list(sides())
    programs = {(side, name): side.build(name, *(f"mesh/{source}" for source in sources))
                for side in every for name, sources in PROGRAMS.items()}
    switch = compiled("switch", "switch.c")
    for name, size in CASES:
        for ranks in RANKS:
            yield {"program": name, "size": size, "ranks": ranks}, {
                ALONE: partial(run, every[0], ranks, programs[every[0], name], size, "alone"),
                FLOOR: partial(spared_by_none, switch, name, ranks),
                **{side.name: partial(run, side, ranks, programs[side, name], size) for side in every}}


def rows(what, samples):
    """The floor is the computation alone and the switches of the same round."""
    measured = runner.by_names(samples)
    seconds, switches, residuals = (measured[name] for name in ("seconds", "switches", "residual"))
    residuals.pop(ALONE)
    for spins in (False, True):
        agree([one for side, of_side in residuals.items() if side.startswith("mpich") == spins for one in of_side])
    floor = [sum(both) for both in zip(seconds[ALONE], seconds.pop(FLOOR))]
    switches.pop(ALONE)
    return [{**what, FLOOR: floor, "seconds": seconds, "switches": {side: statistics.median(s) for side, s in switches.items()}}]


def name_of(row, size):
    return f"{row['program']} {row['size']:{size}}, {row['ranks']} ranks"


def show(rows):
    sides = list(rows[0]["seconds"])
    yield ("us of one iteration, the median of all rounds (their least to their most), of each the median of its turns",
           [sides[0], FLOOR, *sides[1:]], [(name_of(row, ""), {side: runner.cell(seconds, digits=1) for side, seconds in (
               *row["seconds"].items(), (FLOOR, row[FLOOR]))}) for row in rows])
    yield ("switches of processes in one iteration, of all ranks together", sides[1:],
           [(name_of(row, ""), {side: f"{switches:.1f}" for side, switches in row["switches"].items()}) for row in rows])


def docs(rows):
    def us(seconds):
        return f"{statistics.median(seconds) * 1e6:,.1f}"

    names = list(rows[0]["seconds"])[1:]
    return {"mesh": fill.markdown(
        ["", "computation", FLOOR, *names, "openmpi accelerated by unisono", "switches here", "in openmpi accelerated"],
        [[name_of(row, ","), us(row["seconds"][ALONE]), us(row[FLOOR]), runner.cell(row["seconds"]["unisono"], digits=1),
          *(us(row["seconds"][name]) for name in names[1:]),
          runner.cell(runner.ratios(row["seconds"], "unisono", "openmpi accelerated"), 1, 2),
          *(f"{row['switches'][name]:.1f}" for name in ("unisono", "openmpi accelerated"))] for row in rows])}


BENCHMARK = runner.Benchmark(__doc__, cases, show, rows, docs=docs,
                             settings=lambda options: {"iterations": ITERATIONS, "turns": TURNS, "spinning": SPINNING})
