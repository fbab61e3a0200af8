"""script/bench-mpi: how much faster unmodified MPI programs are with the accelerator. See --help."""

import argparse
import datetime
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import benchmarks  # noqa: E402  the folder of the runner is known only now
import building  # noqa: E402
import docs  # noqa: E402
import fill  # noqa: E402
import goals  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
import runner  # noqa: E402
import store  # noqa: E402
from hosts import HOSTS, PROCESSORS, ROOT, Missing  # noqa: E402

PARTS = {
    # name: (what measures it, numbers of ranks, what tells one row from another, what it is)
    "tables": (measure.tables, (2, 3, 4, 5, 6, 7, 8), ("host", "ranks", "operation", "bytes", "timing"),
               "Tables I to IV of the 1999 paper, both sides in one run"),
    "sizes": (measure.sizes, (2, 4, 8), ("host", "ranks", "operation", "bytes"), "every operation from 1 byte to 4 MB, in one run"),
    "osu": (benchmarks.osu, (2, 4, 8), ("host", "ranks", "operation", "bytes"), "the OSU Micro-Benchmarks, unmodified, runs in turn"),
    "imb": (benchmarks.imb, (2, 4, 8), ("host", "ranks", "operation", "bytes"), "the Intel MPI Benchmarks, unmodified, runs in turn"),
    "applications": (measure.applications, (2, 4, 6), ("host", "ranks", "application"), "ScaLAPACK, PETSc and a conjugate gradient"),
}


def numbers(text):
    return [int(word) for word in text.split(",")]


def words(text):
    return text.split(",")


def arguments():
    parts = "\n".join(f"  {name:13s} {what}; {','.join(map(str, ranks))} ranks" for name, (_, ranks, _, what) in
                      PARTS.items())
    parser = argparse.ArgumentParser(
        prog="script/bench-mpi", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Measures unmodified MPI programs with the accelerator and without, under every MPI library that\n"
                    "is here, and says which goals were reached. Figures are kept in the results folder, so that parts\n"
                    "can be measured one by one; `report` prints what is there.\n\nparts:\n" + parts +
                    "\n  build         compile and fetch everything, measure nothing\n"
                    "  report        only print what has been measured")
    parser.add_argument("parts", nargs="*", metavar="PART", help="parts to measure (all)")
    parser.add_argument("--hosts", type=words, metavar="HOST,...", help=", ".join(host.key for host in HOSTS))
    parser.add_argument("--ranks", type=numbers, metavar="N,...", help="numbers of ranks (each part's own)")
    parser.add_argument("--operations", type=words, metavar="NAME,...", help="of sizes, osu, imb: MPI_Bcast, ...")
    parser.add_argument("--applications", type=words, metavar="NAME,...", help=", ".join(measure.APPLICATIONS))
    parser.add_argument("--osu", type=Path, metavar="FOLDER",
                        help="OSU Micro-Benchmarks, compiled: FOLDER/HOST/**/osu_bcast (or FOLDER/openmpi, /mpich)")
    parser.add_argument("--imb", type=Path, metavar="FOLDER", help="Intel MPI Benchmarks, compiled, in the same way")
    parser.add_argument("--rounds", type=int, default=3, help="of osu and imb: runs of each side in a turn (3)")
    parser.add_argument("--runs", type=int, default=9, help="of applications: runs of each side, at most (9)")
    parser.add_argument("--seconds", type=float, default=30, help="no further runs of an application after this (30)")
    parser.add_argument("--milliseconds", type=int, help="of tables and sizes: time for a side of a cell (200)")
    parser.add_argument("--limit", type=int, default=300, help="seconds after which a run has failed (300)")
    parser.add_argument("--results", type=Path, default=programs.WORK / "results", metavar="FOLDER",
                        help="where figures are kept, a file for each part (build/mpi-bench/results)")
    parser.add_argument("--json", type=Path, metavar="FOLDER",
                        help="write the figures to FOLDER too, as bench/results/MACHINE")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="fill the tables of FILE, which is docs/mpi.md")
    parser.add_argument("--plot", type=Path, metavar="FOLDER", help="write PNG pictures to FOLDER")
    building.add_option(parser)
    options = parser.parse_args()
    known = {host.key for host in HOSTS}
    for part in options.parts:
        if part not in (*PARTS, "build", "report"):
            parser.error(f"no part {part}: there are {', '.join(PARTS)}, build, report")
    for host in options.hosts or ():
        if host not in known:
            parser.error(f"no host {host}: there are {', '.join(sorted(known))}")
    for name in options.applications or ():
        if name not in measure.APPLICATIONS:
            parser.error(f"no application {name}: there are {', '.join(measure.APPLICATIONS)}")
    for folder in (options.osu, options.imb):
        if folder is not None and not folder.is_dir():
            parser.error(f"{folder}: no such folder")
    return options


def machine():
    return f"{runner.processor()}, {PROCESSORS} processors, Linux {platform.release()}"


def code():
    """The last commit that changed the library or the accelerator; +: and changes that are not committed."""
    parts = ["src", "include", "mpi"]
    last = subprocess.run(["git", "log", "-1", "--format=%h", "--", *parts], capture_output=True, text=True)
    if last.returncode:
        return "not a git checkout"
    changed = subprocess.run(["git", "status", "--porcelain", "--", *parts], capture_output=True, text=True).stdout
    return last.stdout.strip() + "+" * bool(changed)


def load(folder):
    return store.load(folder, PARTS, machine())


def merge(results, part, rows):
    keys = PARTS[part][2]
    new = {tuple(row[key] for key in keys) for row in rows}
    measured = code()
    for row in rows:
        row["code"] = measured
    kept = [row for row in results[part] if tuple(row[key] for key in keys) not in new]
    results[part] = kept + rows


def measure_piece(options, results, part, host, ranks):
    """Measure one host and number of ranks. Missing parts are reported, and the rest goes on. Returns the failures."""
    print(f"bench-mpi: {part}: {host.name}, {ranks} ranks", file=sys.stderr, flush=True)
    missing, failed = [], []
    try:
        host.check()
        host.accelerator()
        rows, missing, failed = PARTS[part][0](options, host, ranks)
        merge(results, part, rows)
    except Missing as why:
        missing.append(str(why))
    except RuntimeError as what:
        failed.append(str(what))
    results["missing"][f"{part} {host.key}"] = missing
    for why in missing:
        print(f"bench-mpi: LEFT OUT: {part}, {host.name}: {why}", file=sys.stderr)
    results["date"] = datetime.date.today().isoformat()
    results["machine"] = machine()
    store.save(results, part, options.results)
    for what in failed:
        print(f"bench-mpi: FAILED: {what}", file=sys.stderr)
    return failed


def build(hosts, options):
    for host in hosts:
        makers = [lambda name=name: programs.ours(host, name) for name in programs.OUR_PROGRAMS]
        makers += [lambda: programs.imb(options, host), lambda: programs.osu(options, host, "osu_barrier"),
                   lambda: programs.pdscaex(host), lambda: programs.ksp_ex3(host)]
        for make in makers:
            try:
                make()
            except Missing as why:
                print(f"bench-mpi: cannot be had: {host.name}: {why}", file=sys.stderr)


def main():
    options = arguments()
    hosts = [host for host in HOSTS if not options.hosts or host.key in options.hosts]
    results = load(options.results)
    failed = []
    if options.parts != ["report"]:
        building.bring_up(options)
        build(hosts, options)
    for part in [part for part in PARTS if part in options.parts or not options.parts]:
        for host in hosts:
            for ranks in PARTS[part][1]:
                if options.ranks and ranks not in options.ranks:
                    continue
                failed += measure_piece(options, results, part, host, ranks)
    if options.parts == ["build"]:
        return 0
    reached = goals.all_goals(results)
    report.show(results, reached)
    if options.json:
        for part in PARTS:
            if results[part]:
                store.save(results, part, options.json)
    if options.docs:
        options.docs.write_text(fill.filled(options.docs.read_text(), docs.tables(results, reached)))
    if options.plot:
        import plot
        plot.draw(results, options.plot)
    return 1 if failed else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
