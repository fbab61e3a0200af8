"""Sorts in memory, by each side that was built (bench/sort/CMakeLists.txt), NumPy and Polars, in turns, with new data every time;
every result is checked. Writes a table, and JSON if asked for. Run by script/bench-sort."""

import argparse
from pathlib import Path

import workers

KINDS = {"u64": 8, "pair": 16, "u16": 8}


def summary(answers, before):
    """Of these answers and of what an earlier run had, if anything."""
    seconds = sorted([a["seconds"] for a in answers] + before.get("all", []))
    return {"min": seconds[0], "median": seconds[len(seconds) // 2], "max": seconds[-1],
            "stable": before.get("stable", True) and all(a["stable"] for a in answers), "all": seconds}


def measure(found, kind, distribution, records, options, before):
    """A row: `rounds` sorts by each side, and those of the same row before."""
    answers = {name: [] for name in found}
    for _ in range(options.rounds):
        for name, side in found.items():
            answers[name].append(side.measure(kind, distribution, records, options.threads))
    sides = dict(before["sides"]) if before else {}
    sides.update({name: summary(a, sides.get(name, {})) for name, a in answers.items() if a[0]})
    return {"kind": kind, "distribution": distribution, "records": records, "bytes": records * KINDS[kind], "sides": sides}


def write(path, rows, options):
    path.write_text(workers.figures.text(threads=options.threads, rows=rows))


def show(row):
    mine, others = row["sides"]["unisono"], {k: v for k, v in row["sides"].items() if k != "unisono"}
    best = min(others, key=lambda k: others[k]["min"], default=None)
    ratio = f"{others[best]['min'] / mine['min']:.2f} times {best}'s speed" if best else ""
    cells = "".join(f"  {k} {v['min']:.3f} ({v['median']:.3f})" for k, v in row["sides"].items())
    print(f"{row['kind']:5}{row['distribution']:9}{row['records']:>11,}{cells}  {ratio}", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="script/bench-sort", description=__doc__)
    parser.add_argument("--workers", type=Path, required=True, help="the folder of the programs")
    parser.add_argument("--sizes", default="u64:100000000,pair:100000000,u16:268435456", help="KIND:RECORDS,...")
    parser.add_argument("--distributions", default="uniform", help="uniform,sorted,reversed,equal,zipf,few")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sides", help="only these, NAME,...; all that were built")
    parser.add_argument("--json", type=Path, help="write all figures to this file after each row; the rounds that it has already are kept")
    options = parser.parse_args()
    rows = workers.earlier(options.json, options.threads)
    found = workers.start(options.workers, options.sides and options.sides.split(","))
    print("seconds: the least (the median)")
    for size in options.sizes.split(","):
        kind, records = size.split(":")
        for distribution in options.distributions.split(","):
            same = [row for row in rows if (row["kind"], row["distribution"], row["records"]) == (kind, distribution, int(records))]
            rows = [row for row in rows if row not in same]
            rows.append(measure(found, kind, distribution, int(records), options, same and same[0]))
            show(rows[-1])
            if options.json:
                write(options.json, rows, options)
    for side in found.values():
        side.end()


main()
