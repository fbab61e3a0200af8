"""The parts of the comparison. Each measures one host with one number of ranks, with the accelerator and without in
turn, and returns rows for the results, the missing parts, and the failures."""

import json
import shutil
import statistics
import time

import programs
from hosts import Missing

SIZES = [4 ** i for i in range(12)]  # 1 B to 4 MB
SLOW_SIZES = [1, 64, 4096, 65536, 1 << 20, 4 << 20]  # where a row of operations costs time slices
ALIKE = 0.98


# ---- our own timing: both sides in one run ---------------------------------------------------------------


def collectives(options, host, ranks, operations, sizes, *flags):
    milliseconds = options.milliseconds or (300 if host.spins(ranks) else 200)
    output = host.launch(ranks, [programs.ours(host, "collectives"), "--operations", ",".join(operations),
                                 "--bytes", ",".join(map(str, sizes)), "--milliseconds", str(milliseconds), *flags],
                         preload=[host.accelerator()], seconds=options.limit)
    rows = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    for row in rows:
        row["host"] = host.key
    return rows


def tables(options, host, ranks):
    """Tables I to IV of `001_...`, and the same operations with 8 bytes."""
    small = ["MPI_Allreduce", "MPI_Allgather"]
    rows = collectives(options, host, ranks, ["MPI_Barrier"], [0])
    rows += collectives(options, host, ranks, small, [1, 8, 16])
    rows += collectives(options, host, ranks, ["MPI_Bcast"], [1, 8, 100])
    return rows + collectives(options, host, ranks, ["MPI_Bcast"], [1, 8, 100], "--flag"), [], []


def pooled(a, b):
    """A cell measured twice: the least of all samples, for both sides alike."""
    for side in ("with", "without"):
        a[side]["least"] = min(a[side]["least"], b[side]["least"])
        a[side]["halves"] = [min(a[side]["halves"]), min(b[side]["halves"])]
        a[side]["median"] = min(a[side]["median"], b[side]["median"])
    a["samples"] += b["samples"]


def sizes(options, host, ranks):
    """Every operation and size, in rows with changing roots. What seems slower than the host is measured again."""
    rows = []
    for operation in options.operations or ("MPI_" + name for name in (
            "Barrier Bcast Reduce Allreduce Allgather Gather Scatter Alltoall Scan Exscan Reduce_scatter_block "
            "Reduce_scatter Allgatherv Gatherv Scatterv Alltoallv").split()):
        cells = collectives(options, host, ranks, [operation], SLOW_SIZES if host.spins(ranks) else SIZES, "--rotate")
        for _ in range(3):
            low = [cell for cell in cells if cell["without"]["least"] < ALIKE * cell["with"]["least"]]
            if not low:
                break
            again = collectives(options, host, ranks, [operation], [cell["bytes"] for cell in low], "--rotate")
            for cell, more in zip(low, again):
                pooled(cell, more)
        rows += cells
    return rows, [], []


# ---- applications ------------------------------------------------------------------------------------------


def scalapack_folder(order):
    """pdscaex's input: its own of 6 x 6, or one of a greater order; a grid of 3 x 2."""
    folder = programs.WORK / f"pdscaex-{order}"
    folder.mkdir(parents=True, exist_ok=True)
    block = 2 if order == 6 else 8
    (folder / "SCAEX.dat").write_text(f"'ScaLAPACK'\n'example'\n'SCAEX.out'\n6 device out\n{order} N\n1 NRHS\n"
                                      f"{block} NB\n3 NPROW\n2 NPCOL\n")
    if order == 6:
        for name in ("DSCAEXMAT.dat", "DSCAEXRHS.dat"):
            shutil.copy(programs.scalapack_source() / name, folder)
    else:
        values = (f"{(i * 37 + j * 11) % 17 + (order * 10 if i == j else 0)}.0D+0"
                  for j in range(order) for i in range(order))
        (folder / "DSCAEXMAT.dat").write_text(f"{order} {order}\n" + "\n".join(values) + "\n")
        (folder / "DSCAEXRHS.dat").write_text(f"{order} 1\n" + "\n".join(f"{i % 9}.0D+0" for i in range(order)) + "\n")
    return folder


def solution(folder):
    path = folder / "DSCAEXSOL.dat"
    return path.read_text() if path.exists() else ""


APPLICATIONS = {
    # name: (numbers of ranks, program and arguments, folder with its input)
    "cg-64": ((2, 4, 6), lambda host: [programs.ours(host, "cg"), 64], None),
    "pdscaex-6": ((6,), lambda host: [programs.pdscaex(host)], lambda: scalapack_folder(6)),
    "pdscaex-96": ((6,), lambda host: [programs.pdscaex(host)], lambda: scalapack_folder(96)),
    **{f"ksp-ex3-{m}": ((2, 4, 6), lambda host, m=m: [programs.ksp_ex3(host), "-m", m], None)
       for m in (5, 20, 50, 200)},
}


def answers(name, output, folder):
    output += solution(folder) if folder else ""
    if not output.strip():
        raise RuntimeError(f"{name}: no results in its output")
    return output


def agree(a, b):
    """Word for word, numbers to six digits or 1e-12: the order of a sum may differ."""
    one, other = a.replace("D+", "E+").replace("D-", "E-").split(), b.replace("D+", "E+").replace("D-", "E-").split()
    for x, y in zip(one, other):
        try:
            x, y = float(x.rstrip(",")), float(y.rstrip(","))
        except ValueError:
            if x != y:
                return False
        else:
            if abs(x - y) > max(1e-12, 1e-6 * max(abs(x), abs(y))):
                return False
    return len(one) == len(other)


def run_application(host, ranks, name, program, folder, side, limit):
    times = programs.WORK / "times"
    times.unlink(missing_ok=True)
    preload = [programs.ours(host, "timer.so")] + ([host.accelerator()] if side == "with" else [])
    environment = {"BENCH_MPI_TIMES": str(times), "OPENBLAS_NUM_THREADS": "1"}  # one thread a rank, as usual
    output = host.launch(ranks, program, preload, environment, folder, limit)
    lines = [line.split() for line in times.read_text().splitlines()]
    if len(lines) != ranks:
        raise RuntimeError(f"{name}: {len(lines)} ranks of {ranks} called MPI_Finalize")
    seconds = max(float(line[2]) for line in lines)
    inside = sum(float(line[3]) for line in lines) / ranks
    return answers(name, output, folder), {"seconds": seconds, "inside": inside,
                                           "calls": sum(int(line[4]) for line in lines) / ranks}


def application(options, host, ranks, name):
    _, make, make_folder = APPLICATIONS[name]
    program, folder = make(host), make_folder() if make_folder else None
    runs, results = {"with": [], "without": []}, {}
    start, rounds = time.monotonic(), 0
    while rounds < 3 or (rounds < options.runs and time.monotonic() - start < options.seconds):
        for side in ("with", "without") if rounds % 2 else ("without", "with"):
            result, run = run_application(host, ranks, name, program, folder, side, options.limit)
            if not agree(results.setdefault("first", result), result):
                raise RuntimeError(f"{name} under {host.name}, {ranks} ranks: other results {side} the accelerator:\n"
                                   f"{results['first'][:500]}\n{result[:500]}")
            results.setdefault(side, set()).add(result)
            runs[side].append(run)
        rounds += 1
    row = {"host": host.key, "ranks": ranks, "application": name, "same_bits": results["with"] == results["without"]}
    for side, list_of_runs in runs.items():
        row[side] = {"runs": len(list_of_runs)}
        for key in ("seconds", "inside"):
            values = sorted(run[key] for run in list_of_runs)
            quartiles = statistics.quantiles(values, n=4) if len(values) > 1 else [values[0]] * 3
            row[side][key] = {"median": statistics.median(values), "low": quartiles[0], "high": quartiles[2]}
        row[side]["calls"] = statistics.median(run["calls"] for run in list_of_runs)
        shares = [run["inside"] / run["seconds"] for run in list_of_runs]
        row[side]["share"] = statistics.median(shares)
    return [row]


def applications(options, host, ranks):
    rows, missing, failed = [], [], []
    for name, (counts, *_) in APPLICATIONS.items():
        if ranks in counts and (not options.applications or name in options.applications):
            try:
                rows += application(options, host, ranks, name)
            except Missing as why:
                missing.append(f"{name}: {why}")
            except RuntimeError as what:
                failed.append(str(what))
    return rows, missing, failed
