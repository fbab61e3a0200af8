"""The report of a run that users read, for accelerator.py and library.py alike."""

SIDES = ("alone", "accelerated", "library")


def suite_of(row):
    """Return the suite of a row; ranks on a unit are told apart."""
    return row["suite"] + (f" on {row['unit']}" if "unit" in row else "")


def describe(row):
    sides = [side for side in SIDES if side in row]
    ends = [f"{side} {row[side]['end']} after {row[side]['seconds']:.1f} s" for side in sides]
    text = f"{suite_of(row)}, {row['host']}, {row['ranks']} ranks: {row['name']}: {', '.join(ends)}"
    return text + "".join(f"\n      {side}: {name}" for side in sides for name in row[side].get("failures", [])[:12])


def pieces(rows):
    """{(suite, host, ranks): rows}"""
    found = {}
    for row in rows:
        found.setdefault((suite_of(row), row["host"], row["ranks"]), []).append(row)
    return dict(sorted(found.items()))


def table(subject, rows):
    lines = [subject.COLUMNS, *subject.counts(rows)]
    widths = [max(len(str(line[i])) for line in lines) for i in range(len(subject.COLUMNS))]
    for line in lines:
        yield "  ".join(str(cell).rjust(width) if i > 1 else str(cell).ljust(width)
                        for i, (cell, width) in enumerate(zip(line, widths)))


def show(subject, results):
    rows = results["cases"]
    for line in table(subject, rows):
        print(line)
    for name, meaning in subject.VERDICTS.items():
        found = [row for row in rows if subject.verdict(row) == name]
        if found and name != subject.GOOD:
            print(f"\n{name}: {meaning}: {len(found)}")
            for row in found:
                print("  " + describe(row))
    if results["left_out"]:
        print(f"\nleft out: {len(results['left_out'])}")
        for entry in results["left_out"]:
            print(f"  {suite_of(entry)}, {entry['host']}: {entry['name']}: {entry['why']}")
    for line in subject.remarks(results):
        print("\n" + line)


def grouped(entries):
    """{(suite, name): hosts and ranks}, as a text."""
    found = {}
    for suite, name, host, ranks in entries:
        found.setdefault((suite, name), {}).setdefault(host, []).append(ranks)
    return ", ".join(f"`{name}` (" + "; ".join(f"{host}: {', '.join(map(str, sorted(ranks)))}" for host, ranks in
                                               sorted(hosts.items())) + ")" for (_, name), hosts in sorted(found.items()))
