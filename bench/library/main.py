"""The MPI library of unisono run beside Open MPI and MPICH, alone and accelerated, every side in turns, in one run, every result
checked: messages and small collectives of 2 ranks, beside their floor (messages); solvers of more ranks than processors (mesh); a
ring of ranks that wait or look (ring); programs of others that look (polling); the time from MPI_Init to MPI_Finalize (start); and OSU's
benchmarks (osu). Writes a table and JSON if asked for. Run by
script/bench-library. What lies below the library is measured by `unisono bench mpi`."""

import argparse
import statistics
from pathlib import Path

import sides  # before the others: it knows where these are
import figures
import fill
import instructions
import mesh
import osu
import polling
import ring
import start

RANKS, TURNS = 2, 40
# What is shown, the operation, bytes of a message, repetitions in a turn.
ROWS = [("8 bytes, one way", "latency", 8, 2000), ("64 at a time, of 8 bytes", "rate", 8, 100),
        ("4 KB, one way", "latency", 1 << 12, 500), ("64 KB, one way", "latency", 1 << 16, 100),
        ("1 MB, one way", "latency", 1 << 20, 10), ("16 MB, one way", "latency", 1 << 24, 2),
        ("barrier", "barrier", 8, 2000), ("allreduce of 8 bytes", "allreduce", 8, 2000)]


class Messages:
    def __init__(self, side):
        self.name, self.side, self.program = side.name, side, side.build("operation", "operation.c")

    def seconds(self, operation, bytes, repetitions):
        return float(self.side.launch(RANKS, [self.program, operation, bytes, repetitions, TURNS]))


class Bare:
    """No library: two processes with cache lines between them. The floor for 8 bytes."""

    name = "bare"

    def seconds(self, operation, bytes, repetitions):
        program = sides.ROOT / "build/libexec/unisono/bench-library-bare"
        return float(sides.alone([program, operation, bytes, repetitions, TURNS])) if bytes == 8 else None


def messages(rounds):
    all_sides = [Messages(side) for side in sides.sides()]
    all_sides.insert(1, Bare())
    rows = []
    for name, *what in ROWS:
        seconds = {side.name: [] for side in all_sides}
        for _ in range(rounds):
            for side in all_sides:
                seconds[side.name].append(side.seconds(*what))
        measured = {name: s for name, s in seconds.items() if s[0] is not None}
        rows.append({"name": name, "operation": what[0], "bytes": what[1], "seconds": measured})
    print(f"us for one, the median of all rounds (their least to their most); {RANKS} ranks\n")
    sides.show([side.name for side in all_sides],
               [(row["name"], {name: sides.cell(s) for name, s in row["seconds"].items()}) for row in rows])
    print("\nThe time of others by that of unisono, of each round; the median, and from the least to the most\n")
    sides.show(RATIOS, [(row["name"], {name: sides.cell(r, 1, 2) for name, r in ratios(row["seconds"]).items()}) for row in rows])
    return {"ranks": RANKS, "rows": rows}


# What the time of unisono is compared with: the faster of two, round by round, since what a host does to a round it does to all sides.
RATIOS = {"the better by unisono": ("openmpi", "mpich"), "accelerated by unisono": ("openmpi accelerated", "mpich accelerated"),
          "mpich by unisono": ("mpich",)}


def ratios(seconds):
    return {name: [min(others) / own for own, *others in zip(seconds["unisono"], *(seconds[peer] for peer in peers))]
            for name, peers in RATIOS.items()}


def table(rows):
    """The rows of messages for docs/mpi-library.md, to three figures."""
    def cell(seconds):
        us = statistics.median(seconds) * 1e6
        return sides.cell(seconds, digits=3 if us < 1 else 2 if us < 10 else 1 if us < 100 else 0)

    names = list(rows[0]["seconds"])
    return fill.markdown(["", *names, *RATIOS], [
        [row["name"], *(cell(row["seconds"][n]) if n in row["seconds"] else "" for n in names),
         *(sides.cell(r, 1, 2) for r in ratios(row["seconds"]).values())] for row in rows])


PARTS = {"messages": messages, "mesh": mesh.measure, "ring": ring.measure, "start": start.measure}
WITH_OPTIONS = {"osu": osu.measure, "polling": polling.measure}
TABLES = {"messages": table, "mesh": mesh.table, "ring": ring.table, "polling": polling.table}


def main():
    parser = argparse.ArgumentParser(prog="script/bench-library", description=__doc__)
    parser.add_argument("part", nargs="?", choices=[*PARTS, *WITH_OPTIONS], default="messages", help="what to measure (default messages)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side (default 5)")
    parser.add_argument("--osu", metavar="FOLDER", type=Path, help="of osu: its benchmarks, which each library's mpicc has compiled: "
                        "FOLDER/unisono/**/osu_bcast, FOLDER/openmpi, FOLDER/mpich")
    parser.add_argument("--amg", metavar="FOLDER", type=Path, help="of polling: LLNL's AMG, which Open MPI's mpicc has compiled: "
                        "FOLDER/openmpi/**/amg")
    parser.add_argument("--programs", metavar="NAME,...", type=lambda text: text.split(","), default=["pt2pt", "blocking"],
                        help=f"of osu: {', '.join(osu.GROUPS)}, or bcast, ... (pt2pt,blocking)")
    parser.add_argument("--ranks", metavar="N,...", type=lambda text: [int(n) for n in text.split(",")], default=[RANKS], help="of osu (2)")
    parser.add_argument("--iterations", metavar="N", type=int, default=200, help="of osu: in a run, of one size (200)")
    parser.add_argument("--docs", metavar="FILE", type=Path, help="of messages, mesh, ring, polling and osu: fill the table of FILE, which is docs/mpi-library.md")
    parser.add_argument("--instructions", action="store_true", help="count those of an 8-byte MPI_Send instead, by gdb")
    options = parser.parse_args()
    if options.instructions:
        instructions.count(sides.own().build("operation", "operation.c"))
        return
    if options.rounds < 1:
        parser.error("--rounds is at least 1")
    if options.part == "osu" and not options.osu:
        parser.error("osu takes --osu FOLDER")
    result = (WITH_OPTIONS[options.part](options) if options.part in WITH_OPTIONS
              else PARTS[options.part](options.rounds))
    if options.docs and options.part in TABLES:
        options.docs.write_text(fill.filled(options.docs.read_text(), {options.part: TABLES[options.part](result["rows"])}))
    if options.json:
        options.json.write_text(figures.text(rounds=options.rounds, **result))


main()
