"""The tables that users read."""

import runner
from goals import BENCHMARKS, NAMES, aim_of, ratio
from hosts import HOSTS
from published import PAPER


def microseconds(seconds):
    value = seconds * 1e6
    return f"{value:.2f}" if value < 100 else f"{value:,.0f}"


def size_text(size):
    for unit, factor in (("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


def lines_of(columns, rows):
    return runner.aligned([columns, *rows])


def paper_tables(results):
    hosts = [host.key for host in HOSTS if any(row["host"] == host.key for row in results["tables"])]
    for (number, operation, size), paper in PAPER.items():
        what = f", {size} byte{'s' * (size > 1)}" if size else ""
        for timing in ("message", "flag") if operation == "MPI_Bcast" else ("row",):
            found = {(row["host"], row["ranks"]): row for row in results["tables"]
                     if (row["operation"], row["bytes"], row["timing"]) == (operation, size, timing)}
            if not found:
                continue
            how = {"flag": "; answers by a word in shared memory", "message": "; answers by message", "row": ""}[timing]
            yield f"\nTable {number}: {operation}{what}{how}: microseconds, host alone > accelerated"
            rows = []
            for ranks in range(2, 9):
                then = [f"{value:,}" if value else "" for value in paper.get(ranks, (None,) * 3)]
                cells = [f"{microseconds(found[h, ranks]['without']['least'])} > "
                         f"{microseconds(found[h, ranks]['with']['least'])}" if (h, ranks) in found else ""
                         for h in hosts]
                rows.append([ranks, *then, *cells])
            yield from lines_of(["ranks", "Fast", "Myri", "Hard", *(NAMES[h] for h in hosts)], rows)


def crossover_rows(results):
    """The largest size up to which an operation is at least a tenth faster than the host: the paper's "efficient
    below". Keys are host and number of ranks."""
    rows = []
    pieces = {}
    for row in results["sizes"]:
        pieces.setdefault(row["operation"], {}).setdefault((row["host"], row["ranks"]), []).append(row)
    columns = sorted({key for found in pieces.values() for key in found})
    for operation, found in pieces.items():
        cells = []
        for key in columns:
            last = None
            for row in sorted(found.get(key, []), key=lambda row: row["bytes"]):
                if ratio(row) < 1.1:
                    break
                last = row["bytes"]
            cells.append("" if key not in found else "never" if last is None else
                         "yes" if operation == "MPI_Barrier" else size_text(last))
        rows.append([operation, *cells])
    return columns, rows


def crossovers(results):
    columns, rows = crossover_rows(results)
    if rows:
        yield "\nFaster than the host by a tenth or more, up to (of the sizes measured):"
        yield from lines_of(["", *(f"{host} {ranks}" for host, ranks in columns)], rows)


def ratios(results, part, title):
    pieces = {}
    for row in results[part]:
        pieces.setdefault((row["host"], row["ranks"]), []).append(row)
    for (host, ranks), rows in sorted(pieces.items()):
        sizes = sorted({row["bytes"] for row in rows if row["bytes"]})
        found = {(row["operation"], row["bytes"]): row for row in rows}
        yield f"\n{title}: {NAMES[host]}, {ranks} ranks: host's time / accelerated time, by size"
        table = []
        for operation in dict.fromkeys(row["operation"] for row in rows):
            cells = []
            for i, size in enumerate(sizes):
                row = found.get((operation, size)) or (found.get((operation, 0)) if i == 0 else None)
                cells.append(f"{ratio(row):.2f}" if row else "")
            table.append([operation[4:], *cells])
        yield from lines_of(["", *map(size_text, sizes)], table)


def all_sizes(results, part):
    """The ratios for the numbers of ranks at which more than 8 bytes were measured."""
    wide = {(row["host"], row["ranks"]) for row in results[part] if row["bytes"] > 8}
    rows = [row for row in results[part] if (row["host"], row["ranks"]) in wide]
    return ratios({part: rows}, part, BENCHMARKS[part])


def small_benchmarks(results, part):
    """Barrier and 8 bytes, and the accelerator's own count of its operations in that program."""
    found = {(row["operation"], row["ranks"], row["host"]): row for row in results[part] if row["bytes"] in (0, 8)}
    hosts = [host.key for host in HOSTS if any(key[2] == host.key for key in found)]
    rows, counts = [], []
    for operation in dict.fromkeys(key[0] for key in found):
        for ranks in sorted({key[1] for key in found if key[0] == operation}):
            cells, used = [], []
            for host in hosts:
                row = found.get((operation, ranks, host))
                cells.append(f"{microseconds(row['without']['least'])} > {microseconds(row['with']['least'])}: "
                             f"{ratio(row):.2f}" if row else "")
                used.append(f"{row['accelerated']:,} of {row['calls']:,}" if row else "")
            rows.append([operation[4:], ranks, *cells])
            counts.append([operation[4:], ranks, *used])
    if rows:
        aims = sorted({(ranks, NAMES[host].split()[0], aim_of(host, ranks)) for _, ranks, host in found
                       if aim_of(host, ranks)})
        yield (f"\n{BENCHMARKS[part]}, 8 bytes: microseconds by their own timing, host alone > accelerated: times faster "
               f"(aims: {', '.join(f'{name} {ranks} ranks {aim}' for ranks, name, aim in aims)})")
        yield from lines_of(["", "ranks", *(NAMES[host] for host in hosts)], rows)
        yield f"\n{BENCHMARKS[part]}: collectives of this name accelerated, of those called, with all sizes measured"
        yield from lines_of(["", "ranks", *(NAMES[host] for host in hosts)], counts)


def application_table(results):
    rows = []
    for row in sorted(results["applications"], key=lambda row: (row["application"], row["host"], row["ranks"])):
        seconds = {side: row[side]["seconds"] for side in ("without", "with")}
        best = min(figures["median"] for figures in seconds.values())
        cells = [row["application"], row["host"], row["ranks"], f"{row['with']['calls']:.0f}"]
        for side in ("without", "with"):
            figures = seconds[side]
            cells += [f"{figures['median'] * 1e3:.2f} ({figures['low'] * 1e3:.2f}-{figures['high'] * 1e3:.2f})",
                      f"{figures['median'] / best:.2f}", f"{row[side]['share']:.0%}"]
        cells += [f"{1 - seconds['with']['median'] / seconds['without']['median']:.0%}",
                  f"{row['without']['inside']['median'] / row['with']['inside']['median']:.1f}",
                  "same bits" if row["same_bits"] else "same to 6 digits", row["with"]["runs"]]
        rows.append(cells)
    if rows:
        yield "\nApplications, from MPI_Init to MPI_Finalize: milliseconds, median (quartiles)"
        yield from lines_of(["", "host", "ranks", "calls", "alone", "/best", "inside", "accelerated", "/best", "inside",
                             "saved", "inside: times faster", "results", "runs"], rows)


def goal_table(goals):
    yield "\nGoals (measured, aim, held)"
    for entry in goals:
        share = entry["aim"] < 0.9
        figure = f"{entry['measured']:.0%}" if share else f"{entry['measured']:.2f}"
        aim = f"{entry['aim']:.0%}" if share else f"{entry['aim']:g}"
        yield f"  {'held  ' if entry['held'] else 'MISSED'}  {figure:>8s}  (aim {aim:>4s})  {entry['goal']}"
        if entry["note"]:
            yield f"{'':28s}{entry['note']}"
    if goals:
        yield f"{sum(entry['held'] for entry in goals)} of {len(goals)} goals held"


def show(results, goals):
    print(f"{results['machine']}, {results.get('date', 'nothing measured yet')}")
    for part in ("tables", "sizes", *BENCHMARKS, "applications"):
        codes = dict.fromkeys(row.get("code", "not recorded") for row in results[part])
        if codes:
            print(f"{part}: code of commit {', '.join(codes)}")
    for lines in (paper_tables(results), crossovers(results), ratios(results, "sizes", "All operations"),
                  *(lines for part in BENCHMARKS for lines in (small_benchmarks(results, part), all_sizes(results, part))),
                  application_table(results), goal_table(goals)):
        for line in lines:
            print(line)
    for where, reasons in results["missing"].items():
        for why in reasons:
            print(f"left out: {where}: {why}")
