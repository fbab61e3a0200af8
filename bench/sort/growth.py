"""How the time of a sort grows with the size: Unisono beside the copy-transfer model, both by `unisono model`, and
beside the other sides, in turns, with new data every time. The keys are spread evenly. The sizes that the file of
figures has already are kept."""

import json
from functools import partial

import runner
import workers

KEYS = ["u64", "u16"]
SIDES = ["ips4o", "ips2ra", "vqsort", "numpy"]
STEP = 1.2  # as much more than the model's own may the time grow from one size to the next
RECORDS_A_ROUND = 1 << 20  # small sorts are repeated in a round until they are so many


def model(unisono, records, threads, repetitions):
    """{(key, "model" or "unisono"): seconds}"""
    said = runner.launch([unisono, "model", "-n", threads, "--megabytes", "1", "--records", records, "--repetitions", repetitions,
                          "--json"])
    bytes_of_a_pe = 8 * records / threads
    return {(sort["key"], name): bytes_of_a_pe / sort["phases"]["sort"][what] / 1e6
            for sort in json.loads(said)["sort"]["sorts"] for name, what in (("model", "model"), ("unisono", "measured"))}


def least(name, side, records, threads, repetitions):
    """{(key, name): seconds} of what the side has."""
    answers = {key: [side.measure(key, "uniform", records, threads) for _ in range(repetitions)] for key in KEYS}
    return {(key, name): min(a["seconds"] for a in of_key) for key, of_key in answers.items() if of_key[0]}


def cases(options):
    with workers.started(options.workers, SIDES) as sides:
        for power in range(options.least, options.most + 1):
            records = 1 << power
            repetitions = max(1, min(20, RECORDS_A_ROUND // records))
            yield {"records": records}, {
                "model": partial(model, options.workers / "../../bin/unisono", records, options.threads, max(3, repetitions)),
                **{name: partial(least, name, side, records, options.threads, repetitions) for name, side in sides.items()}}


def rows(what, samples):
    """The least of all rounds; a row for each key."""
    found = {}
    for of_side in samples.values():
        for (key, name), seconds in (item for sample in of_side for item in sample.items()):
            of_key = found.setdefault(key, {})
            of_key[name] = min(seconds, of_key.get(name, seconds))
    return [{"key": key, **what, "seconds": found[key]} for key in KEYS]


def arranged(rows):
    """Arrange the rows by size; each shows by how much more the time has grown since the size before than the model
    predicts."""
    rows = sorted(rows, key=lambda row: (KEYS.index(row["key"]), row["records"]))
    for key in KEYS:
        mine = [row for row in rows if row["key"] == key]
        for before, row in zip(mine, mine[1:]):
            grown = {name: row["seconds"][name] / before["seconds"][name] for name in ("unisono", "model")}
            row["step"] = grown["unisono"] / grown["model"]
    return rows


def show(rows):
    names = list(dict.fromkeys(name for row in rows for name in row["seconds"]))
    step = "step beside the model's"
    yield "ns a record", [*names, step], [
        (f"{row['key']} {row['records']:,}", {
            **{name: f"{seconds / row['records'] * 1e9:.2f}" for name, seconds in row["seconds"].items()},
            **({step: f"{row['step']:.2f}{' *' if row['step'] > STEP else ''}"} if "step" in row else {})})
        for row in rows]


def options(parser):
    workers.options(parser)
    parser.add_argument("--least", type=int, default=10, metavar="POWER", help="from 2^POWER records; 10")
    parser.add_argument("--most", type=int, default=28, metavar="POWER", help="to 2^POWER records; 28")
