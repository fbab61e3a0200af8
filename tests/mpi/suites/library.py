"""The project's own MPI library under the suites: what passes under the MPI library for which the programs are compiled
passes by `unisono run`, but for what known.txt lists with a reason."""

import fnmatch
import functools
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import hosts
import mpi4py_suite
import mpich_suite
import run
from fill import markdown
from report import pieces

DIRECTORIES = "attr coll comm datatype errhan group info init io part pt2pt rma topo".split()
PARTS = {**{name: f"MPICH's public test suite, directory {name}" for name in DIRECTORIES},
         "errors": "those of its directory errors that are not about spawning",
         "f77": "those of its directory f77, for Fortran with mpif.h, that are not about spawning",
         "f90": "those of its directory f90, for Fortran's module mpi, that are not about spawning",
         "f08": "those of its directory f08, for Fortran's module mpi_f08, that are not about spawning",
         "cxx": "those of its directory cxx, for C++, that are not about spawning",
         "threads": "those of its directory threads that are not about spawning and tools",
         "mpi4py": f"mpi4py {mpi4py_suite.VERSION}'s test modules, and its tests of mpi4py.futures"}
SIDE = "library"
GOOD = "passes"
FAULT = "FAILS"
VERDICTS = {"passes": "passes by unisono run", "listed": "passes under that library only, as known.txt says",
            "neither": "does not pass under that library either, or has nothing for so many ranks",
            "FAILS": "passes under that library, not by unisono run, and known.txt has no reason"}
COLUMNS = ["suite", "compiled for", "ranks", "runs", *VERDICTS]


def hosts_of(part):
    if part == "mpi4py":
        return ("mpich-5", "openmpi-5")
    return ("mpich-4",) if part in mpich_suite.LANGUAGES else ("mpich-5",)


def cases(options, host, part):
    if part == "mpi4py":
        return [*mpi4py_suite.cases(options, host, lambda module: True, needs_tests=True), *mpi4py_suite.futures(options, host)]
    return mpich_suite.cases(options, host, part)


@functools.cache
def refused(unit, ranks):
    """Return why there are not so many ranks on the unit, in the words of unisono run; or an empty text."""
    command, environment = hosts.on_library(ranks, ["true"], unit=unit)
    tried = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if tried.returncode != 2:
        return ""
    what, many, why = tried.stderr.splitlines()[0].partition(f"-n {ranks}: ")
    if not many:
        sys.exit(what)
    return why


def sides(case, seconds, nodes=1, unit=""):
    """Return how the case ends by unisono run, and, where it does not pass, under the library that it was compiled
    for."""
    here = run.run(case, *hosts.on_library(case.ranks, case.program, nodes, unit), seconds)
    if here["end"] == "passed":
        return {"library": here}
    return {"alone": run.run(case, *case.host.command(case.ranks, case.program), seconds), "library": here}


# ---- the known failures
# -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """A row of known.txt."""
    suite: str
    pattern: str
    host: str  # or empty: each
    why: str
    where: str = ""  # only with ranks there: "nodes", several of them; a unit, mesh; or one with these sides, mesh=2x2

    def is_of(self, row):
        unit = row.get("unit", "")
        places = ("", "nodes" if "nodes" in row else "", unit, unit.split("=")[0])
        return self.suite == row["suite"] and self.host in ("", row["host"]) and self.where in places

    def fits(self, row, what):
        return self.is_of(row) and any(fnmatch.fnmatchcase(what, form) for form in (self.pattern, self.pattern + ".*"))

    def tried(self, row):
        """Return true if the row could have shown the failure."""
        program = row["name"].split()[0]
        return self.fits(row, program) or (row["suite"] == "mpi4py" and self.is_of(row)
                                           and fnmatch.fnmatchcase(program, self.pattern.split(".")[0]))


def known(file=Path(__file__).parent / "known.txt"):
    found = []
    for line in file.read_text().splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"([\w-]+)/([^\s@+]+)(?:@([\w-]+))?(?:\+([\w=]+))?  +(.+)", line)
            if not match:
                raise RuntimeError(f"{file.name}: {line!r} is no row")
            found.append(Known(match[1], match[2], match[3] or "", match[5], match[4] or ""))
    return found


def wrong(row, side):
    """Return what failed on a side: the program's name; or tests of a module, such as test_info.TestInfo.testGet, if it
    named them."""
    if side not in row or row[side]["end"] == "passed":
        return set()
    tests = [re.fullmatch(r"(\w+) \(([\w.]+)\)", text) for text in row[side].get("failures", [])]
    if not tests or None in tests:
        return {row["name"].split()[0]}
    return {m[2] if m[2].endswith("." + m[1]) else f"{m[2]}.{m[1]}" for m in tests}


def ours(row):
    """Return what failed by unisono run alone."""
    alone, here = wrong(row, "alone"), wrong(row, "library")
    return set() if row["name"].split()[0] in alone else here - alone


def verdict(row, rows=tuple(known())):
    if row["library"]["end"] == "passed":
        return "passes"
    left = ours(row)
    if not left:
        return "neither"
    return "listed" if all(any(k.fits(row, what) for k in rows) for what in left) else "FAILS"


def mended(rows, table=tuple(known())):
    """Return the rows of the table whose cases were run and no longer fail."""
    return [k for k in table if any(k.tried(row) for row in rows)
            and not any(k.fits(row, what) for row in rows for what in wrong(row, "library"))]


def mended_of(results):
    """Judge whole suites only: without some of the ranks or cases nothing is known of the rest."""
    return [] if results.get("partial") else mended(results["cases"])


def remarks(results):
    return [f"PASSES NOW: known.txt has {k.suite}/{k.pattern}{'@' * bool(k.host)}{k.host}{'+' * bool(k.where)}{k.where}, which does not fail"
            for k in mended_of(results)]


def failed(results):
    rows = results["cases"]
    return bool(not rows or mended_of(results) or any(verdict(row) == FAULT for row in rows))


# ---- what docs/mpi-library.md has
# ----------------------------------------------------------------------------------------


def counts(rows):
    return [[*key, len(piece), *(sum(verdict(row) == name for row in piece) for name in VERDICTS)]
            for key, piece in pieces(rows).items()]


def listed():
    """known.txt, as a table."""
    def what(k):
        where = "several nodes" if k.where == "nodes" else k.where
        return f"{k.suite}/{k.pattern}".replace("*", "\\*") + (f", {k.host}" if k.host else "") + (f", on {where}" if where else "")
    return markdown(["what", "why"], [[what(k), k.why] for k in known()])


def smaller():
    """bounded.txt, as a table."""
    return markdown(["source", "its text", "here"], [
        [f"{suite}/{name}", f"`{old}`", f"`{new}`"] for suite, sources in mpich_suite.bounds().items()
        for name, changes in sources.items() for old, new in changes])


def docs(results):
    """A row for each suite and library, and known.txt. Ranks on several nodes, and on a unit, have tables of their own;
    those on a unit also of the sizes that are smaller there."""
    rows, together = results["cases"], {}
    for suite, host, ranks, *numbers in counts(rows):
        together.setdefault((suite, host), []).append((ranks, numbers))
    lines = []
    for (suite, host), found in together.items():
        ranks = sorted({ranks for ranks, _ in found})
        span = ", ".join(map(str, ranks)) if len(ranks) < 5 else f"{ranks[0]} to {ranks[-1]}"
        lines.append([suite, results["libraries"][host], span, *(f"{sum(column):,}" for column in zip(*(n for _, n in found)))])
    where = ": unit" if any("unit" in row for row in rows) else ": nodes" if "nodes" in results else ""
    sizes = {"suites: sizes": smaller()} if where == ": unit" else {}
    return {f"suites{where}": markdown(COLUMNS, lines, len(COLUMNS) - 3), **sizes, "suites: known": listed()}
