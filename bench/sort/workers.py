"""The programs that sort, one for each side that was built (bench/sort/CMakeLists.txt), and the sorts of NumPy and
Polars."""

import contextlib
import json
import subprocess
import sys
import time
from pathlib import Path

import runner

SIDES = ["unisono", "ips4o", "ips2ra", "vqsort", "tbb", "stdpar", "boost", "booststable", "spreadsort"]


class Worker:
    """A program that sorts records on request: worker.c."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def measure(self, kind, distribution, records, threads):
        print(kind, distribution, records, threads, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit(f"bench-sort: {self.process.args[0]}: {kind} {distribution} {records}: {answer['error']}")
        return answer or None

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Library:
    """A library of Python's, with uniform keys."""

    def __init__(self):
        import numpy
        self.numpy, self.random = numpy, numpy.random.default_rng(time.time_ns())

    def measure(self, kind, distribution, records, threads):
        if kind not in self.KINDS or distribution != "uniform":
            return None
        keys = self.random.integers(0, 2**64 - 1, records, dtype=self.numpy.uint64)
        data = self.prepare(keys, ~keys if kind == "pair" else None, threads)
        began = time.monotonic()
        data = self.sort(data)
        seconds = time.monotonic() - began
        keys, payload = self.columns(data)
        if len(keys) != records or not (keys[1:] >= keys[:-1]).all() or not (payload is None or (payload == ~keys).all()):
            sys.exit(f"bench-sort: {type(self).__name__}: not in order, or a payload is not with its key")
        return {"seconds": seconds, "stable": self.STABLE}

    def end(self):
        pass


class Numpy(Library):
    """numpy.sort, which has one thread and no payload."""

    KINDS, STABLE = ("u64",), True

    def prepare(self, keys, payload, threads):
        return keys

    def sort(self, keys):
        keys.sort()
        return keys

    def columns(self, keys):
        return keys, None


class Polars(Library):
    """Frames of one column or two, in a pool of as many threads as there are processors."""

    KINDS, STABLE = ("u64", "pair"), False

    def __init__(self):
        import polars
        super().__init__()
        self.polars = polars

    def prepare(self, keys, payload, threads):
        if threads != self.polars.thread_pool_size():
            sys.exit(f"bench-sort: polars has {self.polars.thread_pool_size()} threads; POLARS_MAX_THREADS={threads} changes that")
        return self.polars.DataFrame({"key": keys} if payload is None else {"key": keys, "payload": payload})

    def sort(self, frame):
        return frame.sort("key")

    def columns(self, frame):
        return tuple(frame[name].to_numpy() for name in frame.columns) if frame.width > 1 else (frame["key"].to_numpy(), None)


PYTHON = {"numpy": Numpy, "polars": Polars}


@contextlib.contextmanager
def started(folder, wanted=None):
    """Start the sides that are there, or those of them that are wanted, and return them by name; a line reports each
    other one."""
    wanted = wanted or [*SIDES, *PYTHON]
    found = {name: Worker(folder / f"bench-sort-{name}") for name in SIDES
             if name in wanted and (folder / f"bench-sort-{name}").exists()}
    for name in PYTHON:
        if name in wanted:
            try:
                found[name] = PYTHON[name]()
            except ImportError:
                pass
    for name in wanted:
        if name not in found:
            print(f"bench-sort: {name} is not here to compare with", file=sys.stderr)
    yield found
    for side in found.values():
        side.end()


def options(parser):
    parser.add_argument("--workers", type=Path, default=runner.LIBEXEC, help="the folder of the programs")
    parser.add_argument("--threads", type=int, default=2)


def settings(options):
    return {"threads": options.threads}
