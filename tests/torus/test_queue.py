"""The queue model against a simulation: transfers of one size share links fairly, each PE sends to all in a random
order, again and again, and begins the next as soon as one has ended. The routes are those of a ring and of a square
without ties, so that they need no table."""

import itertools
import random

import pytest

from torus import calculate


def links(sides, start, goal):
    place = list(start)
    for axis, side in enumerate(sides):
        up = (goal[axis] - start[axis]) % side
        step, hops = (1, up) if up < side - up else (-1, side - up)
        for _ in range(hops if up else 0):
            yield tuple(place), axis, step
            place[axis] = (place[axis] + step) % side


def simulate(sides, per_node, link, cap, rounds, seed):
    """MB/s of a PE, for transfers of 1 MB."""
    numbers = random.Random(seed)
    nodes = list(itertools.product(*map(range, sides)))
    homes = [node for node in nodes for _ in range(per_node)]
    pes = len(homes)
    routes = {(a, b): list(links(sides, a, b)) for a in nodes for b in nodes}
    on, todo, active, left = {}, [[] for _ in homes], [[] for _ in homes], [0.0] * pes
    time, done, begin = 0.0, 0, 0.0

    def next_transfer(pe):
        if not todo[pe]:
            todo[pe] = numbers.sample(range(pes), pes)
        for link_ in active[pe]:
            on[link_] -= 1
        active[pe] = routes[homes[pe], homes[todo[pe].pop()]]
        for link_ in active[pe]:
            on[link_] = on.get(link_, 0) + 1
        left[pe] = 1.0

    for pe in range(pes):
        next_transfer(pe)
    warm, all_ = pes * pes, pes * pes * (1 + rounds)
    while done < all_:
        rates = [min(cap, link / max((on[l] for l in active[pe]), default=1e-9)) for pe in range(pes)]
        first = min(range(pes), key=lambda pe: left[pe] / rates[pe])
        step = left[first] / rates[first]
        time += step
        for pe in range(pes):
            left[pe] -= step * rates[pe]
        next_transfer(first)
        done += 1
        if done == warm:
            begin = time
    return (done - warm) / (time - begin) / pes


@pytest.mark.parametrize("sides, per_node, cap", [([5, 5], 1, 100), ([5, 5], 2, 100), ([5, 5], 2, 40), ([7], 2, 100)])
def test_simulation(sides, per_node, cap):
    """The simulation is as fast as the model where the other transfers change, and faster than where they are kept: a
    transfer that shares with many does so until some of them end."""
    rate = {others: calculate("-s", "unphased", "--sides", "x".join(map(str, sides)), "--pes", per_node, "--link", 100,
                              "--payload", 1, "--cap", cap, "--others", others)["rate"] for others in ("kept", "changing")}
    simulated = simulate(sides, per_node, 100, cap, 3, seed=1)
    assert simulated == pytest.approx(rate["changing"], rel=0.06)
    assert rate["kept"] < simulated
