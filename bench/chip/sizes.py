"""The network with other sizes, and with a demultiplexer in the face of each tile, each alone and together: the clocks
of a message from a tile to the next one, and of traffic of all tiles; and the LUTs of a tile with its router.

The network is rtl/'s, simulated by Verilator; processors.v and demux.v are beside this file. Processors send and
receive as those of the simulated unit do, and take no other time. Every word that a tile takes is compared with what
was sent to it, and the clock of a message alone in the network with the one that docs/chip.md says."""

import concurrent.futures
import functools
import itertools
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import synthesis

HERE = Path(__file__).resolve().parent
BASE = {"SIDE_X": 4, "SIDE_Y": 4, "WIDTH": 32, "LENGTH": 5, "LIMIT": 31, "DEPTH": 4, "DEMUX": 0}
LONG = {"LENGTH": 8, "LIMIT": 255}
VARIANTS = {
    "as it is": {},
    "queues of 8 words": {"DEPTH": 8},
    "packets of up to 255 words": LONG,
    "words of 64 bits": {"WIDTH": 64},
    "a demultiplexer": {"DEMUX": 1},
    "all four": {"DEPTH": 8, "WIDTH": 64, "DEMUX": 1, **LONG},
}
LATENCIES = [1, 31, 65, 1000]
MESSAGES, MOST = 20, 100  # of each tile in random traffic, and words of the longest
TO_ONE, ONE = 4, 65  # messages of each tile to tile 0, and their words
# The clocks of a header to the next tile; of the handler's way in, or of a demultiplexer's memory, which is written in
# a clock and read in the next; and of a word at the registers.
HOP, HANDLER, SORTED, EACH = 3, 24, 2, 2


class Wrong(Exception):
    """A simulation gave something else than it must."""


def numbers(bits):
    """Different words of so many bits, which use all of them."""
    return (count * 0x9E3779B97F4A7C15 & (1 << bits) - 1 for count in itertools.count(1))


def packets(source, to, words, sizes, number):
    """The packets, lists of words, of a message of so many words of 32 bits. No two words of data are the same."""
    columns = sizes["SIDE_X"]
    left = -(-words * 32 // sizes["WIDTH"])
    while left:
        some = min(left, sizes["LIMIT"])
        left -= some
        header = to % columns | to // columns << 5 | source % columns << 10 | source // columns << 15 | some << 20
        yield [header, *itertools.islice(number, some)]


def check(taken, sent, sizes):
    """Raise Wrong unless a tile has taken, of each source, exactly these packets, in order and unmixed, and those that
    it asked a demultiplexer for. What is taken: the source that was asked for, and a word."""
    left = {source: list(whole) for source, whole in sent.items()}
    words = iter(taken)
    for asked, header in words:
        source = (header >> 10 & 31) + (header >> 15 & 31) * sizes["SIDE_X"]
        due = left[source].pop(0) if left.get(source) else []
        came = [(asked, header), *itertools.islice(words, max(len(due) - 1, 0))]
        if came != [(source if sizes["DEMUX"] else 0, word) for word in due]:
            raise Wrong(f"of tile {source} came {came[:3]}..., and not {due[:3]}...")
    if any(left.values()):
        raise Wrong("packets are missing")


def simulate(folder, messages, sizes):
    """The clock at which the last word of messages, each from tile, to tile and words, has been taken."""
    number, tiles = numbers(sizes["WIDTH"]), range(sizes["SIDE_X"] * sizes["SIDE_Y"])
    sent = {to: {source: [] for source in tiles} for to in tiles}
    out = {source: [] for source in tiles}
    for source, to, words in messages:
        whole = list(packets(source, to, words, sizes, number))
        sent[to][source] += whole
        out[source] += sum(whole, [])
    for tile in tiles:
        (folder / f"{tile}.send").write_text("".join(f"{word:x}\n" for word in out[tile]))
        (folder / f"{tile}.count").write_text(f"{len(out[tile])} {sum(map(len, sum(sent[tile].values(), [])))}\n")
    printed = subprocess.run([folder / "bench"], cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()
    lines = [line.split() for line in printed if line[:1].isdigit()]
    if "end" not in printed:
        raise Wrong(f"not all words came: {printed[-3:]}")
    for tile in tiles:
        check([(int(asked), int(word, 16)) for to, _, asked, word in lines if int(to) == tile], sent[tile], sizes)
    return max(int(clock) for _, clock, *_ in lines)


def alone(words, sizes):
    """The clock of the last word of a message to the next tile in an empty network, by docs/chip.md."""
    count = sum(map(len, packets(0, 1, words, sizes, numbers(sizes["WIDTH"]))))
    return HOP + (SORTED if sizes["DEMUX"] else HANDLER) + EACH * (count - 1)


def compiled(folder, sizes):
    """Make folder/bench, a simulation of the chip. It takes longer to compile than to run, so nothing is optimized."""
    sources = [*sorted(synthesis.RTL.glob("mesh*.v")), HERE / "processors.v", HERE / "demux.v"]
    commands = [["verilator", "--cc", "--exe", "--main", "--timing", "-Wno-fatal", "--top", "processors", "-o", "bench", "--Mdir", folder,
                 *(f"-G{key}={value}" for key, value in sizes.items()), *sources],
                ["make", "-s", "-C", folder, "-f", "Vprocessors.mk", "OPT_FAST=-O0", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0"]]
    for command in commands:
        r = subprocess.run(list(map(str, command)), capture_output=True, text=True)
        if r.returncode:
            raise Wrong(f"{command[0]}: {r.stderr[-1000:]}")


def traffic(sizes):
    """The clocks of each message, and of each kind of traffic."""
    rng, tiles = random.Random(1), range(sizes["SIDE_X"] * sizes["SIDE_Y"])
    scattered = [(tile, rng.choice([t for t in tiles if t != tile]), rng.randint(1, MOST)) for tile in tiles for _ in range(MESSAGES)]
    with tempfile.TemporaryDirectory(prefix="unisono-chip.") as name:
        folder = Path(name)
        compiled(folder, sizes)
        took = {str(words): simulate(folder, [(0, 1, words)], sizes) for words in LATENCIES}
        for words in LATENCIES:
            if took[str(words)] != alone(words, sizes):
                raise Wrong(f"a message of {words} words took {took[str(words)]} clocks, and not {alone(words, sizes)}")
        took["random"] = simulate(folder, scattered, sizes)
        took["all to one"] = simulate(folder, [(tile, 0, ONE) for tile in tiles if tile for _ in range(TO_ONE)], sizes)
    return took


@functools.cache
def cells(top, *further, **parameters):
    """The cells of a module, which other variants may have too."""
    return synthesis.synthesize(synthesis.ICE40, top, *further, **parameters)


def size(sizes, quick):
    """The LUTs and block RAMs of a router in the middle, but not if quick; of its tile's registers; and of what is
    behind them. Parameters that are as they are in rtl/ are left out, as script/sizes does."""
    def of(*keys):
        return {key: sizes[key] for key in keys if sizes[key] != BASE[key]}
    router = {"DEPTH": sizes["DEPTH"], "X": 1, "Y": 1, **of("WIDTH", "LENGTH")}
    parts = [cells("mesh_tile", **router, **of("LIMIT", "SIDE_X", "SIDE_Y"), COUNT=0)]
    if not quick:
        parts.append(cells("mesh_router", **router))
    if sizes["DEMUX"]:
        own = {key: sizes[key] for key in ("SIDE_X", "SIDE_Y", "WIDTH", "LENGTH")}
        parts.append(cells("demux", HERE / "demux.v", **own, ROOM=2 << sizes["LENGTH"]))
    return {"luts": sum(part.luts for part in parts), "rams": sum(part.rams for part in parts)}


def measure(name, quick):
    sizes = {**BASE, **VARIANTS[name], **({"SIDE_X": 2, "SIDE_Y": 2} if quick else {})}
    return {**traffic(sizes), **size(sizes, quick)}


def cases(options):
    """All are measured at the same time, since nothing here is a time of this machine."""
    synthesis.skip_without("yosys", "verilator")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            measured = {name: pool.submit(measure, name, options.quick) for name in (["a demultiplexer"] if options.quick else VARIANTS)}
            for name, future in measured.items():
                yield {"variant": name}, {"chip": future.result}
        except Wrong as wrong:
            sys.exit(f"script/bench-chip: {wrong}")
        finally:
            pool.shutdown(cancel_futures=True)


def rows(what, samples):
    return [{**what, **samples["chip"][0]}]


COLUMNS = {**{str(words): f"{words:,} words" if words > 1 else "1 word" for words in LATENCIES}, "random": "random traffic",
           "all to one": "all to one", "luts": "LUTs of a tile"}


def lines(rows):
    """Figures of the first row, and ratios to them in the others; block RAMs are counts."""
    for row in rows:
        figures = [f"{row[key]:,}" if row is rows[0] else f"{row[key] / rows[0][key]:.2f}" for key in COLUMNS]
        yield row["variant"], [*figures, row["rams"]]


def show(rows):
    yield "clocks, LUTs and block RAMs", [*COLUMNS.values(), "block RAMs of a tile"], list(lines(rows))
