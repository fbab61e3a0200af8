"""Operations and messages between two machines: Unisono beside MPICH and Open MPI over TCP, and beside bare libfabric,
which is the least that such an operation can take. A machine is a network namespace with one processor."""

import ctypes
import os
import statistics
from functools import partial

import delay
import ping
import places
import runner
import schedules
from sides import sides

OPERATIONS, TURNS = 200, 20
FEW = 10, 5  # where a library's processes spin on a processor that others need
EACH = (1, 2, 4)  # processes on every node
MESSAGES = {"8": 200, "1048576": 20}
IDLE = 10  # seconds
COLUMNS = ("bare", "one node", "unisono", "unisono, MPI", "mpich", "openmpi")


def floor(bytes, operations):
    """As the programs of the other sides measure: the median of all turns."""
    return statistics.median(ping.sample("bare", bytes, operations) for _ in range(TURNS))


def sample(run, name, each, way, operations):
    """Return the seconds of one operation."""
    operations, turns = FEW if name == "mpich" and each > 1 else (operations, TURNS)
    return float(run(each, [way, operations, turns]))


def cases(_):
    found = sides()
    for way in ("wait", "sum"):
        for each in EACH:
            of_case = {name: partial(sample, run, name, each, way, OPERATIONS) for name, run in found.items()
                       if each > 1 or name != "one node"}
            yield {"way": way, "each": each}, {"bare": partial(floor, 0, OPERATIONS), **of_case}
    for bytes, operations in MESSAGES.items():
        of_case = {name: partial(sample, run, name, 1, bytes, operations) for name, run in found.items() if name != "one node"}
        yield {"way": bytes, "each": 1}, {"bare": partial(floor, int(bytes), operations), **of_case}


def aim_of(row, samples):
    """Return the most that the operation of one round may take, in seconds."""
    bare, near = samples
    if row["way"] in MESSAGES:
        return bare / 0.9 if int(row["way"]) > 8 else bare * 1.15
    return bare * 1.15 if row["each"] == 1 else bare + near + 2e-6


def show(rows):
    columns = [*COLUMNS, "by its aim", "mpich by it", "openmpi by it"]
    lines = []
    for row in rows:
        seconds = row["seconds"]
        near = seconds.get("one node", seconds["bare"])
        ratio = [ours / aim_of(row, both) for ours, *both in zip(seconds["unisono"], seconds["bare"], near)]
        cells = {side: runner.us(of_side) for side, of_side in seconds.items()}
        cells["by its aim"] = runner.cell(ratio, 1, 2)
        for peer in ("mpich", "openmpi"):
            if peer in seconds:
                cells[f"{peer} by it"] = runner.cell(runner.ratios(seconds, "unisono", peer), 1, 2)
        lines.append((f"{row['way']}, {row['each']} on each node", cells))
    yield ("us of an operation or of one way of a message, the median (least to most). The aim: with one process on each\n"
           "node, or 8 bytes, 1.15 of bare libfabric; with more, its time, that of one node and 2 us; of 1 MB 0.9 of its\n"
           "bandwidth. Then how often unisono's time goes into a peer's",
           columns, lines)


def idle_cases(_):
    run = sides()["unisono"]
    for each in (1, 2):
        yield ({"each": each}, {"unisono": lambda each=each: [float(line) / IDLE for line in run(each, ["idle", IDLE, 0]).split()]})


def show_idle(rows):
    yield (f"share of a processor that a process takes which waits {IDLE} s for another node, %", ["unisono"],
           [(f"{row['each']} on each node", [runner.cell(row["seconds"]["unisono"], 100, 3)]) for row in rows])


def settings(_):
    version = ctypes.CDLL(os.environ.get("UNISONO_LIBFABRIC", "libfabric.so.1")).fi_version()
    return {"libfabric": f"{version >> 16}.{version & 0xffff}"}


PARTS = {"operations": runner.Benchmark(__doc__, cases, show, rounds=7, settings=settings),
         "idle": runner.Benchmark("Processes that wait for another node.", idle_cases, show_idle, rounds=2, settings=settings),
         "delay": delay.part(settings),
         "places": places.part(settings),
         "schedules": schedules.part(settings)}
