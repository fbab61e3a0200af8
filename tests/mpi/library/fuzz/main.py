"""script/fuzz: calls each function of the MPI library with one argument wrong. See --help, and generate.py."""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path.insert(0, str(ROOT / "bench"))
import building  # noqa: E402  the folder is known only now

SECONDS = 10  # for a call, which takes microseconds; under MPICH, where hundreds never end, PEER_SECONDS
PEER_SECONDS = 1

# Correct calls that still are errors: they come too late, after MPI_Init.
LATE = {"Abi_set_fortran_booleans": "ERR_ABI", "Abi_set_fortran_info": "ERR_ABI"}


class Case:
    def __init__(self, line):
        number, self.ranks, self.function, self.wrong = line.split(" ", 3)
        self.number = int(number)
        self.null = self.wrong.lower().endswith(" null") and " holds " not in self.wrong
        self.data = self.wrong.endswith(" NULL")  # of data
        named = self.wrong.endswith((" never made", " freed", " of another kind", " too large", " wild"))
        counted = "count" in self.wrong.split()[0] and self.wrong.endswith((" negative", " least"))
        # whatever the function, there must be an error; a status may say anything
        self.refused = self.data or (named or counted) and not self.function.startswith("Status_set_s")

    def __str__(self):
        return f"MPI_{self.function}: {self.wrong}"


class Program:
    """The fuzzer for a face, and how it is started with so many ranks."""

    def __init__(self, path, launch, folders=(), seconds=SECONDS):
        self.path, self.launch, self.seconds = str(path), launch, seconds
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, folders))} if folders else None
        listed = self.run([self.path, "list"])
        if listed.returncode:
            sys.exit(f"fuzz: {self.path} does not run: {listed.stderr}")
        self.cases = [Case(line) for line in listed.stdout.splitlines()]

    def run(self, command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, errors="replace", check=False)

    def start(self, ranks, mode, argument):
        """Return the log, the exit status, and the error output."""
        with tempfile.TemporaryDirectory() as folder:  # also for the files of the calls
            log = Path(folder) / "log"
            log.touch()
            done = self.run([*self.launch(ranks), self.path, mode, str(log), str(self.seconds), str(argument)])
            return log.read_text(), done.returncode, done.stderr

    def campaign(self, ranks):
        """Return the outcome of each case that so many ranks can make: a class of errors; or "crash" or "hang", and
        how."""
        wanted = {case.number: case for case in self.cases if case.ranks in ("12" if ranks == 1 else "2i")}
        outcome, first = {}, 0
        while True:
            log, status, said = self.start(ranks, "cases", first)
            lines = log.splitlines()
            outcome.update((int(words[0]), words[1]) for words in map(str.split, lines) if len(words) == 2)
            if lines and lines[-1] == "end" and status == 0:
                return {number: outcome[number] for number in wanted}
            if "end" in lines:
                sys.exit(f"fuzz: {self.path} has not ended well: {said}")
            last = next((int(line.split()[0]) for line in reversed(lines)), None)
            if last is None:
                sys.exit(f"fuzz: {self.path} does not begin, at case {first}: {said}")
            # it has ended in that case, or later, by its consequences
            outcome[last] = how_ended(status, said)
            first = last + 1


def how_ended(status, said):
    words = [line for line in said.splitlines() if line.startswith("unisono")]
    return ("hang" if status in (-14, 128 + 14, 125) else "crash") + f" (status {status}{': ' + words[0] if words else ''})"


# ---- the expectations of this library


def judge(case, outcome):
    """Return the fault in an outcome; or None."""
    if outcome.startswith(("crash", "hang")):
        return outcome
    if case.wrong == "right" and outcome != LATE.get(case.function, "SUCCESS"):
        return f"{outcome}, though nothing is wrong"
    if case.data and outcome != "ERR_BUFFER":
        return outcome
    if case.refused and outcome == "SUCCESS":
        return outcome
    return None


def calls(program, ranks):
    outcome = program.campaign(ranks)
    by_number = {case.number: case for case in program.cases}
    faults = [f"{by_number[n]}, {ranks} rank{'s' * (ranks > 1)}: {fault}" for n, o in outcome.items() if (fault := judge(by_number[n], o))]
    return outcome, faults


def in_parallel(each, things):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [fault for fault in pool.map(each, things) if fault]


def fatal(program, outcome):
    """Faults where an error ends the program: a line names the function and the argument. Of null pointers."""
    def one(case):
        _, status, said = program.start(1, "fatal", case.number)
        argument = case.wrong.split()[0]
        good = status == 1 and any(f"MPI_{case.function}:" in line and argument in line for line in said.splitlines())
        return None if good else f"{case}, fatal: status {status}: {said.strip()}"
    return in_parallel(one, [case for case in program.cases if case.null and case.ranks != "i" and outcome[case.number] != "SUCCESS"])


def outside(program, anytime):
    """Faults of calls before MPI_Init and after MPI_Finalize: those that may not come then say so."""
    def one(job):
        when, function = job
        written, status, said = program.start(1, when, function)
        if function.removesuffix("_c") in anytime:
            good = status == 0 and written
        else:
            good = status == 1 and f"MPI_{function} was called {'before MPI_Init' if when == 'early' else 'after MPI_Finalize'}" in said
        return None if good else f"MPI_{function}, {when}: status {status}: {said.strip()} {written}"
    names = dict.fromkeys(case.function for case in program.cases)
    return in_parallel(one, [(when, name) for when in ("early", "late") for name in names])


def anytime():
    """The functions that the table allows at any time."""
    rows = (ROOT / "mpi/library/table/functions.txt").read_text().splitlines()
    return {row[2:].split("(")[0].split()[-1] for row in rows if row[:2] in ("* ", "! ")}


def tell(name, program, alone=False):
    """Run everything for one face: the outcomes of the calls of one rank and of two, and the number of faults. alone:
    without the cases that need a program each."""
    counted, faults = collections.Counter(), []
    outcomes = {}
    for ranks in (1, 2):
        outcomes[ranks], wrong = calls(program, ranks)
        counted[f"{ranks} rank{'s' * (ranks > 1)}"] = len(outcomes[ranks])
        faults += wrong
    if alone:
        print("skipped: a program for each function and null pointer, which take minutes to start with a sanitizer")
    else:
        faults += fatal(program, outcomes[1]) if name == "own" else []  # what an error says is not a face's
        faults += outside(program, anytime())
    print(f"{name}: {counted['1 rank']} calls by one rank, {counted['2 ranks']} by two: {len(faults)} faults", flush=True)
    for fault in faults:
        print(f"    {fault}")
    return outcomes, len(faults)


# ---- the programs for all faces


def build(key, compiler, headers):
    folder = ROOT / "build" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    text = folder / f"{key}.c"
    with text.open("w") as out:
        subprocess.run([sys.executable, HERE / "generate.py", ROOT / "mpi/library/table", *headers], stdout=out, check=True)
    subprocess.run([compiler, "-w", "-o", folder / key, HERE / "fuzz.c", HERE / "objects.c", text], check=True)
    return folder / key


def peer(key):
    for folder in os.environ.get("UNISONO_PEERS", str(ROOT / ".peers")).split(":"):
        for path in (Path(folder), Path(folder) / key):
            if (path / "bin/mpicc").exists() and path.name == key:
                return path
    return None


def own(path, unisono):
    """A program for a face of this library."""
    def launch(ranks):
        return [unisono, "run", "-n", str(ranks)] if ranks > 1 else []
    folder = subprocess.run([unisono, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip()
    return Program(path, launch, (f"{folder}/lib", f"{folder}/lib/others"))


def of_face(key):
    """The fuzzer for one face of this library; or None: there is nothing to compile it with."""
    unisono, at = str(ROOT / "build/bin/unisono"), ROOT / "build/lib/unisono/mpi" if key == "own" else peer(key)
    headers = sorted((at / "include").glob("mpi*.h")) if at else []
    return own(build(key, at / "bin/mpicc", headers), unisono) if at else None


def beside_mpich(ours):
    """Run the same program under MPICH, whose errors show what can be detected. ours: the outcome of each case here."""
    at = peer("mpich")
    theirs = Program(ROOT / "build/fuzz/mpich", lambda ranks: [], [at / "lib"], PEER_SECONDS)
    outcome, names = theirs.campaign(1), {case.number: case for case in theirs.cases}

    def kind(text):
        return text.split()[0] if text.startswith(("crash", "hang", "SUCCESS")) else "an error"
    table = collections.Counter((kind(outcome[n]), kind(ours[n])) for n in ours)
    print("under MPICH    here       calls")
    for (there, here), count in sorted(table.items()):
        print(f"{there:14s} {here:10s} {count:5d}")
    for n in sorted(ours):
        if kind(outcome[n]) == "an error" and kind(ours[n]) == "SUCCESS" and names[n].wrong != "right":
            print(f"    an error under MPICH alone: {names[n]}: {outcome[n]}")
    return {str(names[n]): {"here": ours[n], "mpich": outcome[n]} for n in ours}


def main():
    parser = argparse.ArgumentParser(
        prog="script/fuzz", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Calls each function of the MPI library with one argument wrong at a time: null pointers, counts that are negative or\n"
                    "too large, ranks, roots and tags out of range, handles that are null, freed, never made or of another kind,\n"
                    "MPI_IN_PLACE and numbers that mean nothing; by one rank, collectives by two as well, through each face; with errors\n"
                    "that end the program; and each function before MPI_Init and after MPI_Finalize. Exit status 1: a call has crashed or\n"
                    "never ended, one with a null pointer for data is no MPI_ERR_BUFFER, one that is right is an error, or a message names\n"
                    "no function and argument.")
    parser.add_argument("faces", nargs="*", metavar="FACE", help="own, mpich, openmpi (all)")
    parser.add_argument("--mpich", action="store_true", help="the same calls under MPICH, beside (some minutes: hundreds never end there)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="with --mpich: write what has come of each call to FILE")
    parser.add_argument("--program", help=argparse.SUPPRESS)  # that the build has made for the one FACE: the test
    parser.add_argument("--calls", action="store_true", help=argparse.SUPPRESS)  # of it, without what needs a program for each
    building.add_option(parser)
    options = parser.parse_args()
    if options.program:
        sys.exit(tell(options.faces[0], own(options.program, os.environ["UNISONO"]), options.calls)[1] > 0)
    for face in options.faces:
        if face not in ("own", "mpich", "openmpi"):
            parser.error(f"no face {face}: there are own, mpich, openmpi")
    if (options.json or options.mpich) and options.faces and "mpich" not in options.faces or options.json and not options.mpich:
        parser.error("--mpich is for the face mpich, and --json for --mpich")
    building.bring_up(options)
    faults = 0
    for face in options.faces or ["own", "mpich", "openmpi"]:
        program = of_face(face)
        if not program:
            print(f"{face}: left out: there is no {face} to compile programs with (script/setup)")
            continue
        outcomes, wrong = tell(face, program)
        faults += wrong
        if face == "mpich" and options.mpich:
            found = beside_mpich(outcomes[1])
            if options.json:
                options.json.write_text(json.dumps(found, indent=0) + "\n")
    sys.exit(faults > 0)


main()
