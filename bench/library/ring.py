"""A number that goes round all ranks: each waits for it by MPI_Recv, or looks for it by MPI_Iprobe or MPI_Test again and again. With
more ranks than processors a look in vain must let others run; the ratio to MPI_Recv shows whether it does."""

import fill
from sides import cell, show, sides

RANKS = (2, 4, 8)
WAYS = ("recv", "iprobe", "test")
ROUNDS, TURNS = 500, 20
SPINNING = 3, 3  # the same where a round takes tens of milliseconds
GOAL = 1.5


def run(side, program, ranks, way):
    rounds, turns = SPINNING if side.spins and ranks > 2 else (ROUNDS, TURNS)
    return float(side.launch(ranks, [program, way, rounds, turns]))


def ratios(row):
    """Of the times in the same round."""
    return {way: [s / recv for s, recv in zip(row["seconds"][way], row["seconds"]["recv"])] for way in WAYS[1:]}


def cells(row, digits):
    return [*(cell(row["seconds"][way], digits=digits) for way in WAYS), *(cell(r, 1, 2) for r in ratios(row).values())]


COLUMNS = ("by MPI_Recv", "by MPI_Iprobe", "by MPI_Test", "Iprobe by Recv", "Test by Recv")


def name(row):
    return f"{row['side']}, {row['ranks']} ranks"


def table(rows):
    """The rows for docs/mpi-library.md."""
    return fill.markdown(["", *COLUMNS], [[name(row), *cells(row, 2)] for row in rows])


def measure(rounds):
    programs = {side: side.build("ring", "ring.c") for side in sides() if "accelerated" not in side.name}
    rows = [{"side": side.name, "ranks": ranks, "seconds": {way: [] for way in WAYS}} for ranks in RANKS for side in programs]
    for _ in range(rounds):
        for row, (ranks, side) in zip(rows, [(ranks, side) for ranks in RANKS for side in programs]):
            for way in WAYS:
                row["seconds"][way].append(run(side, programs[side], ranks, way))
    print("us of a round, the median of all rounds (their least to their most), of each the median of its turns;\n"
          f"and the ratio to MPI_Recv in the same round, of which the goal is at most {GOAL}\n")
    show(COLUMNS, [(name(row), dict(zip(COLUMNS, cells(row, 2)))) for row in rows])
    return {"turns": TURNS, "each": ROUNDS, "spinning": SPINNING, "rows": rows}
