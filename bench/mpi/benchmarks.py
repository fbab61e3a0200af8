"""OSU's and Intel's benchmarks, unmodified: short runs, alone, accelerated and alone once more in turn, and one that
counts what the accelerator did. Operations of which a size seems slower, accelerated or alone, are run again. Every
size with as many ranks as processors; with more ranks 8 bytes, since a row of greater operations then tells mostly how
the system schedules."""

import json
import re
from functools import partial

import programs
import runner
from goals import ALIKE
from hosts import PROCESSORS

OSU = {"barrier": "MPI_Barrier", "allreduce": "MPI_Allreduce", "allgather": "MPI_Allgather", "bcast": "MPI_Bcast",
       "reduce": "MPI_Reduce", "gather": "MPI_Gather", "scatter": "MPI_Scatter", "alltoall": "MPI_Alltoall",
       "reduce_scatter": "MPI_Reduce_scatter", "reduce_scatter_block": "MPI_Reduce_scatter_block",
       "allgatherv": "MPI_Allgatherv", "gatherv": "MPI_Gatherv", "scatterv": "MPI_Scatterv", "alltoallv": "MPI_Alltoallv"}
IMB = {name: "MPI_" + name for name in ("Barrier", "Allreduce", "Allgather", "Allgatherv", "Bcast", "Reduce", "Gather",
                                        "Gatherv", "Scatter", "Scatterv", "Alltoall", "Alltoallv", "Reduce_scatter")}


def counted(host, ranks, program, environment, options):
    """{operation: (calls, accelerated ones)} by the accelerator's profile, of a run that is not timed."""
    path = programs.WORK / "profile"
    path.unlink(missing_ok=True)
    host.launch(ranks, program, [host.accelerator()], {**environment, "UNISONO_MPI_PROFILE": str(path)},
                seconds=options.limit)
    found = {}
    for row in json.loads(path.read_text())["collectives"]:
        calls, accelerated = found.get(row["name"], (0, 0))
        found[row["name"]] = calls + row["operations"], accelerated + row["accelerated"]
    if not any(accelerated for _, accelerated in found.values()):
        raise RuntimeError(f"{program[0]}, {host.name}, {ranks} ranks: no collective was accelerated")
    return found


SIDES = ("without", "with", "again")  # again: the host once more, for how much it differs from itself
AGAIN = 2  # times that what seems slower than the host is run again


def run_in_turn(options, host, ranks, program, environment, parse, found):
    def run(side):
        preload = [host.accelerator()] if side == "with" else []
        return list(parse(host.launch(ranks, program, preload, environment, seconds=options.limit)))

    for side, outputs in runner.turns({side: partial(run, side) for side in SIDES}, options.rounds).items():
        for cell, microseconds in (line for output in outputs for line in output):
            found.setdefault(cell, {side: [] for side in SIDES})[side].append(round(microseconds * 1e-6, 12))


def is_slower(sides):
    """Return true if either of the other sides seems slower than the host: both in the same way, so that they can be
    compared."""
    return all(sides.values()) and min(sides["without"]) < ALIKE * max(min(sides["with"]), min(sides["again"]))


def in_turn(options, host, ranks, operations, program_of, environment, parse):
    """Rows of the results, of what a program that has these operations prints."""
    found, counts = {}, counted(host, ranks, program_of(operations), environment, options)
    for _ in range(1 + AGAIN):
        run_in_turn(options, host, ranks, program_of(operations), environment, parse, found)
        slower = {operation for (operation, _), sides in found.items() if is_slower(sides)}
        operations = [operation for operation in operations if operation in slower]
        if not operations:
            break
    if not found:
        raise RuntimeError(f"{host.name}, {ranks} ranks: no figures in what the program printed")
    rows, missing = [], []
    for (operation, size), sides in found.items():
        if not all(sides.values()):  # IMB gives a size up once it has taken too long
            missing.append(f"{operation} of {size} bytes, {ranks} ranks: figures of one side only")
            continue
        calls, accelerated = counts.get(operation, (0, 0))
        row = {"host": host.key, "ranks": ranks, "operation": operation, "bytes": size, "calls": calls,
               "accelerated": accelerated}
        for side, figures in sides.items():
            row[side] = {"least": min(figures)}
        rows.append(row)
    return rows, missing


def limits(host, ranks):
    """Least and greatest size, iterations."""
    if ranks <= PROCESSORS:
        return 1, 1 << 22, 100
    return 8, 8, 20 if host.spins(ranks) else 500


def osu(options, host, ranks):
    rows, missing, failed = [], [], []
    low, high, iterations = limits(host, ranks)
    for name, operation in OSU.items():
        if options.operations and operation not in options.operations:
            continue

        def parse(output, name=name, operation=operation):
            for line in output.splitlines():
                words = line.split()
                if words and all(re.fullmatch(r"[0-9.]+", word) for word in words):
                    yield (operation, 0 if name == "barrier" else int(words[0])), float(words[-1])

        program = [programs.osu(options, host, "osu_" + name), "-i", iterations, "-x", iterations // 10]
        if name != "barrier":
            program += ["-m", f"{low}:{high}", "-M", 1 << 30]
        try:
            more, gone = in_turn(options, host, ranks, [operation], lambda _, program=program: program, {}, parse)
        except RuntimeError as what:
            failed.append(str(what))
        else:
            rows, missing = rows + more, missing + gone
    return rows, missing, failed


def imb(options, host, ranks):
    operations = [operation for operation in IMB.values() if not options.operations or operation in options.operations]
    if not operations:
        return [], [], []  # it would run everything
    binary, environment = programs.imb(options, host)
    low, high, iterations = limits(host, ranks)

    def parse(output):
        operation = None
        for line in output.splitlines():
            match = re.match(r"# Benchmarking (\w+)", line)
            operation = IMB.get(match[1], None) if match else operation
            words = line.split()
            if operation and words and re.fullmatch(r"[0-9. ]+", line):
                if operation == "MPI_Barrier":
                    yield (operation, 0), float(words[3])
                elif int(words[0]) >= low:  # it always starts with 0
                    yield (operation, int(words[0])), float(words[4])

    def program_of(operations):
        return [binary, *(name for name, operation in IMB.items() if operation in operations), "-npmin", ranks, "-iter",
                iterations, "-time", 5, "-msglog", f"{low.bit_length() - 1}:{high.bit_length() - 1}", "-mem", 2]

    return *in_turn(options, host, ranks, operations, program_of, environment, parse), []
