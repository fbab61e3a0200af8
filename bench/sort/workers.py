"""The programs that sort, one for each side that was built (bench/sort/CMakeLists.txt), and NumPy."""

import json
import platform
import subprocess
import sys
import time

SIDES = ["unisono", "ips4o", "ips2ra", "vqsort", "tbb", "stdpar", "boost", "booststable", "spreadsort"]


class Worker:
    """A program that sorts what it is asked for: worker.c."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def measure(self, kind, distribution, records, threads):
        print(kind, distribution, records, threads, file=self.process.stdin, flush=True)
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            sys.exit(f"bench-sort: {self.process.args[0]}: {kind} {distribution} {records}: {answer['error']}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Numpy:
    """numpy.sort, which has one thread and no payload."""

    def __init__(self):
        import numpy
        self.numpy, self.random = numpy, numpy.random.default_rng(time.time_ns())

    def measure(self, kind, distribution, records, threads):
        if kind != "u64" or distribution != "uniform":
            return {}
        keys = self.random.integers(0, 2**64 - 1, records, dtype=self.numpy.uint64)
        began = time.monotonic()
        keys.sort()
        seconds = time.monotonic() - began
        if not (keys[1:] >= keys[:-1]).all():
            sys.exit("bench-sort: numpy: not in order")
        return {"seconds": seconds, "stable": True}

    def end(self):
        pass


def start(folder, wanted=None):
    """Those that are there, by name, or of these the ones that are wanted; for the others a line says so."""
    wanted = wanted or [*SIDES, "numpy"]
    found = {name: Worker(folder / f"bench-sort-{name}") for name in SIDES
             if name in wanted and (folder / f"bench-sort-{name}").exists()}
    if "numpy" in wanted:
        try:
            found["numpy"] = Numpy()
        except ImportError:
            pass
    for name in wanted:
        if name not in found:
            print(f"bench-sort: {name} is not here to compare with", file=sys.stderr)
    return found


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "")
    return {"processor": model, "system": platform.platform()}
