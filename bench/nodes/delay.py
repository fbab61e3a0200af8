"""Operations between nodes whose network takes its time, or loses packets: beside bare libfabric, and beside the delay
itself. Every message comes from node to node in one step, so an operation has one step. The network is a switch
in user space (tests/hosts/switch.c), which keeps each packet for so long."""

import contextlib
import statistics
import sys
from functools import partial
from pathlib import Path

import ping
import runner
import sides

SWITCH = runner.BUILD / "tests/hosts/switch"
PAPERS = runner.LIBEXEC / "bench-nodes"
PLACES = (2, 1), (2, 2), (4, 1)  # nodes, processes on each
DELAYS = 0, 100, 1000, 10000  # microseconds
LOSSES = 1, 10  # packets of a thousand, with a delay of a millisecond
OPERATIONS, TURNS = 10, 5
MANY = 1000  # operations of a sample on a network that loses some


def unisono(nodes, each, way, lossy):
    """The median of the turns; with losses, which few operations have, the mean of all operations."""
    operations, turns = (MANY, 1) if lossy else (OPERATIONS, TURNS)
    return float(nodes.unisono(each, [PAPERS, way, operations, turns]))


def bare(running, lossy):
    if lossy:
        return ping.sample("bare", 0, MANY, running)
    return statistics.median(ping.sample("bare", 0, OPERATIONS, running) for _ in range(TURNS))


@contextlib.contextmanager
def network(count, delay, loss):
    """Yield the nodes, and two processes of bare libfabric on the first two."""
    try:
        with ping.namespaces(count, [SWITCH, delay, loss]) as spaces, ping.start(ping.ends_of(spaces)) as running:
            yield sides.Nodes(spaces), running
            running.stdin.close()
    except ping.Impossible as why:
        print(f"skipped: {why}", file=sys.stderr)
        sys.exit(77)


def cases(_):
    for delay, loss in [*((delay, 0) for delay in DELAYS), *((1000, loss) for loss in LOSSES)]:
        for count, each in PLACES:
            with network(count, delay, loss) as (nodes, running):
                for way in ("wait", "sum"):
                    yield ({"way": way, "nodes": count, "each": each, "delay_us": delay, "loss_permille": loss},
                           {"bare": partial(bare, running, loss), "unisono": partial(unisono, nodes, each, way, loss)})


def most(row):
    """The aim: of one step."""
    return row["delay_us"] * 1e-6 * 1.05 + 50e-6


def lines_of(rows, compared):
    for row in rows:
        of_row = row["seconds"]
        place = f"{row['way']}, {row['nodes']} nodes, {row['each']} on each, {row['delay_us']} us"
        yield (place + (f", {row['loss_permille']} lost of 1,000" if row["loss_permille"] else ""),
               [runner.us(of_row["bare"]), runner.us(of_row["unisono"]), runner.cell(compared(row), 1, 2)])


def by_aim(row):
    return [seconds / most(row) for seconds in row["seconds"]["unisono"]]


def by_bare(row):
    return runner.ratios(row["seconds"], "bare", "unisono")


def show(rows):
    for title, compared, chosen in (
            ("us of an operation, the median (least to most), and the time by its aim, the delay times 1.05 plus 50 us",
             by_aim, [row for row in rows if not row["loss_permille"]]),
            ("the same where packets are lost: the mean of all operations, and by that of bare libfabric",
             by_bare, [row for row in rows if row["loss_permille"]])):
        if chosen:
            yield title, ["bare", "unisono", "by its aim" if compared is by_aim else "by bare"], list(lines_of(chosen, compared))


def part(settings):
    return runner.Benchmark(__doc__, cases, show, rounds=3, settings=settings, plot=Path(__file__).with_name("plot_delay.py"))
