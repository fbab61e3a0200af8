"""The accelerator under the suites: what passes under an MPI library alone passes with it."""

import json
import tempfile
import textwrap
from pathlib import Path

import hosts
import mpi4py_suite
import mpich_suite
import run
from fill import markdown
from report import grouped, pieces

PARTS = {"mpi4py": f"mpi4py {mpi4py_suite.VERSION}'s test modules that touch collectives",
         "coll": "MPICH's public test suite, directory coll"}
SIDE = "accelerated"
GOOD = "both"
FAULT = "DIFFERS"

# The outcome of a case alone and accelerated gives a verdict. Only DIFFERS is the accelerator's fault.
VERDICTS = {"both": "passed alone and accelerated", "DIFFERS": "passed alone, and not accelerated",
            "only accelerated": "passed accelerated only", "neither": "passed neither alone nor accelerated",
            "limit": "did not end in time, neither alone nor accelerated"}
COLUMNS = ["suite", "library", "ranks", "cases", *VERDICTS, "collectives", "accelerated"]


def hosts_of(_):
    return ("openmpi-5", "mpich-5")


def cases(options, host, part):
    if part == "mpi4py":
        return mpi4py_suite.cases(options, host, mpi4py_suite.touches_collectives)
    return mpich_suite.cases(options, host, part)


def profiled(profile):
    """(collectives, accelerated ones), each counted once; None where rank 0 wrote no profile."""
    if not profile.exists() or not profile.stat().st_size:
        return None
    rows = json.loads(profile.read_text())["collectives"]
    return sum(row["operations"] for row in rows), sum(row["accelerated"] for row in rows)


def sides(case, seconds):
    """Return how the case ends alone and accelerated."""
    command, environment = case.host.command(case.ranks, case.program)
    alone = run.run(case, command, environment, seconds)
    with tempfile.TemporaryDirectory() as folder:
        profile = Path(folder) / "profile"
        command = [hosts.UNISONO, "mpi", f"--profile={profile}", "--", *command]
        accelerated = run.run(case, command, environment, seconds)
        accelerated["operations"], accelerated["accelerated"] = profiled(profile) or (0, 0)
    return {"alone": alone, "accelerated": accelerated}


def verdict(row):
    alone, accelerated = row["alone"], row["accelerated"]
    if alone["end"] == "passed":
        return "both" if accelerated["end"] == "passed" else "DIFFERS"
    if accelerated["end"] == "passed":
        return "only accelerated"
    if alone["end"] == accelerated["end"] == "limit":
        return "limit"
    if alone["end"] == "failed" and set(accelerated.get("failures", ["limit"])) - set(alone["failures"]):
        return "DIFFERS"  # something else failed than alone
    return "neither"


def counts(rows):
    lines = []
    for (suite, host, ranks), piece in pieces(rows).items():
        verdicts = [verdict(row) for row in piece]
        sums = [sum(row["accelerated"][key] for row in piece) for key in ("operations", "accelerated")]
        lines.append([suite, host, ranks, len(piece), *(verdicts.count(name) for name in VERDICTS), *sums])
    return lines


def unused(rows):
    """The pieces of several ranks in which nothing was accelerated: their cases would show nothing."""
    return [key for key, piece in pieces(rows).items()
            if key[2] > 1 and not sum(row["accelerated"]["accelerated"] for row in piece)]


def remarks(results):
    return [f"NOT USED: {suite}, {host}, {ranks} ranks: no collective was accelerated"
            for suite, host, ranks in unused(results["cases"])]


def not_run(rows):
    """Return the cases that were run under another library only."""
    known = {(row["suite"], row["name"], row["ranks"]) for row in rows}
    done = {(row["suite"], row["name"], row["host"], row["ranks"]) for row in rows}
    return [(suite, name, host, ranks) for suite, name, ranks in known for host in {row["host"] for row in rows}
            if (suite, name, host, ranks) not in done]


def docs(results):
    """The tables of docs/mpi.md. The many numbers of ranks of a suite that has its own are put together."""
    rows, together = results["cases"], {}
    for suite, host, ranks, *numbers in counts(rows):
        together.setdefault((suite, host, ranks if suite == "mpi4py" else None), []).append((ranks, numbers))
    lines = []
    for (suite, host, _), found in together.items():
        ranks = sorted({ranks for ranks, _ in found})
        span = ranks[0] if len(ranks) == 1 else f"{ranks[0]} to {ranks[-1]}"
        lines.append([suite, host, span, *(f"{sum(column):,}" for column in zip(*(numbers for _, numbers in found)))])
    rest = {name: [(row["suite"], row["name"], row["host"], row["ranks"]) for row in rows if verdict(row) == name]
            for name in VERDICTS if name != "both"}
    notes = [f"- {name}: {grouped(found) or 'none'}." for name, found in rest.items()]
    left = {}
    for entry in results["left_out"]:
        left.setdefault((entry["name"], entry["why"]), []).append(entry["host"])
    notes += [f"- left out under {', '.join(sorted(hosts))}: `{name}`: {why}." for (name, why), hosts in sorted(left.items())]
    notes += [f"- run under another library only; not here: {grouped(not_run(rows)) or 'none'}."]
    wrapped = (textwrap.fill(note, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) for note in notes)
    return {"suites": markdown(COLUMNS, lines, len(COLUMNS) - 3), "suites: cases": "\n".join(wrapped)}


def failed(results):
    return bool(not results["cases"] or unused(results["cases"]) or any(verdict(row) == FAULT for row in results["cases"]))
