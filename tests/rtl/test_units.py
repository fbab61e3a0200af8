"""The units in simulation: random programs for every PE, which bench.v runs on Icarus Verilog, and a serial oracle of
each PE's results, and their times. The bench judges nothing and the oracle knows no Verilog."""

import collections
import os
import random
import subprocess
from pathlib import Path

import pytest

RTL = Path(os.environ["RTL"])
BENCH = Path(__file__).resolve().parent / "bench.v"
POST, MASK, INTERRUPT, CONTROL, OPERATIONS, WAITED = range(6)
NAND, PUTGET, WAITVEC = range(3)
UNITS = [("ttl_papers", 4), ("ttl_papers", 16), ("usp8", 2), ("usp8", 3), ("usp8", 8), ("papers1", 2), ("papers1", 3), ("papers1", 4),
         ("papers1", 8), ("papers1", 16)]

Op = collections.namedtuple("Op", "posted ready result reads")
Interrupt = collections.namedtuple("Interrupt", "acknowledged over cause")


class Bench:
    """One unit, compiled; `run` returns the output of each PE."""

    def __init__(self, folder, unit, pes, **parameters):
        self.folder, self.pes = folder, pes
        options = [f'-Pbench.UNIT="{unit}"', f"-Pbench.PES={pes}", *(f"-Pbench.{k}={v}" for k, v in parameters.items())]
        subprocess.run(["iverilog", "-g2005", "-Wall", "-s", "bench", *options, "-o", folder / "bench",
                        *sorted(RTL.glob("*.v")), BENCH], check=True)

    def run(self, programs, *options):
        for pe, program in enumerate(programs):
            steps = "".join(f"{delay} {kind} {value}\n" for delay, kind, value in program)
            (self.folder / str(pe)).write_text(steps)
        out = subprocess.run(["vvp", "-n", "bench", *options], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        assert "\nend " in "\n" + out, out[-500:]
        self.ops, self.again, self.read, self.written, self.flags, self.interrupts = ([[] for _ in programs] for _ in range(6))
        for line in out.splitlines():
            kind, *numbers = line.split()
            if kind == "end":
                return self
            pe, *numbers = map(int, numbers)
            lists, form = {"op": (self.ops, Op._make), "interrupt": (self.interrupts, Interrupt._make),
                           "read": (self.read, tuple), "write": (self.written, tuple), "status": (self.flags, tuple)}[kind]
            if kind == "read" and numbers[0] == POST:
                self.again[pe].append((self.ops[pe][-1].result, numbers[1] >> 8))
            else:
                lists[pe].append(form(numbers))
        return self


@pytest.fixture
def bench(tmp_path):
    return lambda unit, pes, **parameters: Bench(tmp_path, unit, pes, **parameters)


def write(address, value, delay=0):
    return delay, "w", (address << 48) + value


def post(datum, function=NAND, source=0, delay=0):
    return delay, "p", datum << 8 | source << 2 | function


def mask_of(pes):
    return sum(1 << pe for pe in pes)


def oracle(function, source, group, data, width=4):
    """Return the result of a PE that chose `function`, from the data of its group."""
    if function == PUTGET:
        return data[source] if source in group else 0
    if function == WAITVEC:
        return sum((data[pe] & 1) << pe for pe in group)
    result = (1 << width) - 1
    for pe in group:
        result &= data[pe]
    return result ^ ((1 << width) - 1)


def check_in(pes):
    """Every PE checks in and waits until all have."""
    return [[write(CONTROL, 1), (0, "l", mask_of(range(pes)))] for _ in range(pes)]


def some_delay(rng):
    return rng.choice([0, 0, 0, 1, 2, 3, rng.randrange(40)])


def groups(rng, pes):
    """A random partition; the PEs of group 0 idle."""
    labels = [rng.randrange(rng.choice([1, 2, 3, pes]) + 1) for _ in range(pes)]
    return [[pe for pe in range(pes) if labels[pe] == label] for label in set(labels) - {0}]


def judge(seen, meetings):
    """The results are those of the oracle, and every operation completes one clock after its last arrival."""
    done = [iter(ops) for ops in seen.ops]
    for members, expected in meetings:
        ops = {pe: next(done[pe]) for pe in members}
        assert {pe: op.result for pe, op in ops.items()} == expected
        last = max(op.posted for op in ops.values())
        assert {op.ready for op in ops.values()} == {last + 1}
    assert all(next(ops, None) is None for ops in done)
    assert all(result == again for results in seen.again for result, again in results)
    for pe, ops in enumerate(seen.ops):
        counters = dict(seen.read[pe])
        assert counters[OPERATIONS] == len(ops)
        assert counters[WAITED] == sum(op.ready - op.posted for op in ops)


@pytest.mark.parametrize("unit, pes", UNITS)
@pytest.mark.parametrize("width", [4, 7])
def test_traffic(bench, unit, pes, width):
    """On papers1 random groups and functions; on the others the NAND of all PEs."""
    rng = random.Random(pes)
    programs, meetings, masks = check_in(pes), [], [None] * pes
    for _ in range(300 if pes < 16 else 40):
        for group in groups(rng, pes) if unit == "papers1" else [range(pes)]:
            data = {pe: rng.getrandbits(width) for pe in group}
            expected = {}
            for pe in group:
                function, source = (rng.randrange(3), rng.randrange(pes)) if unit == "papers1" else (NAND, 0)
                if unit == "papers1" and masks[pe] != group:
                    # A PE is a member of its own group, named or not.
                    programs[pe].append(write(MASK, mask_of(group) & ~(rng.randrange(2) << pe), some_delay(rng)))
                    masks[pe] = group
                programs[pe].append(post(data[pe], function, source, some_delay(rng)))
                expected[pe] = oracle(function, source, group, data, width)
                if rng.randrange(4) == 0:  # others may be an operation ahead by then
                    programs[pe].append((some_delay(rng), "r", POST))
            meetings.append((group, expected))
    for program in programs:
        program += [(0, "r", OPERATIONS), (0, "r", WAITED)]
    judge(bench(unit, pes, WIDTH=width, REGISTER=1).run(programs), meetings)


def test_the_greatest_unit(bench):
    """32 PEs, 8 bits, votes of all."""
    rng = random.Random(1)
    programs, meetings = check_in(32), []
    for _ in range(3):
        data = {pe: rng.getrandbits(8) for pe in range(32)}
        for pe in range(32):
            programs[pe].append(post(data[pe], WAITVEC, 0, some_delay(rng)))
        meetings.append((range(32), {pe: oracle(WAITVEC, 0, range(32), data) for pe in range(32)}))
    for program in programs:
        program += [(0, "r", OPERATIONS), (0, "r", WAITED)]
    judge(bench("papers1", 32, WIDTH=8).run(programs), meetings)


@pytest.mark.parametrize("unit", ["ttl_papers", "usp8"])
def test_members_come_and_go(bench, unit):
    """A PE checks out while the others wait for it, which completes their operation; one that checks in is waited
    for."""
    rng, pes, step = random.Random(2), 4, 300
    programs, results, live = check_in(pes), [[] for _ in range(pes)], set(range(pes))
    for start in range(step, 80 * step, step):
        # Only a PE that checks in must do so while the others do not wait: they would take it for no member.
        comers = {pe for pe in range(pes) if pe not in live and rng.randrange(2)}
        live |= comers
        for pe in comers:
            programs[pe] += [(0, "t", start), write(CONTROL, 1)]
        for pe in live:
            programs[pe].append((0, "t", start + 10))
        for _ in range(4):
            data = {pe: rng.getrandbits(4) for pe in live}
            for pe in live:
                programs[pe].append(post(data[pe], delay=some_delay(rng)))
                results[pe].append(oracle(NAND, 0, live, data))
            if len(live) > 1 and rng.randrange(3) == 0:
                leaver = rng.choice(sorted(live))
                live.remove(leaver)
                programs[leaver].append(write(CONTROL, 0, some_delay(rng)))
    seen = bench(unit, pes, REGISTER=1).run(programs)
    assert [[op.result for op in ops] for ops in seen.ops] == results


def test_port_operations(bench):
    """A barrier takes 2 port operations; so does an operation with a result on a unit with a register. ttl_papers
    without takes 4: it arrives, reads, and arrives at a second barrier with the same datum, so that all have read."""
    data = [[5, 12], [7, 9], [15, 11], [6, 3]]
    for unit, register, barriers in [("ttl_papers", 0, 2), ("ttl_papers", 1, 1), ("usp8", 1, 1), ("papers1", 1, 1)]:
        programs = check_in(4)
        for pe, program in enumerate(programs):
            program.append((0, "l", 15))
            for datum in data[pe]:
                program += [post(datum)] * barriers
        seen = bench(unit, 4, REGISTER=register).run(programs, "+port=4")
        for ops in seen.ops:
            assert [op.result for op in ops[::barriers]] == [oracle(NAND, 0, range(4), [d[i] for d in data]) for i in (0, 1)]
            assert [1 + op.reads for op in ops] == [2] * 2 * barriers


@pytest.mark.parametrize("unit", ["ttl_papers", "usp8", "papers1"])
def test_an_operation_counts_once_it_has_completed(bench, unit):
    """The count does not change when the PE posts, nor for a post that does nothing; and checking in begins at 0, in
    the middle of an operation, too."""
    programs = check_in(4)
    programs[0] += [(0, "r", OPERATIONS), write(POST, 0), write(POST, 0), (20, "r", OPERATIONS), (60, "r", OPERATIONS),
                    write(POST, 0), (20, "r", OPERATIONS), write(CONTROL, 0), write(CONTROL, 1), (20, "r", OPERATIONS)]
    for program in programs[1:]:
        program += [write(POST, 0, 50), (20, "r", OPERATIONS)]
    seen = bench(unit, 4, REGISTER=1).run(programs)
    assert [value for _, value in seen.read[0]] == [0, 0, 1, 1, 0]
    assert seen.read[1:] == [[(OPERATIONS, 1)]] * 3


def test_mask_waits_for_its_barrier(bench):
    """A mask that is written while the PE has arrived holds from its next operation on."""
    programs = check_in(4)
    for pe, program in enumerate(programs):
        program += [write(POST, 0, 20 * pe), write(MASK, 1 << pe), (0, "r", MASK), (80, "r", MASK), post(5), (0, "r", MASK)]
    seen = bench("papers1", 4).run(programs)
    for pe in range(4):
        assert seen.read[pe] == [(MASK, 15), (MASK, 15), (MASK, 1 << pe)]
        assert [(op.result, op.ready - op.posted) for op in seen.ops[pe]] == [(10, 1)]


def test_checking_in_names_all(bench):
    """A PE that had a mask, and checks in again, is in the group of all PEs, as is one that wrote a mask and never
    used it."""
    programs = check_in(4)
    for pe, program in enumerate(programs):
        program += [write(MASK, 1 << pe), *([post(5)] if pe % 2 else []), write(CONTROL, 1, 20), (0, "l", 15),
                    post(pe, delay=20), (0, "r", MASK)]
    seen = bench("papers1", 4).run(programs)
    assert [pairs[-1] for pairs in seen.read] == [(MASK, 15)] * 4
    assert [ops[-1].result for ops in seen.ops] == [oracle(NAND, 0, range(4), range(4))] * 4


def test_mistakes_are_flagged(bench):
    """Two PEs name each other with different masks; one posts twice; both check out and in, and all is well again."""
    status = "s", 0
    programs = check_in(4)
    programs[0] += [write(MASK, 3), write(POST, 0), (20, *status)]
    programs[1] += [write(MASK, 7), write(POST, 0), write(POST, 0), (20, *status)]
    programs[2] += [write(MASK, 12), write(POST, 0), (20, *status)]  # has met PE 3 by then
    programs[3] += [write(MASK, 12), write(POST, 0), (20, *status)]
    for program in programs:
        program += [write(CONTROL, 0, 10), write(CONTROL, 1, 20), (0, *status), (9, *status)]
    flags = [[value & 7 for value, in seen] for seen in bench("papers1", 4).run(programs).flags]
    ready, mismatch, early = 1, 2, 4
    assert flags == [[mismatch, ready, ready], [mismatch | early, ready, ready], [ready] * 3, [ready] * 3]


@pytest.mark.parametrize("unit", ["ttl_papers", "usp8", "papers1"])
def test_interrupts(bench, unit):
    """Each interrupt belongs to exactly the first acknowledging barrier that completes after it was raised, which every
    PE sees once, in the same clock, with the same cause; operations in between give the same results as without."""
    rng, pes, raises = random.Random(3), 4, 0
    programs, results = check_in(pes), [[] for _ in range(pes)]
    for _ in range(1000):
        data = [rng.getrandbits(4) for _ in range(pes)]
        for pe in range(pes):
            if rng.randrange(4) == 0:
                programs[pe].append(write(INTERRUPT, 1, some_delay(rng)))
                raises += 1
            programs[pe].append(post(data[pe], delay=some_delay(rng)))
            results[pe].append(oracle(NAND, 0, range(pes), data))
    seen = bench(unit, pes, REGISTER=1).run(programs)
    assert [[op.result for op in ops] for ops in seen.ops] == results

    barriers = [(i.over, i.cause) for i in seen.interrupts[0]]
    assert all([(i.over, i.cause) for i in interrupts] == barriers for interrupts in seen.interrupts)
    for number, (over, _) in enumerate(barriers):
        assert over == 1 + max(seen.interrupts[pe][number].acknowledged for pe in range(pes))
    raised = [(at, pe) for pe in range(pes) for address, at in seen.written[pe] if address == INTERRUPT]
    assert len(raised) == raises
    expected, before = [], -1
    for over, _ in barriers:
        expected.append((over, mask_of({pe for at, pe in raised if before <= at < over})))
        before = over
    assert barriers == expected and max(at for at, _ in raised) < before
