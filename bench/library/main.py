"""The MPI library of unisono run beside Open MPI and MPICH, alone and accelerated, and beside the engine's channel, which is below
it: messages and small collectives of 2 ranks, every side in turns, in one run, every result checked. Writes a table and JSON if asked
for. Run by script/bench-library."""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/mpi")]
import figures  # noqa: E402  the folders are known only now
import instructions  # noqa: E402
from hosts import Host, wheels  # noqa: E402

RANKS, TURNS = 2, 40
# What is shown, the operation, bytes of a message, repetitions in a turn.
ROWS = [("8 bytes, one way", "latency", 8, 2000), ("64 at a time, of 8 bytes", "rate", 8, 100),
        ("4 KB, one way", "latency", 1 << 12, 500), ("64 KB, one way", "latency", 1 << 16, 100),
        ("1 MB, one way", "latency", 1 << 20, 10), ("16 MB, one way", "latency", 1 << 24, 2),
        ("barrier", "barrier", 8, 2000), ("allreduce of 8 bytes", "allreduce", 8, 2000)]


class Side:
    def __init__(self, name, compiler, launch):
        self.name, self.launch = name, launch
        self.program = ROOT / "build/bench-library" / name.replace(" ", "-")
        self.program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([compiler, "-std=gnu17", "-O3", "-o", self.program, ROOT / "bench/library/operation.c"], check=True)

    def seconds(self, operation, bytes, repetitions):
        return float(self.launch([self.program, operation, bytes, repetitions, TURNS]))


class Channel:
    """The messages of the engine, without MPI."""

    name = "channel"

    def seconds(self, operation, bytes, repetitions):
        program = ROOT / "build/libexec/unisono/bench-channel"
        return float(by_unisono([program, operation, bytes, repetitions, TURNS])) if operation == "latency" else None


def by_unisono(program):
    command = [ROOT / "build/bin/unisono", "run", "-n", RANKS, *program]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120)
    if done.returncode:
        sys.exit(f"bench-library: {' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def sides():
    prefix = subprocess.run([ROOT / "build/bin/unisono", "mpi", "--prefix"], capture_output=True, text=True, check=True)
    yield Side("unisono", Path(prefix.stdout.strip()) / "bin/mpicc", by_unisono)
    yield Channel()
    for host in wheels("bench-library", Host.accelerator):
        for name, preload in ((host.abi, ()), (f"{host.abi} accelerated", [host.accelerator()])):
            yield Side(name, host.mpicc, lambda program, host=host, preload=preload: host.launch(RANKS, program, preload))


def cell(seconds):
    us = [s * 1e6 for s in seconds]
    return f"{statistics.median(us):.3f} ({min(us):.3f}-{max(us):.3f})"


def show(rows, names):
    print(f"us for one, the median of all rounds (their least to their most); {RANKS} ranks\n")
    print(f"{'':26}" + "".join(f"{name:>26}" for name in names))
    for row in rows:
        cells = (row["seconds"].get(name) for name in names)
        print(f"{row['name']:26}" + "".join((cell(s) if s else "").rjust(26) for s in cells))


def main():
    parser = argparse.ArgumentParser(prog="script/bench-library", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side (default 5)")
    parser.add_argument("--instructions", action="store_true", help="count those of an 8-byte MPI_Send instead, by gdb")
    options = parser.parse_args()
    if options.instructions:
        instructions.count(next(iter(sides())).program)
        return
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    all_sides = list(sides())
    rows = []
    for name, *what in ROWS:
        seconds = {side.name: [] for side in all_sides}
        for _ in range(options.rounds):
            for side in all_sides:
                seconds[side.name].append(side.seconds(*what))
        measured = {name: s for name, s in seconds.items() if s[0] is not None}
        rows.append({"name": name, "operation": what[0], "bytes": what[1], "seconds": measured})
    show(rows, [side.name for side in all_sides])
    if options.json:
        options.json.write_text(figures.text(ranks=RANKS, rounds=options.rounds, rows=rows))


main()
