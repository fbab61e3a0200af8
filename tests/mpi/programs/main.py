"""script/mpi-programs: unmodified programs have the same answers on the project's own MPI library as under theirs. See
--help."""

import argparse
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "bench" / "mpi"), str(HERE.parents[2] / "bench"), str(HERE.parent / "suites")]

import building  # noqa: E402  the folders are known only now
import fill  # noqa: E402
import packages  # noqa: E402
import runner  # noqa: E402
from hosts import HOSTS, ROOT, Missing  # noqa: E402
from measure import agree  # noqa: E402
from debian import command  # noqa: E402
from table import PROGRAMS as OWN  # noqa: E402

PROGRAMS = {**OWN, **{name: (packages.cases(name), f"Debian's: {package.what}") for name, package in packages.PACKAGES.items()}}
SIDES = ("alone", "accelerated", "library")


def words(text):
    return text.split(",")


def arguments():
    programs = "\n".join(f"  {name:12s} {what}" for name, (_, what) in PROGRAMS.items())
    parser = argparse.ArgumentParser(
        prog="script/mpi-programs", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Runs unmodified MPI programs under each MPI library alone, with the accelerator, and by `unisono run` on\n"
                    "the project's own library, and compares their answers. Exit status 1: a program that has an answer alone\n"
                    "has another one or none. What cannot be had is skipped, with the reason.\n\nprograms:\n" + programs)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="programs to run; packages: all of Debian's packages (all)")
    parser.add_argument("--hosts", type=words, metavar="HOST,...", help=", ".join(host.key for host in HOSTS))
    parser.add_argument("--sides", type=words, default=SIDES, metavar="SIDE,...", help=f"beside alone: {', '.join(SIDES[1:])}")
    parser.add_argument("--ranks", type=lambda text: [int(word) for word in words(text)], metavar="N,...",
                        help="numbers of ranks (each program's own)")
    parser.add_argument("--only", metavar="NAME,...", type=words, help="cases with these names, such as OSU's allreduce")
    for name, what in (("osu", "OSU's benchmarks"), ("imb", "Intel's, with -DCHECK"), ("hpcg", "HPCG")):
        parser.add_argument(f"--{name}", type=Path, metavar="FOLDER", help=f"{what}, compiled: FOLDER/HOST/**/PROGRAM")
    parser.add_argument("--limit", type=int, default=120, metavar="SECONDS", help="for one run (120)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what happened to FILE; what is there of other "
                        "programs and hosts stays")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="fill the tables of FILE, which is docs/mpi-library.md")
    building.add_option(parser)
    options = parser.parse_args()
    options.programs = [name for given in options.programs for name in (packages.PACKAGES if given == "packages" else [given])]
    for given, known in ((options.programs, PROGRAMS), (options.hosts or (), [host.key for host in HOSTS]), (options.sides, SIDES)):
        for name in given:
            if name not in known:
                parser.error(f"{name}: there are {', '.join(known)}")
    options.sides = [side for side in SIDES if side == "alone" or side in options.sides]
    return options


def answer(case, host, side, limit):
    """The answer, or None; what went wrong; the seconds that the run has taken, with its launcher."""
    environment = dict(case.environment)
    if side == "library":
        environment.pop("LD_LIBRARY_PATH", None)  # by which the other library would be found
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        if case.folder:
            shutil.copytree(case.folder, folder, dirs_exist_ok=True)
            for path in folder.glob(case.results or "none"):
                path.unlink()
        began = time.monotonic()
        try:
            output = host.launch(case.ranks, case.command(side), [host.accelerator()] if side == "accelerated" else (), environment,
                                 folder, limit, side == "library")
            seconds = time.monotonic() - began
            if case.after:
                output += command("sh", "-ec", case.after, folder=folder)
        except (RuntimeError, Missing) as what:
            return None, str(what), None
        found = case.answer(output + "".join(path.read_text() for path in sorted(folder.glob(case.results or "none"))))
    return (found, "", seconds) if found.strip() else (None, "no answer in its output\n" + output[-1000:], None)


def compare(case, host, options):
    """A row of the results: how each side ended, and the text of whatever went wrong."""
    row, said = {"program": case.program, "name": case.name, "host": host.key, "ranks": case.ranks}, []
    alone = None
    for side in (side for side in options.sides if side in case.sides):
        found, why, seconds = answer(case, host, side, options.limit)
        if side == "alone":
            alone, row[side] = found, "answers" if found else "none"
        elif found is None:
            row[side] = "none"
        else:
            row[side] = "same" if alone is None or agree(alone, found) else "another"
        if seconds is not None:
            row.setdefault("seconds", {})[side] = round(seconds, 2)
        if why or row[side] == "another":
            said.append(f"{side}: {why or difference(alone, found)}")
    return row, said


def difference(alone, found):
    one, other = alone.splitlines(), found.splitlines()
    pairs = [f"  {a!r} alone, here {b!r}" for a, b in zip(one, other) if not agree(a, b)]
    return f"{len(one)} lines alone, here {len(other)}\n" + "\n".join(pairs[:10])


def is_wrong(row):
    """A program without an answer alone need not have one elsewhere."""
    return row["alone"] == "answers" and any(row[side] != "same" for side in SIDES[1:] if side in row)


def run_program(name, host, options):
    """Return its rows under a host, and the reason if it is not there."""
    rows = []
    try:
        host.check()
        for case in PROGRAMS[name][0](options, host):
            if options.only and case.name not in options.only:
                continue
            row, said = compare(case, host, options)
            rows.append(row)
            print(f"{'WRONG' if is_wrong(row) else 'ok'}: {name} {case.name}, {host.name}, {case.ranks} ranks: "
                  + ", ".join(f"{side} {row[side]}" for side in options.sides if side in row), flush=True)
            if said:
                print("\n".join(said), flush=True)
    except Missing as why:
        print(f"skipped: {name}, {host.name}: {why}", flush=True)
        return rows, str(why)
    return rows, ""


def table(results):
    """Count for each program and host how many of its runs have the same answer on the library."""
    counted = Counter((row["program"], row["host"], row["library"]) for row in results["rows"] if row["alone"] == "answers")
    lines = []
    for name, (_, what) in OWN.items():
        cells = []
        for host in HOSTS:
            same, all_runs = counted[name, host.key, "same"], sum(n for key, n in counted.items() if key[:2] == (name, host.key))
            cells.append(f"{same} of {all_runs}" if all_runs else "-")
        lines.append([what, *cells])
    return fill.markdown(["program", *(host.name for host in HOSTS)], lines, len(HOSTS))


def tables(results):
    """Those of which there are results."""
    names = {row["program"] for row in results["rows"]}
    made = {"programs": table(results)} if names & set(OWN) else {}
    if names & set(packages.PACKAGES):
        made.update({"packages": packages.table(results), "packages: others": packages.sentence(results)})
    return made


def merged(results, path):
    """Add the file's rows of programs and hosts that were not run now."""
    if not path.exists():
        return results
    before = json.loads(path.read_text())
    now = {f"{row['program']} {row['host']}" for row in results["rows"]} | set(results["skipped"])
    kept = [row for row in before["rows"] if f"{row['program']} {row['host']}" not in now]
    skipped = {what: why for what, why in before["skipped"].items() if what not in now}
    return {**before, **results, "skipped": {**skipped, **results["skipped"]}, "rows": kept + results["rows"]}


def keep(options, rows, skipped):
    """Write what there is so far, so that a run that is stopped has not been in vain."""
    results = {"skipped": skipped, "rows": rows}
    if set(packages.PACKAGES) & {row["program"] for row in rows}:
        results["others"] = packages.others()
    if options.json:
        results = merged(results, options.json)
        options.json.write_text(runner.text(**{**results, "machine": runner.machine()}))
    if options.docs:
        options.docs.write_text(fill.filled(options.docs.read_text(), tables(results)))


def main():
    options = arguments()
    building.bring_up(options)
    rows, skipped = [], {}
    for name in options.programs or PROGRAMS:
        for host in HOSTS:
            if (not options.hosts or host.key in options.hosts) and (name in OWN or packages.PACKAGES[name].host == host.key):
                more, why = run_program(name, host, options)
                rows += more
                if why:
                    skipped[f"{name} {host.key}"] = why
        keep(options, rows, skipped)
    wrong = [row for row in rows if is_wrong(row)]
    none = sum(row["alone"] != "answers" for row in rows)
    print(f"{len(rows)} runs, {len(wrong)} with another answer than alone, or none; {none} without an answer alone; "
          f"{len(skipped)} programs skipped")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    os.chdir(ROOT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
