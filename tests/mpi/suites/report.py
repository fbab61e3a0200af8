"""What the runs say about the accelerator, for people."""

from fill import markdown

# What both runs of a case tell: alone, accelerated -> verdict. Only DIFFERS is the accelerator's fault.
VERDICTS = {"both": "passed alone and accelerated", "DIFFERS": "passed alone, and not accelerated",
            "only accelerated": "passed accelerated only", "neither": "passed neither alone nor accelerated",
            "limit": "did not end in time, neither alone nor accelerated"}


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


def describe(row):
    ends = [f"{side} {row[side]['end']} after {row[side]['seconds']:.1f} s" for side in ("alone", "accelerated")]
    text = f"{row['suite']}, {row['host']}, {row['ranks']} ranks: {row['name']}: {', '.join(ends)}"
    return text + "".join(f"\n      {side}: {name}" for side in ("alone", "accelerated")
                          for name in row[side].get("failures", [])[:12])


def pieces(rows):
    """{(suite, host, ranks): rows}"""
    found = {}
    for row in rows:
        found.setdefault((row["suite"], row["host"], row["ranks"]), []).append(row)
    return dict(sorted(found.items()))


COLUMNS = ["suite", "library", "ranks", "cases", *VERDICTS, "collectives", "accelerated"]


def counts(rows):
    lines = []
    for (suite, host, ranks), piece in pieces(rows).items():
        verdicts = [verdict(row) for row in piece]
        sums = [sum(row["accelerated"][key] for row in piece) for key in ("operations", "accelerated")]
        lines.append([suite, host, ranks, len(piece), *(verdicts.count(name) for name in VERDICTS), *sums])
    return lines


def table(rows):
    lines = [COLUMNS, *counts(rows)]
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(COLUMNS))]
    for line in lines:
        yield "  ".join(str(cell).rjust(width) if i > 1 else str(cell).ljust(width)
                        for i, (cell, width) in enumerate(zip(line, widths)))


def unused(rows):
    """The pieces of several ranks in which nothing was accelerated: their cases would show nothing."""
    return [key for key, piece in pieces(rows).items()
            if key[2] > 1 and not sum(row["accelerated"]["accelerated"] for row in piece)]


def show(results):
    rows = results["cases"]
    for line in table(rows):
        print(line)
    for name, meaning in VERDICTS.items():
        found = [row for row in rows if verdict(row) == name]
        if found and name != "both":
            print(f"\n{name}: {meaning}: {len(found)}")
            for row in found:
                print("  " + describe(row))
    if results["left_out"]:
        print(f"\nleft out: {len(results['left_out'])}")
        for entry in results["left_out"]:
            print(f"  {entry['suite']}, {entry['host']}: {entry['name']}: {entry['why']}")
    for suite, host, ranks in unused(rows):
        print(f"\nNOT USED: {suite}, {host}, {ranks} ranks: no collective was accelerated")


def grouped(entries):
    """{(suite, name): hosts and ranks}, as a text."""
    found = {}
    for suite, name, host, ranks in entries:
        found.setdefault((suite, name), {}).setdefault(host, []).append(ranks)
    return ", ".join(f"`{name}` (" + "; ".join(f"{host}: {', '.join(map(str, sorted(ranks)))}" for host, ranks in
                                               sorted(hosts.items())) + ")" for (_, name), hosts in sorted(found.items()))


def not_run(rows):
    """What was run under another library only."""
    cases = {(row["suite"], row["name"], row["ranks"]) for row in rows}
    run = {(row["suite"], row["name"], row["host"], row["ranks"]) for row in rows}
    return [(suite, name, host, ranks) for suite, name, ranks in cases for host in {row["host"] for row in rows}
            if (suite, name, host, ranks) not in run]


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
    return {"suites": markdown(COLUMNS, lines, len(COLUMNS) - 3), "suites: cases": "\n".join(notes)}


def failed(results):
    return bool(not results["cases"] or unused(results["cases"])
                or any(verdict(row) == "DIFFERS" for row in results["cases"]))
