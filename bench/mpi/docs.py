"""The tables of docs/mpi.md, of the results."""

import re

from fill import markdown
from goals import ALIKE, BENCHMARKS, NAMES, SMALL, aim_of, ratio, worst
from hosts import HOSTS
from report import crossover_rows

GOALS = {  # what a kind of goal is, by how its text is recognized
    "barrier and 8 bytes, by our timing": lambda text: not re.search("Benchmarks|no size|time inside|less time", text),
    "the same, by the OSU Micro-Benchmarks": lambda text: "OSU Micro" in text,
    "the same, by the Intel MPI Benchmarks": lambda text: "Intel MPI" in text,
    f"no size slower than {ALIKE} of the library, a row for each library, number of ranks and benchmark":
        lambda text: "no size slower" in text,
    "applications: time inside collectives halved": lambda text: "time inside" in text,
    "applications: less time in all": lambda text: "less time" in text,
}
TIMINGS = {"row": "", "message": ", answers by message", "flag": ", answers by a word"}
PARTS = {"tables": "our timing", "sizes": "our timing", "osu": "OSU", "imb": "Intel"}


def short(seconds):
    value = seconds * 1e6
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def held(_, goals):
    rows = []
    for name, is_one in GOALS.items():
        found = [entry for entry in goals if is_one(entry["goal"])]
        rows.append([name, f"{sum(entry['held'] for entry in found)} of {len(found)}"])
    rows.append(["all", f"{sum(entry['held'] for entry in goals)} of {len(goals)}"])
    return markdown(["goals", "held"], rows, 1)


def small(part):
    """Barrier and 8 bytes of a part, with the goals that were missed."""
    def table(results, _):
        found = {(row["operation"], row.get("timing", "row"), row["ranks"], row["host"]): row for row in results[part]
                 if row["bytes"] in (0, 8) and row["operation"] in SMALL}
        rows = []
        for operation in SMALL:
            for timing, how in TIMINGS.items():
                for ranks in (2, 4, 8):
                    of = [found.get((operation, timing, ranks, host.key)) for host in HOSTS]
                    if any(of):
                        rows.append([operation[4:] + how, ranks, *map(cell, of)])
        return markdown(["8 bytes, µs: alone > accelerated: times faster", "ranks", *NAMES.values()], rows)
    return table


def cell(row):
    if not row:
        return ""
    aim = aim_of(row["host"], row["ranks"])
    times = f"{ratio(row):.2f}" if ratio(row) < 10 else f"{ratio(row):,.0f}"
    text = f"{short(row['without']['least'])} > {short(row['with']['least'])}: {times}"
    return text if ratio(row) >= aim else f"{text} **missed** ({aim})"


def all_sizes(*parts):
    """The worst cells of each library, number of ranks and part of which all sizes were measured."""
    def table(results, _):
        rows = []
        for part in parts:
            most = {(row["host"], row["ranks"]) for row in results[part] if row["bytes"] > 8}
            wide = {part: [row for row in results[part] if (row["host"], row["ranks"]) in most]}
            for entry in worst(wide, part):
                library, ranks = re.match(r"(.*), (\d+) ranks", entry["goal"]).groups()
                low, cells, *rest = entry["note"].removeprefix("worst: MPI_").split("; ")
                below, all_cells, beyond = re.match(r"(\d+) of (\d+) cells.*, (\d+) of them", cells).groups()
                names = re.search(r"\(([^)]*)\)$", cells)
                rows.append([PARTS[part], f"{library}, {ranks}", f"{low}: {entry['measured']:.2f}",
                             f"{below} of {all_cells}", beyond + (f" ({names[1].replace('MPI_', '')})" if names else ""),
                             rest[0].removeprefix("the host against itself: ") if rest else ""])
        return markdown(["by", "library, ranks", "worst", f"cells below {ALIKE}",
                         "of them by more than the library differs from itself", "the library against itself"], rows)
    return table


def crossovers(results, _):
    columns, rows = crossover_rows(results)
    return markdown(["", *(f"{NAMES[host].split(' (')[0]}, {ranks}" for host, ranks in columns)],
                    [[row[0][4:], *row[1:]] for row in rows])


def applications(results, _):
    rows = []
    for row in sorted(results["applications"], key=lambda row: (row["application"], row["host"], row["ranks"])):
        alone, accelerated = (row[side]["seconds"]["median"] for side in ("without", "with"))
        less = row["without"]["inside"]["median"] / row["with"]["inside"]["median"]
        rows.append([row["application"], NAMES[row["host"]], row["ranks"], f"{alone * 1e3:,.1f}",
                     f"{row['without']['share']:.0%}", f"{accelerated * 1e3:,.1f}", f"{1 - accelerated / alone:.0%}",
                     f"{less:.1f}"])
    return markdown(["program", "library", "ranks", "alone, ms", "inside", "accelerated, ms", "saved",
                     "inside: times less"], rows, 6)


def unmeasured(results, _):
    """Libraries, numbers of ranks and operations of which nothing was measured."""
    lines = []
    for part in ("tables", "sizes", *BENCHMARKS):
        rows = results[part]
        for host in HOSTS:
            ranks = {row["ranks"] for row in rows} - {row["ranks"] for row in rows if row["host"] == host.key}
            if ranks:
                lines.append(f"- {part}: {host.name}, {', '.join(map(str, sorted(ranks)))} ranks")
        most = len({row["operation"] for row in rows})
        for host, n in sorted({(row["host"], row["ranks"]) for row in rows}):
            count = len({row["operation"] for row in rows if (row["host"], row["ranks"]) == (host, n)})
            if count < most:
                lines.append(f"- {part}: {NAMES[host]}, {n} ranks: {count} of {most} operations")
    return "\n".join(lines) or "- nothing"


def codes(results, _):
    """Return the commit at which each part was measured."""
    lines = []
    for part in (*PARTS, "applications"):
        found = {}
        for row in results[part]:
            found.setdefault(row["code"], set()).add((row["host"], row["ranks"]))
        for code, pieces in found.items():
            hosts = {}
            for host, ranks in sorted(pieces):
                hosts.setdefault(host, []).append(str(ranks))
            lines.append([part, code, "; ".join(f"{NAMES[host]}: {', '.join(ranks)}" for host, ranks in hosts.items())])
    return markdown(["part", "commit", "libraries: ranks"], lines)


TABLES = {"held": held, "tables": small("tables"), "osu": small("osu"), "imb": small("imb"),
          "benchmarks": all_sizes("osu", "imb"), "sizes": all_sizes("sizes"), "crossovers": crossovers,
          "applications": applications, "unmeasured": unmeasured, "commits": codes}


def tables(results, goals):
    return {name: make(results, goals) for name, make in TABLES.items()}
