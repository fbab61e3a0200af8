"""Messages from one process to another over the network: bare libfabric, which its user polls, the same with a
descriptor on which its user could sleep, and Unisono's network, which has one. All sides take turns in the same two
processes. For root these are in two network namespaces of their own, else they meet over the loopback."""

import statistics
from functools import partial

import ping
import runner
from ping import SIDES

TURNS = {8: 500, 1 << 20: 20}


def cases(_):
    for bytes in TURNS:
        yield ({"bytes": bytes, "namespaces": ping.nodes() is not None},
               {side: partial(ping.sample, side, bytes, TURNS[bytes]) for side in SIDES})


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
