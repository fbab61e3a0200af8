"""A number to another process and back: a sum of 2 PEs beside two pipes of the system, in turns; every result is
checked."""

import os
import struct
import sys
import time
from functools import partial

import runner


def by_unisono(turns):
    return float(runner.on_unisono(2, [runner.LIBEXEC / "bench-pipe", turns]))


def answer(read, write):
    """The other process: adds 1 to whatever comes, until nothing comes any more."""
    while numbers := os.read(read, 4):
        os.write(write, struct.pack("=i", struct.unpack("=i", numbers)[0] + 1))
    os._exit(0)


def by_pipe(turns):
    (there, write), (read, back) = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        os.close(write)
        answer(there, back)
    began = time.perf_counter()
    for i in range(turns):
        os.write(write, struct.pack("=i", i))
        if struct.unpack("=i", os.read(read, 4))[0] != i + 1:
            sys.exit(f"bench-pipe: the answer to {i} is wrong")
    seconds = (time.perf_counter() - began) / turns
    for end in (there, write, read, back):
        os.close(end)
    os.waitpid(child, 0)
    return seconds


def cases(options):
    for turns in map(int, options.turns.split(",")):
        yield {"turns": turns}, {"unisono": partial(by_unisono, turns), "pipes": partial(by_pipe, turns)}


def show(rows):
    yield "us of one, the median (least to most), and how many times faster unisono is", ["unisono", "pipes", "ratio"], [
        (f"{row['turns']:,} turns", {**{side: runner.cell(seconds) for side, seconds in row["seconds"].items()},
                                     "ratio": runner.cell(runner.ratios(row["seconds"], "unisono", "pipes"), 1, 1)}) for row in rows]


def options(parser):
    parser.add_argument("--turns", default="1000,10000", help="in a sample (default 1000,10000)")


PARTS = {"pipe": runner.Benchmark(__doc__, cases, show, options=options)}
