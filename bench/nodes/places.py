"""The memory that a PE and its node need for all other PEs of a job on two nodes, and the time from start to end. Eight
processes are PEs, which go through operations and messages; all others end at once."""

import time

import runner

NUMBERS = 128, 1024, 16384
WHAT = ("a PE at first", "a PE at the end", "shared on a node", "an agent")
MANY = runner.BUILD / "tests/hosts/many"
RSH = runner.ROOT / "tests/hosts/rsh"


def sample(n):
    began = time.monotonic()
    said = runner.launch([runner.UNISONO, "run", "--rsh", RSH, "--hosts", f"a:{n // 2},b:{n // 2}", "-n", 4, MANY,
                          ":", "-n", n - 8, "true", ":", "-n", 4, MANY])
    kib = [int(word) for word in said.split() if word.isdigit()]
    return {**{what: each / 1024 for what, each in zip(WHAT, kib)}, "seconds": time.monotonic() - began}


def cases(_):
    for n in NUMBERS:
        yield {"pes": n}, {"unisono": lambda n=n: sample(n)}


def show(rows):
    columns = [*WHAT, "seconds"]
    yield ("MiB of memory, and seconds of the whole job, the median (least to most)", columns,
           [(f"{row['pes']} PEs", [runner.cell(row[what]["unisono"], 1, 2) for what in columns]) for row in rows])


def part(settings):
    return runner.Benchmark(__doc__, cases, show, rounds=3, settings=settings)
