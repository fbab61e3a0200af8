"""A number that goes round all ranks: each waits for it by MPI_Recv, or looks for it by MPI_Iprobe or MPI_Test again
and again. With more ranks than processors a look in vain must let others run; the ratio to MPI_Recv shows whether it
does."""

from functools import partial

import runner
from sides import sides

RANKS = (2, 4, 8)
WAYS = ("recv", "iprobe", "test")
ROUNDS, TURNS = 500, 20
SPINNING = 3, 3  # the same where a round takes tens of milliseconds
GOAL = 1.5


def run(side, program, ranks, way):
    rounds, turns = SPINNING if side.spins and ranks > 2 else (ROUNDS, TURNS)
    return float(side.launch(ranks, [program, way, rounds, turns]))


def cases(options):
    programs = {side: side.build("ring", "ring.c") for side in sides() if "accelerated" not in side.name}
    for ranks in RANKS:
        yield {"ranks": ranks}, {(side.name, way): partial(run, side, program, ranks, way) for side, program in programs.items()
                                 for way in WAYS}


def rows(what, samples):
    return [{"side": side, **what, "seconds": {way: samples[side, way] for way in WAYS}} for side in dict.fromkeys(s for s, _ in samples)]


def show(rows):
    yield (f"us of a round, the median of all rounds (their least to their most), of each the median of its turns;\n"
           f"and the ratio to MPI_Recv in the same round, of which the goal is at most {GOAL}",
           ["by MPI_Recv", "by MPI_Iprobe", "by MPI_Test", "Iprobe by Recv", "Test by Recv"],
           [(f"{row['side']}, {row['ranks']} ranks",
             [*(runner.cell(row["seconds"][way], digits=2) for way in WAYS),
              *(runner.cell(runner.ratios(row["seconds"], "recv", way), 1, 2) for way in WAYS[1:])]) for row in rows])


BENCHMARK = runner.Benchmark(__doc__, cases, show, rows, docs="ring",
                             settings=lambda options: {"turns": TURNS, "each": ROUNDS, "spinning": SPINNING})
