"""The load of the busiest link against a slow calculation that shares nothing with the program: routes are walked node
by node, on coordinates."""

import collections
import itertools
import random

import pytest

from torus import calculate


def way(machine, axis, place, goal):
    """+1 or -1, and how often, in one ring."""
    side, here, there = machine["sides"][axis], place[axis], goal[axis]
    up, down = (there - here) % side, (here - there) % side
    dimension, nodes, rings = machine["service"]
    others = [i for i in range(len(place)) if i != axis]
    ring, radix = 0, 1
    for i in others:
        ring += place[i] * radix
        radix *= machine["sides"][i]
    crossed = nodes if axis == dimension and ring < rings else 0
    longer = crossed if machine["distance"] == "absolute" else 0
    costs = up + longer * (there < here), down + longer * (there > here)
    if up == 0:
        return 0, 0, False
    if costs[0] == costs[1]:
        rises = {"up": True, "parity": here % 2 == 0,
                 "quarters": side >= 2 and here % (side // 2) < side // 4}[machine["ties"]]
    else:
        rises = costs[0] < costs[1]
    wraps = there < here if rises else there > here
    return (1 if rises else -1), (up if rises else down), bool(crossed and wraps)


def route(machine, start, goal):
    ways = [way(machine, axis, start, goal) for axis in range(len(start))]
    order = list(machine["order"])
    if machine["corner"] == "reversed" and any(crosses for _, _, crosses in ways):
        order.reverse()
    place = list(start)
    for axis in order:
        step, hops, _ = ways[axis]
        for _ in range(hops):
            yield tuple(place), axis, step
            place[axis] = (place[axis] + step) % machine["sides"][axis]
    assert tuple(place) == tuple(goal)


def destination(schedule, machine, phase, pe, nodes):
    per_node, pes = machine["pes"], machine["pes"] * len(nodes)
    if schedule == "shift":
        return (pe + phase) % pes
    if schedule == "xor":
        return pe ^ phase
    ahead = {"reflected": 0, "quarter": 0.5, "balanced": 1}[schedule]
    number = pe % per_node
    goal = tuple((nodes[phase // per_node][i] - nodes[pe // per_node][i] + int(number * side * ahead / per_node)) % side
                 for i, side in enumerate(machine["sides"]))
    return nodes.index(goal) * per_node + (phase - number) % per_node


def busiest(schedule, machine):
    sides = machine["sides"]
    nodes = [place[::-1] for place in itertools.product(*(range(side) for side in sides[::-1]))]
    per_node = machine["pes"]
    for phase in range(per_node * len(nodes)):
        load = collections.Counter()
        for pe in range(per_node * len(nodes)):
            to = destination(schedule, machine, phase, pe, nodes)
            ends = nodes[pe // per_node], nodes[to // per_node]
            load.update(route(machine, *ends))
            for link in route(machine, *ends[::-1]):
                load[link] += machine["response"]
        yield max(load.values(), default=0)


def draw(numbers):
    sides = numbers.choice([[4], [7], [8], [2, 4], [4, 4], [3, 5], [8, 2], [2, 4, 2], [4, 2, 4], [3, 2, 4], [2, 2, 2, 2]])
    order = list(range(len(sides)))
    numbers.shuffle(order)
    return {"sides": sides, "pes": numbers.choice([1, 2, 2, 4]), "order": order,
            "ties": numbers.choice(["up", "parity", "quarters"]), "distance": numbers.choice(["compute", "absolute"]),
            "corner": numbers.choice(["correct", "reversed"]), "response": numbers.choice([0, 0.25]),
            "service": (numbers.randrange(len(sides)), numbers.choice([1, 1, 2]), numbers.choice([1, 2, 9]))}


@pytest.mark.parametrize("seed", range(60))
def test_busiest_link(seed):
    numbers = random.Random(seed)
    machine = draw(numbers)
    pes = machine["pes"]
    for side in machine["sides"]:
        pes *= side
    schedule = numbers.choice(["shift", "reflected", "quarter", "balanced"] + ["xor"] * (pes & (pes - 1) == 0))
    axis, nodes, rings = machine["service"]
    result = calculate("-s", schedule, "--sides", "x".join(map(str, machine["sides"])), "--pes", machine["pes"],
                       "--order", "".join("xyzw"[i] for i in machine["order"]), "--ties", machine["ties"],
                       "--distance", machine["distance"], "--corner", machine["corner"], "--response", machine["response"],
                       "--service", f"{'xyzw'[axis]}:{nodes}:{rings}")
    assert [phase["load"] for phase in result["phases"]] == list(busiest(schedule, machine))
