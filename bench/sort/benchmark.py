"""Sorts in memory, by each side that was built (bench/sort/CMakeLists.txt), NumPy and Polars, in turns, with new data
every time; every result is checked. The rounds that the file of figures has already are kept."""

from functools import partial
from pathlib import Path

import growth
import runner
import workers

KINDS = {"u64": 8, "pair": 16, "u16": 8}


def cases(options):
    with workers.started(options.workers, options.sides and options.sides.split(",")) as found:
        for size in options.sizes.split(","):
            kind, records = size.split(":")
            for distribution in options.distributions.split(","):
                yield ({"kind": kind, "distribution": distribution, "records": int(records), "bytes": int(records) * KINDS[kind]},
                       {name: partial(side.measure, kind, distribution, int(records), options.threads) for name, side in found.items()})


def rows(what, samples):
    """stable: the sides that have kept the order of equal keys every time."""
    return [{**what, "stable": [name for name, answers in samples.items() if all(a["stable"] for a in answers)],
             "seconds": {name: [a["seconds"] for a in answers] for name, answers in samples.items()}}]


def joined(before, row):
    """A row, with the rounds that it had before."""
    if not before:
        return row
    unstable = {name for one in (before, row) for name in one["seconds"] if name not in one["stable"]}
    seconds = {name: before["seconds"].get(name, []) + row["seconds"].get(name, []) for name in {**before["seconds"], **row["seconds"]}}
    return {**row, "stable": [name for name in seconds if name not in unstable], "seconds": seconds}


def show(rows):
    sides = list(dict.fromkeys(name for row in rows for name in row["seconds"]))
    lines = []
    for row in rows:
        least = {name: min(seconds) for name, seconds in row["seconds"].items()}
        mine = least.get("unisono")
        best = min((name for name in least if name != "unisono"), key=least.get, default=None)
        cells = {name: f"{least[name]:.3f} ({runner.quantile(seconds, 0.5):.3f})" for name, seconds in row["seconds"].items()}
        if mine and best:
            cells["ratio"] = f"{least[best] / mine:.2f} ({best})"
        lines.append((f"{row['kind']} {row['distribution']} {row['records']:,}", cells))
    yield "seconds: the least (the median); the ratio of the best other to unisono", [*sides, "ratio"], lines


def options(parser):
    workers.options(parser)
    parser.add_argument("--sizes", default="u64:100000000,pair:100000000,u16:268435456", help="KIND:RECORDS,...")
    parser.add_argument("--distributions", default="uniform", help="uniform,sorted,reversed,equal,zipf,few")
    parser.add_argument("--sides", help="only these, NAME,...; all that were built")


PARTS = {"memory": runner.Benchmark(__doc__, cases, show, rows, options, workers.settings, "sort", rounds=3, keep=joined),
         "growth": runner.Benchmark(growth.__doc__, growth.cases, growth.show, growth.rows, growth.options, workers.settings, rounds=3,
                                    keep=lambda before, row: row, arrange=growth.arranged, plot=Path(__file__).with_name("plot_growth.py"))}
