"""Programs under `unisono run`: without anything, with their calls recorded, and those of MPI with mpiP preloaded (a
profiler of others, fetched by git). Every result is checked. The rounds that the file of figures has already are
kept."""

import random
import re
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import fetched
import fill
import runner
from debian import command
from hosts import ROOT, Missing

ALONE = "alone"
MPIP = "mpiP"
MESSAGE = "a message"
WAIT = "p_wait"
CALLS = {MESSAGE: 2, WAIT: 1}  # of what is short: on the way of a message, one at each end
# Other work on the machine makes samples longer, and none shorter: the quarter of a side that is shortest is compared.
QUARTER = 0.25


def preloaded(folder):
    return [], ["env", f"LD_PRELOAD={fetched.fetched('mpip') / 'libmpiP.so'}", f"MPIP=-f {folder}"]


# (folder for what it writes): the options of `unisono run`, and the words in front of the program.
SIDES = {ALONE: lambda folder: ([], []),
         "--stats": lambda folder: ([f"--stats={folder / 'stats.json'}"], []),
         "--trace": lambda folder: (["--trace", folder / "trace.json"], []),
         MPIP: preloaded}


def hpcg_seconds(output):
    """The seconds of its solver, as it measures them."""
    return float(re.search(r"Benchmark Time Summary::Total=([\d.e+-]+)", output)[1])


def lulesh_seconds(output):
    """It writes only hundredths of a second, but the time of an element and a step to more digits."""
    size, steps, grind = (float(re.search(form, output)[1]) for form in (
        r"Problem size +=\s+(\d+)", r"Iteration count +=\s+(\d+)", r"Grind time \(us/z/c\) +=\s+([\d.]+)"))
    return size ** 3 * steps * grind * 1e-6


# The seconds that a program tells of itself, and how it is started.
PROGRAMS = {"HPCG": (hpcg_seconds, fetched.hpcg(48)), "LULESH": (lulesh_seconds, fetched.lulesh(16, 200, (8,)))}


def compiled(name, compiler, source, *options):
    path = runner.BUILD / "bench-observe" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    command(compiler, "-std=gnu17", "-O3", "-o", path, ROOT / "bench" / source, *options)
    return path


def message():
    """The program that sends a message of 8 bytes there and back (bench/library)."""
    if not shutil.which("mpicc.mpich"):
        raise Missing("mpicc.mpich is not here (script/setup mpi)")
    return [compiled("message", "mpicc.mpich", "library/operation.c", "-pthread"), "latency", 8, 5000, 20]


def wait():
    lib = runner.BUILD / "lib"
    return [compiled("wait", "cc", "observe/wait.c", "-I", ROOT / "include", f"-L{lib}", "-lunisono", f"-Wl,-rpath,{lib}"), 20000, 20]


def call(words, ranks, side):
    """Seconds of one, which the program writes."""
    with tempfile.TemporaryDirectory() as folder:
        options, front = SIDES[side](Path(folder))
        output = runner.on_unisono(ranks, [*front, *words], options=options)
        return float(re.search(r"^[\d.]+$", output, re.MULTILINE)[0])  # mpiP writes to the output, too


def whole(name, ranks, side):
    """The seconds of a program, whose result is checked."""
    seconds, program = PROGRAMS[name]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        options, front = SIDES[side](folder)
        output = runner.on_unisono(ranks, ["env", "-C", folder, *front, *program.command()], options=options)
        if not program.is_right(output, folder):
            sys.exit(f"bench: {name}, {ranks} ranks, {side}: its result is wrong\n{output[-2000:]}")
        return seconds(output + "".join(path.read_text() for path in folder.glob(program.files or "none")))


def sides():
    try:
        fetched.fetched("mpip")
    except Missing as missing:
        print(f"bench: {MPIP} is left out: {missing}", file=sys.stderr)
        return [side for side in SIDES if side != MPIP]
    return list(SIDES)


def cases(options):
    found = sides()
    for name, words, ranks, those in ((MESSAGE, message, 2, found), (WAIT, wait, 1, [side for side in found if side != MPIP])):
        try:
            yield {"program": name, "ranks": ranks}, {side: partial(call, words(), ranks, side) for side in those}
        except Missing as missing:
            print(f"bench: {name} is left out: {missing}", file=sys.stderr)
    for name, (_, program) in PROGRAMS.items():
        try:
            program.command()
        except Missing as missing:
            print(f"bench: {name} is left out: {missing}", file=sys.stderr)
            continue
        for ranks in program.ranks:
            yield {"program": name, "ranks": ranks}, {side: partial(whole, name, ranks, side) for side in found}


def joined(before, row):
    """A row, with the rounds that it had before."""
    old = before["seconds"] if before else {}
    return {**row, "seconds": {side: old.get(side, []) + row["seconds"].get(side, []) for side in {**old, **row["seconds"]}}}


def cost(row, alone, seconds):
    """By how much a side takes longer than the program alone, in percent; of what is short, each of its calls in ns."""
    alone, seconds = (runner.quantile(samples, QUARTER) for samples in (alone, seconds))
    calls = CALLS.get(row["program"])
    return (seconds - alone) / calls * 1e9 if calls else (seconds / alone - 1) * 100


def cell(row, side):
    """The cost by all rounds, and from the 5th to the 95th of 100 of those by rounds that are drawn from them."""
    alone, seconds = row["seconds"][ALONE], row["seconds"][side]
    draw = random.Random(1)
    drawn = sorted(cost(row, draw.choices(alone, k=len(alone)), draw.choices(seconds, k=len(seconds))) for _ in range(1000))
    figures = cost(row, alone, seconds), drawn[50], drawn[949]
    digits, unit = (0, "ns") if row["program"] in CALLS else (1, "%")
    middle, low, high = (f"{figure:.{digits}f}" for figure in figures)
    return f"{middle} ({low} to {high}) {unit}"


def lines(rows):
    for row in rows:
        alone = runner.quantile(row["seconds"][ALONE], QUARTER)
        members = "1 PE" if row["program"] == WAIT else f"{row['ranks']} ranks"
        yield ([f"{row['program']}, {members}", f"{alone * 1e9:.0f} ns" if row["program"] in CALLS else f"{alone:.2f} s"],
               {side: cell(row, side) for side in row["seconds"] if side != ALONE})


def columns(rows):
    return list(dict.fromkeys(side for row in rows for side in row["seconds"] if side != ALONE))


def show(rows):
    yield ("The time alone; by how much longer it takes, and of a message and p_wait each call. Of each side that is the "
           "time that a quarter of its rounds kept; in brackets, between which two figures that lies in 90 of 100 draws of rounds",
           [ALONE, *columns(rows)], [(name, {ALONE: alone, **cells}) for (name, alone), cells in lines(rows)])


def docs(rows):
    return {"observe": fill.markdown(["", ALONE, *columns(rows)], [
        [*front, *(cells.get(side, "") for side in columns(rows))] for front, cells in lines(rows)], 1 + len(columns(rows)))}


PARTS = {"cost": runner.Benchmark(__doc__, cases, show, rounds=10, keep=joined, docs=docs)}
