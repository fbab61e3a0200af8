"""Two processes, bench-net, that send each other messages by bare libfabric or by Unisono's network, and the nodes on
which they are."""

import atexit
import contextlib
import subprocess
import sys
from functools import cache

import runner

sys.path.append(str(runner.ROOT / "tests/hosts"))
from namespaces import Impossible, namespaces  # pylint: disable=wrong-import-position

SIDES = ("bare", "bare, with a descriptor", "unisono")
OPEN = contextlib.ExitStack()
atexit.register(OPEN.close)


@cache
def nodes():
    """Two network namespaces that are joined by a bridge; None where there can be none."""
    try:
        return OPEN.enter_context(namespaces(2))
    except Impossible as why:
        print(f"bench: {why}; all processes meet over the loopback", file=sys.stderr)
        return None


@cache
def program():
    spaces = nodes()
    ends = [f"{name}:eth0" for name in spaces.names] if spaces else ["lo", "lo"]
    process = subprocess.Popen([runner.LIBEXEC / "bench-net", *ends], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return OPEN.enter_context(process)


def sample(side, bytes, turns):
    """Return the seconds of one way of a message; of 0 bytes, of a meeting: each sends 8 bytes and waits for the
    other's."""
    running = program()
    print(SIDES.index(side), bytes, turns, file=running.stdin, flush=True)
    return float(running.stdout.readline())
