"""--bind: each PE on one processor, all processors in turn."""

import collections
import os

from launcher import run, strangers

ALLOWED = "grep Cpus_allowed_list /proc/self/status"


def allowed(*options, n, **more):
    r = run("run", "-n", n, "--tag", *options, "sh", "-c", ALLOWED, **more)
    assert (r.returncode, r.stderr) == (0, strangers(n))
    lines = sorted((int(line[1:line.index("]")]), line.split()[-1]) for line in r.stdout.splitlines())
    return [processor for _, processor in lines]


def test_one_processor_each():
    available = os.sched_getaffinity(0)
    count = len(available)
    got = [int(p) for p in allowed("--bind", n=2 * count + 1)]
    assert set(got) == available
    assert got[:count] == got[count:2 * count]
    assert max(collections.Counter(got).values()) - min(collections.Counter(got).values()) <= 1


def test_within_the_affinity_mask():
    one = max(os.sched_getaffinity(0))
    assert allowed("--bind", n=3, preexec_fn=lambda: os.sched_setaffinity(0, {one})) == [str(one)] * 3


def test_not_bound_without_the_option():
    before = next(line for line in open("/proc/self/status") if "Cpus_allowed_list" in line).split()[-1]
    assert allowed(n=3) == [before] * 3
