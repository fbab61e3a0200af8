"""Pieces written to a file, and read from it, by the PEs of p_write, by dd, and by the ranks of MPI-IO under MPICH and Open MPI:
every side in turns, in one run, on a file of its own that is made anew each time; what was written is checked. Writes a table,
and JSON if asked for. Run by script/bench-files."""

import argparse
import functools
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/mpi")]
import figures  # noqa: E402  the folders are known only now
from hosts import wheels  # noqa: E402

HERE = Path(__file__).parent
# bytes of a piece: pieces of each PE; and by the ways of MPI in which all ranks meet
PIECES = {64: (200000, 500), 1 << 20: (64, 64)}


@functools.cache
def peers():
    """The MPI libraries that are there, each with the program that its compiler has built."""
    found = []
    for host in wheels("bench-files"):
        program = ROOT / "build/bench-files" / f"mpi-{host.abi}"
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([host.mpicc, "-std=gnu17", "-O3", "-o", program, HERE / "mpi.c"], check=True)
        found.append((host, program))
    return found


def run(command, environment=None):
    """Standard output and error, together."""
    done = subprocess.run([str(word) for word in command], env={**os.environ, **(environment or {})},
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"bench-files: {command[0]} ended with status {done.returncode}: {done.stdout}")
    return done.stdout


def by_unisono(pes, way, bytes, pieces, file):
    return float(run([ROOT / "build/bin/unisono", "run", "-n", pes, ROOT / "build/libexec/unisono/bench-files", file, way, bytes,
                      pieces]))


def by_dd(pes, way, bytes, pieces, file):
    ends = [f"of={file}", "if=/dev/zero"] if way == "write" else ["of=/dev/null", f"if={file}"]
    said = run(["dd", *ends, f"bs={bytes}", f"count={pieces * pes}"], {"LC_ALL": "C"})
    return float(re.search(r"copied, ([0-9.e-]+) s", said)[1])


def by_mpi(host, program, pes, way, bytes, pieces, file):
    return float(host.launch(pes, [program, file, way, bytes, pieces]))


def sides(bytes):
    """Name, function, way, pieces of each PE."""
    many, few = PIECES[bytes]
    yield "unisono", by_unisono, "write", many
    yield "dd", by_dd, "write", many
    for host, program in peers():
        by = functools.partial(by_mpi, host, program)
        yield f"{host.abi} independent", by, "write", many
        yield f"{host.abi} collective", by, "all", few
        yield f"{host.abi} ordered", by, "ordered", few
        yield f"{host.abi} read", by, "read", many
    yield "unisono read", by_unisono, "read", many
    yield "dd read", by_dd, "read", many


def check(file, pes, bytes, pieces):
    """Each piece begins with its number."""
    with open(file, "rb") as f:
        if os.fstat(f.fileno()).st_size != pes * bytes * pieces:
            sys.exit(f"bench-files: {file} has {os.fstat(f.fileno()).st_size} bytes")
        for number in range(pes * pieces):
            f.seek(number * bytes)
            if struct.unpack("=Q", f.read(8))[0] != number:
                sys.exit(f"bench-files: piece {number} of {file} is wrong")


def measure(pes, bytes, rounds, folder):
    """Seconds for each piece of each side, of each round."""
    seconds = {}
    ready = folder / "ready"
    by_unisono(pes, "write", bytes, PIECES[bytes][0], ready)
    for _ in range(rounds):
        for name, by, way, pieces in sides(bytes):
            file = ready if way == "read" else folder / "file"
            taken = by(pes, way, bytes, pieces, file)
            seconds.setdefault(name, []).append(taken / (pieces * pes))
            if way != "read":
                if name != "dd":
                    check(file, pes, bytes, pieces)
                file.unlink()
    ready.unlink()
    return seconds


def show(row):
    mine = {False: row["sides"]["unisono"], True: row["sides"]["unisono read"]}
    print(f"\n{row['pes']} PEs, pieces of {row['bytes']} bytes; times as fast as unisono writes, or reads")
    print(f"{'':22}{'us a piece: least':>18}{'median':>10}{'most':>10}{'MB/s':>8}{'ratio':>8}")
    for name, f in row["sides"].items():
        print(f"{name:22}{f['min'] * 1e6:18.3f}{f['median'] * 1e6:10.3f}{f['max'] * 1e6:10.3f}"
              f"{row['bytes'] / f['median'] / 1e6:8.0f}{mine['read' in name]['median'] / f['median']:8.2f}")


def main():
    parser = argparse.ArgumentParser(prog="script/bench-files", description=__doc__)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there")
    parser.add_argument("-n", dest="pes", default="2,4", help="numbers of PEs (default 2,4)")
    parser.add_argument("--bytes", default=",".join(map(str, PIECES)), help="of a piece (default 64,1048576)")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each side (default 5)")
    parser.add_argument("--folder", default=ROOT / "build", help="where the files are made (default build)")
    options = parser.parse_args()
    rows = []
    for pes in map(int, options.pes.split(",")):
        for bytes in map(int, options.bytes.split(",")):
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                samples = measure(pes, bytes, options.rounds, Path(folder))
            rows.append({"pes": pes, "bytes": bytes, "sides": {name: {**figures.spread(s), "all": s} for name, s in samples.items()}})
            show(rows[-1])
    if options.json:
        options.json.write_text(figures.text(rounds=options.rounds, rows=rows))


main()
