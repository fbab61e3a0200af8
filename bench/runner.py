"""The one runner of the benchmarks of this folder that are programs of Python: the rounds, in which all sides take
turns; what follows from their samples; the options, the tables and the file of figures. A benchmark says what is
measured, and which sides there are: a file of about a hundred lines, as docs/design.md tells ("A benchmark")."""

import argparse
import dataclasses
import itertools
import json
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Callable

import building

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
UNISONO = BUILD / "bin/unisono"
LIBEXEC = BUILD / "libexec/unisono"


@dataclasses.dataclass
class Benchmark:
    """One benchmark, or one part of it. A row of its figures names its case, and has the samples of its sides."""

    doc: str
    # (options): (what it is, {side: function that returns a sample}) of each case. A sample is a number, or what it
    # consists of by names; None: the side does not have this case.
    cases: Callable
    # (rows): (title, columns, lines) of each table; a line is what is in front, and a text for each column or {column:
    # text}
    show: Callable
    rows: Callable = None  # (what, {side: samples}): the rows of a case; otherwise one, as by_names() makes it
    options: Callable = lambda parser: None  # adds its own
    settings: Callable = lambda options: {}  # what goes into the file beside the rows
    docs: object = None  # for --docs: the place of the first table in a document, or a function (rows): {place: table}
    front: str = ""  # the heading of what is in front
    rounds: int = 5
    again: int = 0  # so many times a case that is_low() is measured again: its samples join the others
    is_low: Callable = None  # (rows of a case)
    keep: Callable = None  # (row of an earlier run or None, new row): what stays in the file; otherwise a run begins a new file
    arrange: Callable = lambda rows: rows  # the order of all rows, and what follows from several of them
    plot: Path = None  # a program that draws the file


# ---- rounds


def turns(sides, rounds, samples=None):
    """{side: [sample]}, or more of them. Every side has its turn in every round; each round begins with another one."""
    samples = {} if samples is None else samples
    names = list(sides)
    for turn in range(rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            sample = sides[name]()
            if sample is not None:
                samples.setdefault(name, []).append(sample)
    return {name: samples[name] for name in names if name in samples}


def flat(samples):
    return [one for sample in samples for one in (sample if isinstance(sample, list) else [sample])]


def by_names(samples):
    """{name: {side: samples}} of samples that consist of several; of plain numbers, which are seconds, {"seconds":
    ...}."""
    if not any(isinstance(s, dict) for of_side in samples.values() for s in of_side):
        return {"seconds": {side: flat(of_side) for side, of_side in samples.items()}}
    names = dict.fromkeys(name for of_side in samples.values() for sample in of_side for name in sample)
    return {name: {side: flat(s[name] for s in of_side) for side, of_side in samples.items() if name in of_side[0]} for name in names}


def measure(benchmark, what, sides, rounds):
    """The rows of a case."""
    samples = {}
    for _ in range(1 + benchmark.again):
        of_sides = turns(sides, rounds, samples)
        rows = short(benchmark.rows(what, of_sides) if benchmark.rows else [{**what, **by_names(of_sides)}])
        if not (benchmark.is_low and benchmark.is_low(rows)):
            break
    return rows


# ---- figures computed from samples


def quantile(samples, part):
    ordered = sorted(samples)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]


def ratios(seconds, side, *others):
    """The time of the fastest of the others by the side's, of each round."""
    return [min(theirs) / own for own, *theirs in zip(seconds[side], *(seconds[other] for other in others))]


def cell(samples, scale=1e6, digits=3):
    """The median, and from the least to the most."""
    scaled = [f"{s * scale:,.{digits}f}" for s in (statistics.median(samples), min(samples), max(samples))]
    return "{} ({}-{})".format(*scaled)


def us(samples):
    """Return a time in us, of samples in seconds, to three figures."""
    middle = statistics.median(samples) * 1e6
    return cell(samples, digits=3 if middle < 1 else 2 if middle < 10 else 1 if middle < 100 else 0)


def cells_of(columns, lines):
    """The text in front of each line, and its cells; those that it has not are empty."""
    return [[name, *([cells.get(column, "") for column in columns] if isinstance(cells, dict) else cells)] for name, cells in lines]


def aligned(table):
    """Lines of text: the first column to the left, numbers to the right."""
    table = [list(map(str, line)) for line in table]
    widths = [max(map(len, column)) for column in zip(*table)]
    for first, *others in table:
        yield "  ".join([first.ljust(widths[0]), *(word.rjust(width) for word, width in zip(others, widths[1:]))]).rstrip()


def filled(benchmark, rows, text):
    """The document, with the tables of these rows."""
    import fill
    if callable(benchmark.docs):
        return fill.filled(text, benchmark.docs(rows))
    _, columns, lines = next(iter(benchmark.show(rows)))
    return fill.filled(text, {benchmark.docs: fill.markdown([benchmark.front, *columns], cells_of(columns, lines))})


# ---- sides


def launch(command, environment=None, seconds=300):
    """Return the standard output of a program; if it fails, end this one with the program's errors."""
    words = [os.fspath(word) if isinstance(word, Path) else str(word) for word in command]
    done = subprocess.run(words, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=seconds)
    if done.returncode:
        sys.exit(f"bench: {' '.join(words)}: exit status {done.returncode}\n{(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def on_unisono(pes, program, environment=None, options=()):
    return launch([UNISONO, "run", "-n", pes, *options, *program], environment)


# ---- the file of figures


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def machine():
    return {"processor": processor(), "system": platform.platform()}


def short(value):
    """Nine digits of a number say more than a measurement does."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, dict):
        return {key: short(one) for key, one in value.items()}
    return [short(one) for one in value] if isinstance(value, (list, tuple)) else value


def text(**figures):
    """Return the figures as JSON, one row a line, so that a change of one row is a change of one line."""
    def dumped(value):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n" + ",\n".join(map(json.dumps, value)) + "\n]"
        return json.dumps(value)
    return "{" + ",\n".join(f'"{key}": {dumped(short(value))}' for key, value in figures.items()) + "}\n"


def earlier(path, settings):
    """The rows that the file has already, if there is one: of this machine, measured in the same way."""
    if not path or not path.exists():
        return []
    result = json.loads(path.read_text())
    if (result["machine"], *(result.get(key) for key in settings)) != (machine(), *settings.values()):
        print(f"bench: {path} has figures of another machine, or of other {', '.join(settings)}: give another file", file=sys.stderr)
        sys.exit(2)
    return result["rows"]


def merged(benchmark, before, rows):
    """The rows before that are not among the new ones, and the new ones with the values that they had before."""
    def key(row):
        return json.dumps({name: value for name, value in row.items() if not isinstance(value, (dict, list, float))})
    old = {key(row): row for row in before}
    new = {key(row): benchmark.keep(old.get(key(row)), row) for row in rows}
    return [row for name, row in old.items() if name not in new] + list(new.values())


# ---- the command


def parse(program, benchmark, arguments):
    parser = argparse.ArgumentParser(prog=program, description=benchmark.doc)
    parser.add_argument("--rounds", type=int, default=benchmark.rounds, help=f"turns of each side (default {benchmark.rounds})")
    parser.add_argument("--cases", type=int, metavar="N", help="only the first N of what is measured")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the figures there" + (
        ", after each case; what it has of others, or of earlier rounds, is kept" if benchmark.keep else ""))
    parser.add_argument("--from", dest="source", metavar="FILE", type=Path, help="measure nothing, but show the figures of FILE")
    if benchmark.docs:
        parser.add_argument("--docs", metavar="FILE", type=Path, help="fill the tables of FILE, a document")
    if benchmark.plot:
        parser.add_argument("--plot", metavar="FILE", type=Path, help="draw a picture, as PNG; it needs matplotlib")
    building.add_option(parser)
    benchmark.options(parser)
    options = parser.parse_args(arguments)
    for name in ("rounds", "cases"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error(f"--{name} is at least 1")
    return options


def measured(benchmark, options):
    """The head and the rows of the file, which grows with each case."""
    head = {"machine": machine(), "rounds": options.rounds, **benchmark.settings(options)}
    before, rows = earlier(options.json, benchmark.settings(options)) if benchmark.keep else [], []
    cases = 0
    for what, sides in itertools.islice(benchmark.cases(options), options.cases):
        rows += measure(benchmark, what, sides, options.rounds)
        cases += 1
        print(f"bench: {cases} measured: {', '.join(map(str, what.values()))}", file=sys.stderr, flush=True)
        all_rows = benchmark.arrange(merged(benchmark, before, rows) if benchmark.keep else rows)
        if options.json:
            options.json.write_text(text(**head, rows=all_rows))
    if not rows:
        sys.exit("bench: there is nothing to measure")
    return head, all_rows


def main(program, parts, arguments):
    """parts: {word: benchmark}, of which the first one is measured if no word is among the arguments."""
    part = next((word for word in arguments if word in parts), None)
    if part:
        arguments.remove(part)
    benchmark = parts[part or next(iter(parts))]
    options = parse(f"{program} {part}" if part else program, benchmark, arguments)
    if options.source:
        head = json.loads(options.source.read_text())
        rows = head.pop("rows")
    else:
        building.bring_up(options)
        head, rows = measured(benchmark, options)
    for title, columns, lines in benchmark.show(rows):
        print(f"\n{title}\n", *aligned([[benchmark.front, *columns], *cells_of(columns, lines)]), sep="\n")
    if benchmark.docs and options.docs:
        options.docs.write_text(filled(benchmark, rows, options.docs.read_text()))
    if benchmark.plot and options.plot:
        subprocess.run(["/usr/bin/python3", "-B", benchmark.plot, options.plot], input=text(**head, rows=rows), text=True, check=True)
