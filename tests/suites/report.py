"""What the runs say about the accelerator, for people."""

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


def table(rows):
    columns = ["suite", "library", "ranks", "cases", *VERDICTS, "collectives", "accelerated"]
    lines = []
    for (suite, host, ranks), piece in pieces(rows).items():
        verdicts = [verdict(row) for row in piece]
        sums = [sum(row["accelerated"][key] for row in piece) for key in ("operations", "accelerated")]
        lines.append([suite, host, ranks, len(piece), *(verdicts.count(name) for name in VERDICTS), *sums])
    widths = [max(len(str(line[i])) for line in [columns, *lines]) for i in range(len(columns))]
    for line in [columns, *lines]:
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


def failed(results):
    return bool(not results["cases"] or unused(results["cases"])
                or any(verdict(row) == "DIFFERS" for row in results["cases"]))
