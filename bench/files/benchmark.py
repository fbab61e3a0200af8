"""Pieces written to a file, and read from it, by the PEs of p_write, by dd, and by the ranks of MPI-IO under MPICH and
Open MPI: every side in turns, in one run, on a file of its own that is made anew each time; the written data are
checked."""

import os
import re
import statistics
import struct
import subprocess
import sys
import tempfile
from functools import cache, partial
from pathlib import Path

import runner
from hosts import wheels
from report import size_text

HERE = Path(__file__).parent
# bytes of a piece: pieces of each PE; and by the ways of MPI in which all ranks meet
PIECES = {64: (200000, 500), 1 << 20: (64, 64)}


@cache
def peers():
    """The MPI libraries that are there, each with the program that its compiler has built."""
    found = []
    for host in wheels("bench-files"):
        program = runner.BUILD / "bench-files" / f"mpi-{host.abi}"
        program.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([host.mpicc, "-std=gnu17", "-O3", "-o", program, HERE / "mpi.c"], check=True)
        found.append((host, program))
    return found


def by_unisono(pes, way, bytes, pieces, file):
    return float(runner.on_unisono(pes, [runner.LIBEXEC / "bench-files", file, way, bytes, pieces]))


def by_dd(pes, way, bytes, pieces, file):
    ends = [f"of={file}", "if=/dev/zero"] if way == "write" else ["of=/dev/null", f"if={file}"]
    said = runner.launch(["sh", "-c", '"$@" 2>&1', "sh", "dd", *ends, f"bs={bytes}", f"count={pieces * pes}"], {"LC_ALL": "C"})
    return float(re.search(r"copied, ([0-9.e-]+) s", said)[1])


def by_mpi(host, program, pes, way, bytes, pieces, file):
    return float(host.launch(pes, [program, file, way, bytes, pieces]))


def sides(bytes):
    """Name, function, way, pieces of each PE."""
    many, few = PIECES[bytes]
    yield "unisono", by_unisono, "write", many
    yield "dd", by_dd, "write", many
    for host, program in peers():
        by = partial(by_mpi, host, program)
        yield f"{host.abi} independent", by, "write", many
        yield f"{host.abi} collective", by, "all", few
        yield f"{host.abi} ordered", by, "ordered", few
        yield f"{host.abi} read", by, "read", many
    yield "unisono read", by_unisono, "read", many
    yield "dd read", by_dd, "read", many


def check(file, pes, bytes, pieces):
    """Check that each piece begins with its number."""
    with open(file, "rb") as f:
        if os.fstat(f.fileno()).st_size != pes * bytes * pieces:
            sys.exit(f"bench-files: {file} has {os.fstat(f.fileno()).st_size} bytes")
        for number in range(pes * pieces):
            f.seek(number * bytes)
            if struct.unpack("=Q", f.read(8))[0] != number:
                sys.exit(f"bench-files: piece {number} of {file} is wrong")


def sample(folder, pes, bytes, name, by, way, pieces):
    """Seconds for each piece."""
    file = folder / ("ready" if way == "read" else "file")
    taken = by(pes, way, bytes, pieces, file)
    if way != "read":
        if name != "dd":
            check(file, pes, bytes, pieces)
        file.unlink()
    return taken / (pieces * pes)


def cases(options):
    for pes in map(int, options.pes.split(",")):
        for bytes in map(int, options.bytes.split(",")):
            with tempfile.TemporaryDirectory(dir=options.folder) as folder:
                by_unisono(pes, "write", bytes, PIECES[bytes][0], Path(folder) / "ready")
                yield {"pes": pes, "bytes": bytes}, {name: partial(sample, Path(folder), pes, bytes, name, *how)
                                                     for name, *how in sides(bytes)}


def show(rows):
    by_side, times = {}, {}
    for row in rows:
        case = f"{size_text(row['bytes'])}, {row['pes']} PEs"
        for name, seconds in row["seconds"].items():
            mine = row["seconds"]["unisono read" if name.endswith("read") else "unisono"]
            by_side.setdefault(name, {})[case] = runner.us(seconds)
            times.setdefault(name, {})[case] = f"{statistics.median(mine) / statistics.median(seconds):.2f}"
    cases = list(by_side["unisono"])
    yield "us a piece, the median (least to most)", cases, by_side.items()
    yield "times as fast as unisono writes, or reads, by the medians", cases, times.items()


def options(parser):
    parser.add_argument("-n", dest="pes", default="2,4", help="numbers of PEs (default 2,4)")
    parser.add_argument("--bytes", default=",".join(map(str, PIECES)), help="of a piece (default 64,1048576)")
    parser.add_argument("--folder", default=runner.BUILD, help="where the files are made (default build)")


PARTS = {"files": runner.Benchmark(__doc__, cases, show, options=options, docs="files")}
