"""Random programs through `import unisono` against a serial oracle in Python, which shares nothing with the library.

    unisono run -n 3 python3 oracle.py SEED STEPS [apart]

All PEs draw the same schedule from the seed: at each step a partition into groups, for each group a function, a type,
an array or a number, and a value for each member. PEs that are apart, on several machines, have no arrays together and
permute none.
"""

import array
import math
import random
import re
import struct
import sys

import unisono

INTEGERS = {f"{sign}int{bits}": (sign, bits) for sign in ("", "u") for bits in (8, 16, 32, 64)}
FORMATS = dict(zip([*INTEGERS, "float32", "float64"], "bhiqBHIQfd"))
SMALL = [0, 1, 2, -1, 3]


def cut(kind, value):
    """Return the value that an element of the type holds."""
    if kind == "float64":
        return float(value)
    if kind == "float32":
        try:
            return struct.unpack("f", struct.pack("f", value))[0]
        except OverflowError:
            return math.copysign(math.inf, value)
    sign, bits = INTEGERS[kind]
    value &= (1 << bits) - 1
    return value - (1 << bits) if not sign and value >> (bits - 1) else value


def draw(rng, kind):
    if kind.startswith("float"):
        return cut(kind, rng.choice([rng.uniform(-1e3, 1e3), rng.choice([0.0, -0.0, 1.5, math.inf, math.nan])]))
    return cut(kind, rng.choice([rng.getrandbits(64), rng.choice(SMALL)]))


def place(x):
    """Return a key that orders as p_rank does: both zeros are one value, and so are all NaN, above infinity."""
    return (1, 0.0) if x != x else (0, x)


def extreme(a, b, sign):
    if a != a or b != b:
        return a if a != a else b
    if a == b == 0 and isinstance(a, float):
        return a if math.copysign(1, a) * sign <= math.copysign(1, b) * sign else b
    return a if a * sign <= b * sign else b


# A new op needs no row: its arrays are compared with its numbers.
OPS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "min": lambda a, b: extreme(a, b, 1),
    "max": lambda a, b: extreme(a, b, -1),
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
}


def accepts(what, op, x):
    try:
        getattr(unisono, what)(x, op)
    except TypeError:  # it is for integers
        return False
    return True


def ops_there_are():
    """Return the operations of reduce and of scan, for integers and for real numbers, as the library lists them. All
    PEs call this."""
    found = {}
    for what in ("reduce", "scan"):
        try:
            getattr(unisono, what)(0, "none")
        except ValueError as error:
            listed = re.findall("'([a-z]+)'", str(error).split(";")[1])
        for real in (False, True):
            found[what, real] = [op for op in listed if accepts(what, op, 1.0 if real else 1)]
    return found


def fold(kind, op, values):
    result = values[0]
    for value in values[1:]:
        result = cut(kind, OPS[op](result, value))
    return result


def expected(what, kind, op, source, group, values, me):
    """Return PE me's result for one element, from the group members' values in PE order."""
    own = values[group.index(me)]
    if what == "reduce":
        return fold(kind, op, values)
    if what == "scan":
        return fold(kind, op, values[: group.index(me) + 1])
    if what in ("putget", "bcast"):
        return values[group.index(source)]
    if what == "gather":
        return [values[group.index(pe)] if pe in group else None for pe in range(unisono.size())]
    if what == "order":
        return sum((place(v), pe) < (place(own), me) for v, pe in zip(values, group))
    same = [pe for v, pe in zip(values, group) if place(v) == place(own)]
    return len(same) if what == "match_count" else sum(1 << pe for pe in same)


def call(what, x, op, source, dtype):
    function = getattr(unisono, what)
    if what in ("reduce", "scan"):
        return function(x, op, dtype=dtype)
    if what == "putget":
        return function(x, source, dtype=dtype)
    return function(x, root=source, dtype=dtype) if what == "bcast" else function(x, dtype=dtype)


def equal(a, b):
    if a is None or b is None:
        return a is b
    if a != a or b != b:
        return a != a and b != b
    return a == b and math.copysign(1, a) == math.copysign(1, b)


def check(what, got, wanted, replay):
    if not (all(map(equal, got, wanted)) if isinstance(wanted, list) else equal(got, wanted)):
        sys.exit(f"PE {unisono.rank()}: {what} gave {got!r} instead of {wanted!r}; {replay}")


def one_value(rng, group, me, what, kind, op, source, replay):
    values = [draw(rng, kind) for _ in group]
    wide = kind in ("int64", "float64") and rng.random() < 0.5  # which Python's numbers are without being told
    got = call(what, values[group.index(me)], op, source, None if wide else kind)
    check(f"{what} {op} of {kind}", got, expected(what, kind, op, source, group, values, me), replay)


def one_array(rng, group, me, what, kind, op, source, replay):
    length = rng.choice([0, 1, 2, 3, 5, 17, 300])
    arrays = [[draw(rng, kind) for _ in range(length)] for _ in group]
    got = call(what, array.array(FORMATS[kind], arrays[group.index(me)]), op, source, None)
    for i in range(length):
        if op in OPS:
            wanted = expected(what, kind, op, source, group, [a[i] for a in arrays], me)
        else:  # as the number would be combined by the function of C, which has an oracle of its own
            wanted = call(what, arrays[group.index(me)][i], op, source, kind)
        of_pe = [got[pe, i] if pe in group else None for pe in range(unisono.size())] if what == "gather" else got[i]
        check(f"{what}[{i}] {op} of {kind}", of_pe, wanted, replay)


def truths(rng, group, me, replay):
    values = [rng.random() < 0.5 for _ in group]
    own = values[group.index(me)]
    check("any", unisono.any(own), any(values), replay)
    check("all", unisono.all(own), all(values), replay)
    check("waitvec", unisono.waitvec(own), sum(v << pe for v, pe in zip(values, group)), replay)
    votes = [rng.choice(group) for _ in group]
    voters = [pe for v, pe in zip(votes, group) if v == me]
    check("vote", unisono.vote(votes[group.index(me)]), sum(1 << pe for pe in voters), replay)
    check("vote_count", unisono.vote_count(votes[group.index(me)]), len(voters), replay)
    bits = [rng.random() < 0.5 for _ in group]
    check("bool add", unisono.reduce(bits[group.index(me)], dtype=bool), sum(bits) % 2 == 1, replay)


def exchanges(rng, group, me, replay):
    """All-to-all and sort of all members' arrays."""
    own, kind = group.index(me), rng.choice(list(FORMATS))
    counts = [[rng.randrange(4) for _ in group] for _ in group]
    blocks = [[[draw(rng, kind) for _ in range(count)] for count in row] for row in counts]
    x = array.array(FORMATS[kind], sum(blocks[own], []))
    got, lengths = unisono.alltoallv(x, counts[own])
    check("alltoallv's counts", lengths, [row[own] for row in counts], replay)
    check(f"alltoallv of {kind}", got.tolist(), sum((row[own] for row in blocks), []), replay)
    equal_blocks = [[draw(rng, kind) for _ in range(2 * len(group))] for _ in group]
    got = unisono.alltoall(array.array(FORMATS[kind], equal_blocks[own]))
    check(f"alltoall of {kind}", got.tolist(), sum((row[2 * own :][:2] for row in equal_blocks), []), replay)
    parts = [[draw(rng, "int16") for _ in range(rng.randrange(20))] for _ in group]
    x, first = array.array("h", parts[own]), sum(map(len, parts[:own]))
    unisono.sort(x)
    check("sort", x.tolist(), sorted(sum(parts, []))[first:][: len(x)], replay)


def permutations(rng, group, me, replay):
    """Every member puts its part of an array to where it belongs, and gets another part."""
    own, length = group.index(me), rng.randrange(1, 40)
    places, owner = rng.sample(range(length), length), [rng.randrange(len(group)) for _ in range(length)]
    wanted = [[rng.randrange(length) for _ in range(5)] for _ in group]
    shared, mine = unisono.shared(length, "int64"), [i for i in range(length) if owner[i] == own]
    unisono.permute_put(shared, array.array("q", [places[i] for i in mine]), array.array("q", mine))
    got = unisono.permute_get(shared, array.array("Q", wanted[own]))
    check("permute_get", got.tolist(), [places.index(k) for k in wanted[own]], replay)
    shared[own % length] = shared[own % length]  # as every member may
    unisono.wait()


def messages(rng, group, me, replay):
    """Send objects and bytes between members, and gather objects of all of them."""
    to = rng.sample(group, len(group))
    texts = [bytes(rng.choice([0, 5, 300, 70000])) + str(k).encode() for k in group]
    own, source, tag = group.index(me), group[to.index(me)], rng.randrange(5)
    unisono.send_object({"of": me, "text": texts[own]}, to[own], tag)
    unisono.send(texts[own], to[own], tag + 1)
    told = unisono.probe(source, rng.choice([tag + 1, tag + 1, None])) if rng.random() < 0.5 else None
    room = bytearray(80000)
    text = texts[group.index(source)]
    got = unisono.recv(room, source, tag + 1)
    check("recv", list(got), [source, tag + 1, len(text)], replay)
    if room[: len(text)] != text or (told and told.source != source):
        sys.exit(f"PE {me}: recv gave other bytes, or probe told {told}; {replay}")
    if unisono.recv_object(source, tag) != {"of": source, "text": text}:
        sys.exit(f"PE {me}: recv_object gave something else; {replay}")
    root = rng.choice(group)
    if unisono.bcast_object((me, texts[own]), root) != (root, texts[group.index(root)]):
        sys.exit(f"PE {me}: bcast_object gave something else; {replay}")
    every = [texts[group.index(pe)] if pe in group else None for pe in range(unisono.size())]
    if unisono.gather_object(texts[own]) != every:
        sys.exit(f"PE {me}: gather_object gave something else; {replay}")


def meet(rng, group, me, replay, ops):
    others = {"truths": truths, "exchanges": exchanges, "permutations": permutations, "messages": messages}
    if sys.argv[3:] == ["apart"]:
        del others["permutations"]
    what = rng.choice(["reduce", "scan", "putget", "bcast", "gather", "order", "match", "match_count", "wait", *others])
    kind = rng.choice(list(FORMATS))
    op = rng.choice(ops["scan" if what == "scan" else "reduce", kind.startswith("float")])
    source = rng.choice(group)
    if what in others:
        others[what](rng, group, me, replay)
    elif what == "wait":
        unisono.wait()
    else:
        how = rng.choice([one_value, one_value, one_array])
        (how if op in OPS else one_array)(rng, group, me, what, kind, op, source, replay)


def main():
    seed, steps = int(sys.argv[1]), int(sys.argv[2])
    me, n = unisono.rank(), unisono.size()
    rng, ops = random.Random(seed), ops_there_are()
    for step in range(steps):
        labels = [rng.randrange(rng.choice([1, 1, 2, n])) for _ in range(n)]
        label, draws = labels[me], rng.getrandbits(32)
        group = [pe for pe in range(n) if labels[pe] == label]
        replay = f"step {step} of: unisono run -n {n} python3 tests/python/oracle.py {' '.join(sys.argv[1:])}"
        with unisono.group(group if rng.random() < 0.5 else sum(1 << pe for pe in group)):
            if (unisono.population(), unisono.enumerate(), unisono.select_first()) != (len(group), group.index(me), group[0]):
                sys.exit(f"the group is not {group}; {replay}")
            meet(random.Random(draws * 1024 + label), group, me, replay, ops)
    if me == 0:
        print(f"{n} PEs, {steps} steps: every result as expected")


main()
