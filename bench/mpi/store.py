"""The figures of script/bench-mpi: rows in memory; a file for each part, of what reports, documents and pictures
tell."""

import json
import os

import runner

# A row of a file has all sizes of an operation: what they have in common, and lists of the rest in the order of the
# sizes.
COMMON = ("host", "ranks", "operation", "timing", "code")
SIDES = ("with", "without", "again")
COUNTED = (0, 8)  # bytes of which the calls are told


def packed(part, rows):
    """The rows of a file. How much a host differs from itself is told of all but the tables."""
    groups = {}
    for row in rows:
        groups.setdefault(("again" in row, *(row.get(key) for key in COMMON)), []).append(row)
    lines = [together(sorted(group, key=lambda row: row["bytes"])) for group in groups.values()]
    return [{key: value for key, value in line.items() if (part, key) != ("tables", "halves")} for line in lines]


def together(rows):
    first = rows[0]
    line = {key: first[key] for key in COMMON if key in first}
    line["bytes"] = [row["bytes"] for row in rows]
    line.update({side: [row[side]["least"] for row in rows] for side in SIDES if side in first})
    if "halves" in first["without"]:
        line["halves"] = [row["without"]["halves"] for row in rows]
    calls = {str(row["bytes"]): [row["calls"], row["accelerated"]] for row in rows if row["bytes"] in COUNTED and "calls" in row}
    return {**line, "calls": calls} if calls else line


def unpacked(lines):
    for line in lines:
        for i, size in enumerate(line["bytes"]):
            row = {**{key: line[key] for key in COMMON if key in line}, "bytes": size,
                   **{side: {"least": line[side][i]} for side in SIDES if side in line}}
            if "halves" in line:
                row["without"]["halves"] = line["halves"][i]
            if str(size) in line.get("calls", {}):
                row["calls"], row["accelerated"] = line["calls"][str(size)]
            yield row


def path_of(folder, part):
    return folder / f"mpi-{part}.json"


def load(folder, parts, machine):
    """The results of a machine."""
    results = {"machine": machine, "missing": {}, **{part: [] for part in parts}}
    for part in parts:
        if path_of(folder, part).exists():
            found = json.loads(path_of(folder, part).read_text())
            results[part] = found["rows"] if part == "applications" else list(unpacked(found["rows"]))
            results["missing"].update(found["missing"])
            results["machine"] = found["machine"]
            results["date"] = max(found["date"], results.get("date", ""))
    return results


def save(results, part, folder):
    missing = {where: why for where, why in results["missing"].items() if where.split()[0] == part}
    rows = results[part] if part == "applications" else packed(part, results[part])
    path = path_of(folder, part)
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".part")
    new.write_text(runner.text(machine=results["machine"], date=results["date"], missing=missing, rows=rows))
    os.replace(new, path)
