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


def start(ends):
    return subprocess.Popen([runner.LIBEXEC / "bench-net", *ends], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ends_of(spaces):
    """The interfaces of the first two nodes."""
    return [f"{name}:eth0" for name in spaces.names[:2]]


@cache
def program():
    spaces = nodes()
    return OPEN.enter_context(start(ends_of(spaces) if spaces else ["lo", "lo"]))


def sample(side, bytes, turns, running=None):
    """Return the seconds of one way of a message; of 0 bytes, of a meeting: each sends 8 bytes and waits for the
    other's. running: the two processes, if not those that all samples share."""
    running = running or program()
    print(SIDES.index(side), bytes, turns, file=running.stdin, flush=True)
    return float(running.stdout.readline())
