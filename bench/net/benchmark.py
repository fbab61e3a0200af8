"""Messages from one process to another over the network: bare libfabric, which its user polls, the same with a
descriptor on which its user could sleep, and Unisono's network, which has one. All sides take turns in the same two
processes. For root these are in two network namespaces of their own, else they meet over the loopback."""

import atexit
import os
import statistics
import subprocess
from functools import cache, partial

import runner

SIDES = ("bare", "bare, with a descriptor", "unisono")
TURNS = {8: 500, 1 << 20: 20}
SPACES = [f"unisono-bench-{os.getpid()}-{k}" for k in (0, 1)]


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, check=False).returncode == 0


def part():
    for space in SPACES:
        ip("netns", "del", space)


@cache
def ends():
    """Where the two processes are: namespaces that are joined by a cable, or this machine."""
    if os.getuid() != 0 or not all(ip("netns", "add", space) for space in SPACES):
        return ["lo", "lo"]
    atexit.register(part)
    made = ip("link", "add", "veth0", "netns", SPACES[0], "type", "veth", "peer", "name", "veth0", "netns", SPACES[1])
    for k, space in enumerate(SPACES):
        made = made and ip("-n", space, "addr", "add", f"10.83.0.{k + 1}/24", "dev", "veth0")
        made = made and ip("-n", space, "link", "set", "veth0", "up")
    return [f"{space}:veth0" for space in SPACES] if made else ["lo", "lo"]


@cache
def program():
    return subprocess.Popen([runner.LIBEXEC / "bench-net", *ends()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def sample(side, bytes):
    running = program()
    print(SIDES.index(side), bytes, TURNS[bytes], file=running.stdin, flush=True)
    return float(running.stdout.readline())


def cases(_):
    for bytes in TURNS:
        yield {"bytes": bytes, "namespaces": ends()[0] != "lo"}, {side: partial(sample, side, bytes) for side in SIDES}


def show(rows):
    lines = []
    for row in rows:
        seconds = row["seconds"]
        ratio = [ours / bare for bare, ours in zip(seconds["bare"], seconds["unisono"])]
        lines.append((f"{row['bytes']} bytes, {'two namespaces' if row['namespaces'] else 'loopback'}", [
            *(runner.us(seconds[side]) for side in SIDES),
            *(f"{choose(ratio):.2f}" for choose in (min, statistics.median)), f"{runner.quantile(ratio, 0.99):.2f}"]))
    yield ("us one way, the median (least to most); and unisono by bare: least, median, 99th percentile", [*SIDES, "least", "median", "99th"],
           lines)


PARTS = {"net": runner.Benchmark(__doc__, cases, show, rounds=100)}
