"""How the time of a sort grows with the size: Unisono beside the copy-transfer model, both by `unisono model`, and beside
the other sides, in turns, with new data every time. The keys are spread evenly. Writes a table, JSON and a picture if
asked for. Run by script/bench-sort growth."""

import argparse
import json
import subprocess
from pathlib import Path

import workers

KEYS = ["u64", "u16"]
SIDES = ["ips4o", "ips2ra", "vqsort", "numpy"]
STEP = 1.2  # as much more than the model's own may the time grow from one size to the next
RECORDS_A_ROUND = 1 << 20  # small sorts are repeated in a round until they are so many


def model(unisono, records, threads, repetitions):
    """{key: (seconds by the model, seconds measured)}"""
    r = subprocess.run([unisono, "model", "-n", str(threads), "--megabytes", "1", "--records", str(records), "--repetitions",
                        str(repetitions), "--json"], capture_output=True, text=True, check=True)
    bytes_of_a_pe = 8 * records / threads
    return {sort["key"]: tuple(bytes_of_a_pe / sort["phases"]["sort"][what] / 1e6 for what in ("model", "measured"))
            for sort in json.loads(r.stdout)["sort"]["sorts"]}


def measure(sides, unisono, records, options):
    """{key: {side: least seconds}}"""
    repetitions = max(1, min(20, RECORDS_A_ROUND // records))
    least = {key: {} for key in KEYS}

    def note(key, name, seconds):
        least[key][name] = min(seconds, least[key].get(name, seconds))

    for _ in range(options.rounds):
        for key, (predicted, measured) in model(unisono, records, options.threads, max(3, repetitions)).items():
            note(key, "model", predicted)
            note(key, "unisono", measured)
        for key in KEYS:
            for name, side in sides.items():
                for _ in range(repetitions):
                    answer = side.measure(key, "uniform", records, options.threads)
                    if not answer:
                        break
                    note(key, name, answer["seconds"])
    return least


def add_steps(rows):
    """To each row by how much more the time has grown since the size before than the model says."""
    for key in KEYS:
        mine = [row for row in rows if row["key"] == key]
        for before, row in zip(mine, mine[1:]):
            grown = {name: row["seconds"][name] / before["seconds"][name] for name in ("unisono", "model")}
            row["step"] = grown["unisono"] / grown["model"]


def show(rows, sides):
    names = ["model", "unisono", *sides]
    print(f"{'ns a record':6}{'records':>14}" + "".join(f"{name:>9}" for name in names) + "     step beside the model's")
    for row in rows:
        cells = "".join(f"{row['seconds'][name] / row['records'] * 1e9:9.2f}" if name in row["seconds"] else " " * 9
                        for name in names)
        step = f"{row['step']:9.2f}{' *' if row['step'] > STEP else ''}" if "step" in row else ""
        print(f"{row['key']:11}{row['records']:>14,}{cells}{step}")


def main():
    parser = argparse.ArgumentParser(prog="script/bench-sort growth", description=__doc__)
    parser.add_argument("--workers", type=Path, required=True, help="the folder of the programs")
    parser.add_argument("--least", type=int, default=10, metavar="POWER", help="from 2^POWER records; 10")
    parser.add_argument("--most", type=int, default=28, metavar="POWER", help="to 2^POWER records; 28")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3, help="of which the least times count; 3")
    parser.add_argument("--json", type=Path, help="write all figures to this file; the sizes that it has already are kept")
    parser.add_argument("--plot", type=Path, help="draw a picture, as PNG; it needs matplotlib")
    options = parser.parse_args()
    rows, unisono = workers.earlier(options.json, options.threads), options.workers / "../../bin/unisono"
    sides = workers.start(options.workers, SIDES)
    for power in range(options.least, options.most + 1):
        least = measure(sides, unisono, 1 << power, options)
        rows = [row for row in rows if row["records"] != 1 << power]
        rows += [{"key": key, "records": 1 << power, "seconds": least[key]} for key in KEYS]
    for side in sides.values():
        side.end()
    rows.sort(key=lambda row: (KEYS.index(row["key"]), row["records"]))
    add_steps(rows)
    show(rows, sides)
    result = workers.figures.text(threads=options.threads, rounds=options.rounds, rows=rows)
    if options.json:
        options.json.write_text(result)
    if options.plot:
        subprocess.run(["/usr/bin/python3", "-B", Path(__file__).parent / "plot_growth.py", options.plot], input=result, text=True, check=True)


main()
