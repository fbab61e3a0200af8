"""OSU's benchmarks on the MPI library of unisono run, compiled by its mpicc, beside Open MPI and MPICH, each compiled by its own: every
program from 1 byte to 4 MB, a run of each side in turns. A cell is a program and a size; its ratio is the better peer's time
by the library's, or the library's rate by the better peer's: above 1 the library is faster. Of each side the best round counts.
Programs in which a cell seems slower than a peer are run again."""

import sys

import fill
from hosts import ROOT, Host, Missing, on_library, wheels
from programs import prebuilt

RATES = ("bw", "bibw", "mbw_mr")
PT2PT = ("latency", "multi_lat", *RATES)
BLOCKING = tuple("allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast gather gatherv reduce reduce_scatter "
                 "reduce_scatter_block scatter scatterv".split())
GROUPS = {"pt2pt": PT2PT, "blocking": BLOCKING, "nonblocking": tuple("i" + name for name in BLOCKING),
          "persistent": tuple(name + "_persistent" for name in BLOCKING if name != "reduce_scatter_block")}
LOW, AGAIN = 0.95, 2  # a cell below this is listed; times that a program with such a cell is run again


class Library(Host):
    """Our own, as one more host."""

    def __init__(self):
        mpicc = str(ROOT / "build/lib/unisono/mpi/bin/mpicc")
        super().__init__("unisono", "this library", "unisono", mpicc, mpicc, "the build")

    def command(self, ranks, program):
        return on_library(ranks, program)


def cells(name, output):
    """(Bytes, microseconds or MB/s) of each line. Nonblocking ones tell the time of the operation alone in their third column."""
    for line in output.splitlines():
        words = line.split()
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            continue
        if numbers and "barrier" in name:
            yield 0, numbers[2 if len(numbers) > 2 else 0]
        elif len(numbers) > 1:
            yield int(numbers[0]), numbers[3 if name in GROUPS["nonblocking"] else 1]


def ratio(row):
    """Of the best rounds of each side."""
    best = {side: (max if row["unit"] == "MB/s" else min)(rounds) for side, rounds in row["rounds"].items()}
    ours = best.pop("unisono")
    return ours / max(best.values()) if row["unit"] == "MB/s" else min(best.values()) / ours


def run(options, name, hosts, ranks, rows):
    """One more run of each side: its figures join those of the rows, by bytes."""
    sizes = [] if "barrier" in name else ["-m", "1:4194304"] if name in PT2PT else ["-m", "1:4194304", "-M", 1 << 30]
    for host in hosts:
        program = prebuilt(options.osu, host, "osu_" + name, None)
        for bytes, value in cells(name, host.launch(ranks, [program, "-i", options.iterations, "-x", 10, *sizes])):
            row = rows.setdefault(bytes, {"program": name, "ranks": ranks, "bytes": bytes, "unit": "MB/s" if name in RATES else "us",
                                          "rounds": {host.key: [] for host in hosts}})
            row["rounds"][host.key].append(value)


def measure_program(options, name, hosts, ranks):
    rows = {}
    for turn in range(options.rounds * (1 + AGAIN)):
        if turn >= options.rounds and min(map(ratio, rows.values())) >= LOW:
            break
        shift = turn % len(hosts)
        run(options, name, hosts[shift:] + hosts[:shift], ranks, rows)
    for row in rows.values():
        row["ratio"] = round(ratio(row), 3)
    return list(rows.values())


def size(bytes):
    return f"{bytes >> 20} MB" if bytes >= 1 << 20 else f"{bytes >> 10} KB" if bytes >= 1 << 10 else f"{bytes} B"


def table(results):
    """A row for each program: the cells below the goal, and the least ratio and the middle one."""
    programs, lines = {}, []
    for row in results["rows"]:
        programs.setdefault((row["program"], row["ranks"]), []).append(row)
    for (name, ranks), rows in programs.items():
        low = [f"{size(row['bytes'])} {row['ratio']:.2f}" for row in rows if row["ratio"] < LOW]
        ratios = sorted(row["ratio"] for row in rows)
        lines.append([f"osu_{name}", ranks, len(rows), f"{ratios[len(ratios) // 2]:.2f}", f"{ratios[0]:.2f}", ", ".join(low) or "none"])
    return fill.markdown(["program", "ranks", "sizes", "median ratio", "least", f"sizes below {LOW}"], lines)


def measure(options):
    hosts = [Library(), *wheels("bench-library")]
    wanted = [name for key, names in GROUPS.items() for name in names if key in options.programs or name in options.programs]
    results = {"iterations": options.iterations, "rows": []}
    for ranks in options.ranks:
        for name in wanted:
            try:
                rows = measure_program(options, name, hosts, ranks)
            except (Missing, RuntimeError) as why:
                sys.exit(f"bench-library: {why}")
            print(table({"rows": rows}).splitlines()[-1], flush=True)
            results["rows"] += rows
    if options.docs:
        options.docs.write_text(fill.filled(options.docs.read_text(), {"osu": table(results)}))
    return results
