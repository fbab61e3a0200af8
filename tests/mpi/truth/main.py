"""Programs of others under `unisono run --stats`: calls and bytes by function, and messages and bytes to each rank, as
tests/mpi/observe/counts.c counts them, which stands between the program and the recording. The exit status is 1 if a
rank has other figures or a program a wrong result, and 77 if no program is here."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "bench/mpi"), str(HERE.parents[2] / "bench"), str(HERE.parent / "observe")]
import building  # noqa: E402  the folders are known only now
import fetched  # noqa: E402
from compared import counted, said  # noqa: E402
from debian import command  # noqa: E402
from hosts import UNISONO, Missing  # noqa: E402
from programs import WORK, is_newer  # noqa: E402

PROGRAMS = {**{f"{name.upper()}.{letter}": fetched.kernel(name, letter) for letter in "SW" for name in fetched.KERNELS},
            "LULESH": fetched.lulesh(10, 60), "HPCG": fetched.hpcg(16)}


def counter():
    """The library that counts."""
    source, path = HERE.parent / "observe/counts.c", WORK / "counts.so"
    if not is_newer(path, [source]):
        path.parent.mkdir(parents=True, exist_ok=True)
        command("mpicc.mpich", "-O1", "-shared", "-fPIC", "-o", path, source)
    return path


def differences(calls, folder, ranks):
    for rank in range(ranks):
        for what, recorded, right in zip(("", "to rank "), said(calls, rank), counted(folder, rank)):
            for key in sorted({*recorded, *right}):
                if recorded.get(key) != right.get(key):
                    yield f"  rank {rank}, {what}{key}: {recorded.get(key)} recorded, {right.get(key)} counted"


def run(program, ranks, seconds):
    """Return what was counted of a program, for each rank, and a line for each fault."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        words = [UNISONO, "run", "-n", ranks, f"--stats={folder / 'stats.json'}", "env", f"LD_PRELOAD={counter()}",
                 f"COUNTS={folder / 'counts'}", *program.command()]
        done = subprocess.run(list(map(str, words)), cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=seconds, check=False)
        if done.returncode:
            return [], [f"  exit status {done.returncode}\n{(done.stdout + done.stderr)[-1500:]}"]
        calls = json.loads((folder / "stats.json").read_text())["calls"]
        wrong = [] if program.is_right(done.stdout, folder) else ["  the program's own result is wrong"]
        return [counted(folder, rank) for rank in range(ranks)], [*wrong, *differences(calls, folder, ranks)]


def report(name, ranks, figures, faults):
    calls = sum(number for by_function, _ in figures for number, _ in by_function.values())
    messages, length = (sum(part[i] for _, to in figures for part in to.values()) for i in (0, 1))
    print(f"{'WRONG' if faults else 'ok'}: {name}, {ranks} ranks: {calls:,} calls, {messages:,} messages of {length:,} bytes in all",
          *faults, sep="\n", flush=True)


def arguments():
    parser = argparse.ArgumentParser(prog="script/mpi-truth", description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)} (all)")
    parser.add_argument("--ranks", type=int, metavar="N", help="one number of ranks only, of those that a program takes")
    parser.add_argument("--limit", type=int, default=300, metavar="SECONDS", help="for one run (300)")
    building.add_option(parser)
    options = parser.parse_args()
    unknown = [name for name in options.programs if name not in PROGRAMS]
    if unknown:
        parser.error(f"{', '.join(unknown)}: there are {', '.join(PROGRAMS)}")
    return options


def main():
    options = arguments()
    building.bring_up(options)
    runs = wrong = 0
    for name in options.programs or PROGRAMS:
        program = PROGRAMS[name]
        try:
            program.command()
        except Missing as missing:
            print(f"skipped: {name}: {missing}", flush=True)
            continue
        for ranks in program.ranks:
            if options.ranks in (None, ranks):
                figures, faults = run(program, ranks, options.limit)
                report(name, ranks, figures, faults)
                runs, wrong = runs + 1, wrong + bool(faults)
    print(f"{runs} runs, {wrong} with other figures than those counted, or with a wrong result")
    return 1 if wrong else 0 if runs else 77


if __name__ == "__main__":
    sys.exit(main())
