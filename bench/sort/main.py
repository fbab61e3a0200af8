"""Sorts in memory, by each side that was built (bench/sort/CMakeLists.txt) and NumPy, in turns, with new data every time;
every result is checked. Writes a table, and JSON if asked for. Run by script/bench-sort."""

import argparse
import json
from pathlib import Path

import workers

KINDS = {"u64": 8, "pair": 16, "u16": 8}


def summary(answers):
    seconds = sorted(a["seconds"] for a in answers)
    return {"min": seconds[0], "median": seconds[len(seconds) // 2], "max": seconds[-1],
            "stable": all(a["stable"] for a in answers), "all": seconds}


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
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    options = parser.parse_args()
    found, rows = workers.start(options.workers), []
    print("seconds: the least (the median)")
    for size in options.sizes.split(","):
        kind, records = size.split(":")
        for distribution in options.distributions.split(","):
            answers = {name: [] for name in found}
            for _ in range(options.rounds):
                for name, side in found.items():
                    answers[name].append(side.measure(kind, distribution, int(records), options.threads))
            rows.append({"kind": kind, "distribution": distribution, "records": int(records),
                         "bytes": int(records) * KINDS[kind],
                         "sides": {name: summary(a) for name, a in answers.items() if a[0]}})
            show(rows[-1])
    for side in found.values():
        side.end()
    if options.json:
        options.json.write_text(json.dumps({"machine": workers.machine(),
                                            "threads": options.threads, "rounds": options.rounds, "rows": rows}, indent=1) + "\n")


main()
