"""script/mpi-suites: what passes under an MPI library passes with the accelerator, or on the project's own. See
--help."""

import argparse
import datetime
import json
import os
import re
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[3] / folder) for folder in ("bench", "bench/mpi")]

import accelerator  # noqa: E402
import building  # noqa: E402
import fill  # noqa: E402
import library  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
from hosts import HOSTS, PROCESSORS, ROOT, Missing  # noqa: E402

KEYS = [host.key for host in HOSTS]


def parts_of(subject):
    return "\n".join(f"  {name:9s}{about}" for name, about in subject.PARTS.items())


def words(text):
    return text.split(",")


def numbers(text):
    return [int(word) for word in text.split(",")]


def arguments():
    parser = argparse.ArgumentParser(
        prog="script/mpi-suites", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs test suites of others under each MPI library, alone and accelerated; with --library by `unisono run`\n"
                    "on the project's own MPI library, and what does not pass there under the library for which it is\n"
                    "compiled. Exit status 1: something that passes there does not here, or known.txt lists a failure that\n"
                    "is none any more, or nothing was accelerated.\n\n"
                    f"parts:\n{parts_of(accelerator)}\nparts of --library:\n{parts_of(library)}\n"
                    "and, of either:\n  report   run nothing: what the file of --json has")
    parser.add_argument("parts", nargs="*", metavar="PART", help="suites to run (all)")
    parser.add_argument("--library", action="store_const", dest="subject", const=library, default=accelerator,
                        help="the project's own MPI library, in place of the accelerator")
    parser.add_argument("--nodes", type=int, default=1, metavar="N",
                        help="with --library: the ranks on so many nodes, which are this machine by a stand-in for ssh (1)")
    parser.add_argument("--unit", type=words, default=[""], dest="units", metavar="NAME,...",
                        help="with --library: the ranks on such a unit of `unisono run`, or on one after the other (mesh=2x2,mesh=4x4)")
    parser.add_argument("--hosts", type=words, metavar="HOST,...",
                        help=f"of {', '.join(KEYS)} (Fortran and C++ of --library: mpich-4; else mpich-5, and openmpi-5 unless its "
                        "programs are MPICH's)")
    parser.add_argument("--ranks", type=numbers, metavar="N,...", help="numbers of ranks (mpi4py: 1,2,3,5; others: those of their lists)")
    parser.add_argument("--only", type=re.compile, metavar="REGEX", help="cases with such a name")
    parser.add_argument("--limit", type=int, default=180, metavar="SECONDS", help="for one run (180)")
    parser.add_argument("--memory", type=float, metavar="GB", help="leave out what takes more (half of what is free)")
    parser.add_argument("--jobs", type=int, default=PROCESSORS, metavar="N", help=f"runs at a time ({PROCESSORS})")
    parser.add_argument("--mpich-source", type=Path, metavar="PATH",
                        help="MPICH's source, an archive or a folder (Debian's source package, fetched by apt)")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mpi-suites", metavar="FOLDER",
                        help="where everything is fetched and compiled (build/mpi-suites)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what happened to FILE; what is there of other cases stays")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="fill the tables of FILE: docs/mpi.md, or docs/mpi-library.md")
    building.add_option(parser)
    options = parser.parse_args()
    for part in options.parts:
        if part not in (*options.subject.PARTS, "report"):
            parser.error(f"no part {part}: there are {', '.join(options.subject.PARTS)}, report")
    if "report" in options.parts and (options.parts != ["report"] or not options.json or not options.json.exists()):
        parser.error("report takes a file of --json, and no other part")
    for key in options.hosts or ():
        if key not in KEYS:
            parser.error(f"no host {key}: there are {', '.join(KEYS)}")
    if options.mpich_source and not options.mpich_source.exists():
        parser.error(f"{options.mpich_source}: not there")
    if options.json and options.json.exists() and not all(options.subject.SIDE in row for row in read(options.json)["cases"]):
        parser.error(f"{options.json}: it has not the results of {options.subject.__name__}.py")
    if options.nodes > 1 and options.subject is not library:
        parser.error("--nodes is for --library")
    if options.units != [""] and (options.subject is not library or options.nodes > 1):
        parser.error("--unit is for --library, without --nodes")
    options.work = options.work.resolve()
    return options


# ---- the runs
# -----------------------------------------------------------------------------------------------------------


class Progress:
    """A bar on a terminal; what does not pass is told everywhere."""

    def __init__(self, subject, total):
        self.subject, self.total, self.done, self.terminal = subject, total, 0, sys.stderr.isatty()

    def finished(self, row):
        self.done += 1
        result, end = self.subject.verdict(row), "\r\x1b[K" if self.terminal else ""
        if result != self.subject.GOOD:
            print(f"{end}mpi-suites: {self.done}/{self.total}: {result}: {report.describe(row)}", file=sys.stderr, flush=True)
        if self.terminal:
            bar = "#" * (30 * self.done // self.total)
            last = f"{report.suite_of(row)} {row['host']} {row['ranks']} ranks {row['name']}"
            sys.stderr.write(f"{end}[{bar:30s}] {self.done}/{self.total} {last}"[:110] + ("\r\x1b[K" if self.done == self.total else ""))
            sys.stderr.flush()


def run_cases(options, unit, cases, results):
    progress = Progress(options.subject, len(cases))

    def one(case):
        nodes = min(case.ranks, options.nodes)
        apart = {"unit": unit} if unit else {"nodes": nodes} if nodes > 1 else {}
        return {"suite": case.suite, "host": case.host.key, "ranks": case.ranks, "name": case.name, **apart,
                **options.subject.sides(case, case.seconds or options.limit, **apart)}
    pool = ThreadPoolExecutor(options.jobs)
    try:
        for row in pool.map(one, cases):
            results["cases"].append(row)
            progress.finished(row)
            if options.json and len(results["cases"]) % 20 == 0:  # whatever happens to the rest
                write(options.subject, merged(results, options.json), options.json)
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        run.end_all()
        raise
    pool.shutdown()


def run_parts(options, parts, results):
    for part in parts:
        for host in [host for host in HOSTS if host.key in (options.hosts or options.subject.hosts_of(part))]:
            results["libraries"][host.key] = f"{host.name}: {host.version()}"
            try:
                cases = [case for case in options.subject.cases(options, host, part)
                         if options.only is None or options.only.search(case.name)]
            except Missing as why:
                options.leave_out(part, host, "all of it", str(why))
                continue
            for unit in options.units:
                run_cases(options, unit, fitting(options, unit, cases), results)


def fitting(options, unit, cases):
    """Return the cases that have not too many ranks for the unit."""
    found = []
    for case in cases:
        why = unit and library.refused(unit, case.ranks)
        if why:
            options.leave_out(case.suite, case.host, f"{case.name}, {case.ranks} ranks", why, unit=unit)
        else:
            found.append(case)
    return found


# ---- the file of results
# ------------------------------------------------------------------------------------------------


def packed(subject, rows):
    """The cases that pass on every side, by suite, library, ranks and place, each with its figures; and the others,
    with their output where that is the subject's fault."""
    passed, others = {}, []
    for row in rows:
        sides = {name: row[name] for name in report.SIDES if name in row}
        if all(side["end"] == "passed" for side in sides.values()):
            key = (*(row.get(name) for name in PLACE), *sides)
            passed.setdefault(key, {})[row["name"]] = [row[subject.SIDE][name] for name in figures(row) if name in row[subject.SIDE]]
        else:
            silent = {} if subject.verdict(row) == subject.FAULT else {
                name: {key: value for key, value in side.items() if key != "output"} for name, side in sides.items()}
            others.append({**row, **silent})
    return [*({**{name: value for name, value in zip(PLACE, key) if value}, "sides": key[len(PLACE):], "passed": names}
              for key, names in passed.items()), *others]


PLACE = ("suite", "host", "ranks", "nodes", "unit")


def figures(row):
    """Return the figures of a side that are kept of a case that passes: the accelerator's counts; on a simulated unit,
    where the sizes of a case decide if it can be run at all, its time."""
    return ("seconds",) if "unit" in row else ("operations", "accelerated")


def unpacked(lines):
    for line in lines:
        for name, values in line.get("passed", {}).items():
            yield {**{key: line[key] for key in PLACE if key in line}, "name": name,
                   **{side: {"end": "passed"} for side in line["sides"][:-1]},
                   line["sides"][-1]: {"end": "passed", **dict(zip(figures(line), values))}}
        if "passed" not in line:
            yield line


def read(path):
    results = json.loads(path.read_text())
    return {**results, "cases": list(unpacked(results["cases"]))}


def write(subject, results, path):
    """An entry a line, so that a change of one is a change of one line."""
    lines = [f'"{key}": {json.dumps(value)}' for key, value in results.items() if key not in ("cases", "left_out")]
    for key, rows in (("left_out", results["left_out"]), ("cases", packed(subject, results["cases"]))):
        entries = ",\n".join(map(json.dumps, rows))
        lines.append(f'"{key}": [\n{entries}\n]')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{" + ",\n".join(lines) + "}\n")


def merged(results, path, identity=("suite", "host", "ranks", "unit", "name")):
    """Add the file's cases that were not run now."""
    if not path.exists():
        return results
    before, results = read(path), dict(results)
    for key in ("libraries", "sources"):
        results[key] = {**before.get(key, {}), **results.get(key, {})}
    for key in ("cases", "left_out"):
        def name(entry):
            return tuple(entry.get(part) for part in identity)
        now = {name(entry) for entry in results[key]}
        results[key] = [entry for entry in before[key] if name(entry) not in now] + results[key]
    return results


def main():
    options = arguments()
    subject = options.subject
    results = {"date": datetime.date.today().isoformat(), "processors": PROCESSORS, "limit": options.limit,
               "partial": bool(options.only or options.ranks), "suites": dict(subject.PARTS), "libraries": {}, "sources": {}, "left_out": [], "cases": []}

    def leave_out(suite, host, name, why, **where):
        results["left_out"].append({"suite": suite, "host": host.key, **where, "name": name, "why": why})
    if options.nodes > 1:
        results["nodes"] = options.nodes
    options.leave_out, options.sources = leave_out, results["sources"]
    if options.parts == ["report"]:
        results = read(options.json)
    else:
        building.bring_up(options)
        run_parts(options, options.parts or subject.PARTS, results)
    report.show(subject, results)
    if options.json and options.parts != ["report"]:
        write(subject, merged(results, options.json), options.json)
    if options.docs:
        everything = merged(results, options.json) if options.json else results
        options.docs.write_text(fill.filled(options.docs.read_text(), subject.docs(everything)))
    return 1 if subject.failed(results) else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
