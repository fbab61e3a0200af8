"""The network of packets in simulation: what tiles write and read, which mesh_bench.v runs on Icarus Verilog, against a
model of the network in Python (mesh_model.py), clock by clock.

MESH_ROUNDS and MESH_SEED: how many random programs, and from which number on (3, 1)."""

import collections
import os
import random
import subprocess
from pathlib import Path

import mesh_model
import pytest

RTL = Path(os.environ["RTL"])
BENCH = Path(__file__).resolve().parent / "mesh_bench.v"
STATUS = HEADER = 0
RECEIVE = WORD = 1
PLACE = CONTROL = 2
SENT, TAKEN, WAITED = 3, 4, 5
INTERRUPT = 8
ROOM, WAITING, MISTAKE, ENABLED = 1, 2, 4, 8

Packet = collections.namedtuple("Packet", "to user words")


def header(to, length, user=0, source=(0, 0)):
    return to[0] | to[1] << 5 | source[0] << 10 | source[1] << 15 | length << 20 | user << 25


class Bench:
    """One mesh, compiled; `run` returns the clocks at which each tile's writes took effect, and what it read."""

    def __init__(self, folder, columns, rows, depth=4, limit=31):
        self.folder, self.columns, self.rows, self.depth = folder, columns, rows, depth
        self.places = [(x, y) for y in range(rows) for x in range(columns)]
        parameters = {"SIDE_X": columns, "SIDE_Y": rows, "DEPTH": depth, "LIMIT": limit}
        subprocess.run(["iverilog", "-g2005", "-Wall", "-s", "mesh_bench", *(f"-Pmesh_bench.{k}={v}" for k, v in parameters.items()),
                        "-o", folder / "bench", *sorted(RTL.glob("*.v")), BENCH], check=True)

    def run(self, writes, reads):
        for tile in range(len(self.places)):
            for name, programs in ("write", writes), ("read", reads):
                steps = programs[tile] if tile < len(programs) else []
                (self.folder / f"{tile}.{name}").write_text("".join(f"{a} {b} {c}\n" for a, b, c in steps))
        out = subprocess.run(["vvp", "-n", "bench"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        assert "\nend " in out, out[-500:]
        written, read, interrupts = ([[] for _ in self.places] for _ in range(3))
        for line in out.splitlines():
            kind, *numbers = line.split()
            if kind == "begin":
                begin = int(numbers[0])
            elif kind != "end":
                tile, clock, *rest = map(int, numbers)
                {"write": written, "read": read, "interrupt": interrupts}[kind][tile].append((clock - begin, *rest))
        return [[clock for clock, in tile] for tile in written], read, [[clock for clock, in tile] for tile in interrupts]


@pytest.fixture
def bench(tmp_path):
    return lambda *sides, **parameters: Bench(tmp_path, *sides, **parameters)


def packets_of(rng, places, number):
    """Random packets of one tile: to anywhere or to few, of every length."""
    favourites = rng.choice([places, places, places[:1], places[-2:]])
    lengths = rng.choice([range(32), range(4), [0], [31]])
    return [Packet(rng.choice(favourites), rng.randrange(128), [rng.getrandbits(32) for _ in range(rng.choice(lengths))])
            for _ in range(number)]


def some_delay(rng, pace):
    return rng.choice([0] * pace + [1, 2, rng.randrange(20)])


def traffic(rng, places, number):
    """For each tile the writes of its packets, the words that those are, and the reads of all that it gets."""
    writes, words, due = [], [], collections.Counter()
    sent = {source: packets_of(rng, places, number) for source in places}
    for source in places:
        pace = rng.choice([0, 10, 200])
        program = []
        for packet in sent[source]:
            due[packet.to] += 1 + len(packet.words)
            whole = [header(packet.to, len(packet.words), packet.user, source), *packet.words]
            program += [(some_delay(rng, pace), mesh_model.Word(value, packet.to, k == 0, k == len(packet.words)))
                        for k, value in enumerate(whole)]
        words.append(program)
        # The place that a packet comes from is not the program's to say.
        writes.append([(delay, HEADER, word.value ^ rng.getrandbits(10) << 10) if word.head else (delay, WORD, word.value)
                       for delay, word in program])
    reads = []
    for place in places:
        pace, left, steps = rng.choice([0, 10, 200]), due[place], []
        while left:
            times = min(left, rng.randrange(1, 40))
            steps.append((some_delay(rng, pace), times))
            left -= times
        reads.append(steps)
    return sent, writes, words, reads


def arrivals(taken):
    """The packets that a tile took, by the place that they come from."""
    packets, values = collections.defaultdict(list), iter(value for _, value in taken)
    for value in values:
        source = value >> 10 & 31, value >> 15 & 31
        packets[source].append((value >> 25, [next(values) for _ in range(value >> 20 & 31)]))
    return packets


@pytest.mark.parametrize("number", range(int(os.environ.get("MESH_SEED", 1)),
                                         int(os.environ.get("MESH_SEED", 1)) + int(os.environ.get("MESH_ROUNDS", 3))))
def test_traffic(bench, number):
    """Every word is taken into the network, and given out, at the clock at which the model says so, and is the one that
    it says; and what each pair of tiles exchanges is whole and in order."""
    rng = random.Random(number)
    columns, rows, depth = rng.choice([(4, 4, 4)] * 3 + [(2, 3, 2), (5, 1, 7), (1, 6, 3)])
    mesh = bench(columns, rows, depth=depth)
    sent, writes, words, reads = traffic(rng, mesh.places, 5)
    written, read, _ = mesh.run(writes, [[(delay, RECEIVE, times) for delay, times in steps] for steps in reads])
    taken = [[(clock, value) for clock, _, value in tile] for tile in read]
    for place, words_of_tile in zip(mesh.places, taken):
        got = arrivals(words_of_tile)
        for source in mesh.places:
            assert got[source] == [(p.user, p.words) for p in sent[source] if p.to == place]
    accepts, takes = mesh_model.run(columns, rows, depth, words, reads)
    assert written == accepts
    assert taken == takes


def test_latency_of_a_packet_alone(bench):
    """A word is there for its tile one clock after the last of the routers on its way, each of which takes one, and
    each word comes one clock after the one before."""
    mesh = bench(4, 4)
    for source, to in [((0, 0), (3, 3)), ((3, 1), (0, 1)), ((2, 3), (2, 0)), ((1, 1), (1, 1))]:
        hops = abs(source[0] - to[0]) + abs(source[1] - to[1])
        writes, reads = [[] for _ in mesh.places], [[] for _ in mesh.places]
        writes[mesh.places.index(source)] = [(0, HEADER, header(to, 31)), *((0, WORD, k) for k in range(31))]
        reads[mesh.places.index(to)] = [(0, RECEIVE, 32)]
        written, read, _ = mesh.run(writes, reads)
        assert written[mesh.places.index(source)] == list(range(32))
        assert [clock for clock, _, _ in read[mesh.places.index(to)]] == [hops + 2 + k for k in range(32)]


def test_registers(bench):
    """Place, status, counters, and an interrupt while words wait."""
    mesh = bench(3, 2)
    writes, reads = [[] for _ in mesh.places], [[] for _ in mesh.places]
    writes[0] = [(0, HEADER, header((2, 1), 2)), (30, WORD, 7), (0, WORD, 8)]
    reads[0] = [(10, STATUS, 1), (0, PLACE, 1), (60, SENT, 1), (0, STATUS, 1)]
    writes[5] = [(0, CONTROL, 1), (60, CONTROL, 0)]
    reads[5] = [(0, STATUS, 1), (0, INTERRUPT, 0), (0, STATUS, 1), (0, RECEIVE, 1), (0, STATUS, 1), (0, INTERRUPT, 0),
                (8, RECEIVE, 2), (0, PLACE, 1), (0, TAKEN, 1), (0, WAITED, 1), (40, STATUS, 1), (0, TAKEN, 1), (0, WAITED, 1)]
    written, read, interrupts = mesh.run(writes, reads)
    assert [value for _, _, value in read[0]] == [ROOM | 2 << 8, 2 << 24 | 3 << 16, 3, ROOM]
    arrived = [clock + 5 for clock in written[0]]  # three hops
    assert interrupts[5] == arrived[:2]
    values = [value for _, _, value in read[5]]
    assert values[:5] == [ROOM, ROOM | WAITING | ENABLED, header((2, 1), 2), ROOM | ENABLED, 7]
    assert values[5:] == [8, 2 << 24 | 3 << 16 | 1 << 8 | 2, 3, values[8], ROOM, 0, 0]
    taken = [clock for clock, register, _ in read[5] if register == RECEIVE]
    # A word that has come waits from that clock to the one in which it is taken, both counted; no clock counts twice.
    waited = {clock for came, gone in zip(arrived, taken) for clock in range(came, gone + 1)}
    assert values[8] == len(waited)


def test_mistakes(bench):
    """A header to nowhere, one that is too long, one within a packet, and a word outside of one: each is no part of any
    packet, and is told in STATUS until CONTROL clears it."""
    mesh = bench(3, 2, limit=20)
    right = [(0, HEADER, header((1, 0), 1)), (0, WORD, 5)]
    wrong = [[(0, HEADER, header((3, 0), 1))], [(0, HEADER, header((0, 2), 1))], [(0, HEADER, header((1, 0), 21))], [(0, WORD, 6)]]
    for mistake in wrong:
        _, read, _ = mesh.run([right + mistake + [(9, CONTROL, 0)] + right], [[(5, STATUS, 1), (20, STATUS, 1)], [(0, RECEIVE, 4)]])
        assert [value for _, _, value in read[0]] == [ROOM | MISTAKE, ROOM]
        assert [value for _, _, value in read[1]] == [header((1, 0), 1), 5] * 2
    _, read, _ = mesh.run([right[:1] * 2 + right[1:]], [[(5, STATUS, 1)], [(0, RECEIVE, 2)]])
    assert [value for _, _, value in read[0]] == [ROOM | MISTAKE]
    assert [value for _, _, value in read[1]] == [header((1, 0), 1), 5]
