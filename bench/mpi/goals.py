"""The goals, and whether the figures reach them."""

from hosts import HOSTS

ALIKE = 0.98
NAMES = {host.key: host.name for host in HOSTS}
APPLICATION_SHARE = 0.40


def ratio(row):
    return row["without"]["least"] / row["with"]["least"]


def noise(row):
    """Return how much the host differs from itself within the same measurement: at least 1."""
    if "again" in row:
        figures = [row["without"]["least"], row["again"]["least"]]
    else:
        figures = row["without"].get("halves") or [1]
    return max(figures) / min(figures)


def goal(text, measured, aim, held, note=""):
    return {"goal": text, "measured": measured, "aim": aim, "held": held, "note": note}


def aim_of(host, ranks):
    """Return how many times faster than the host small operations should be; None where there is no goal."""
    if host.startswith("openmpi"):
        return {2: 2, 4: 2, 8: 4}.get(ranks)
    return {2: 3, 4: 100, 8: 100}.get(ranks)


def small(results):
    """Barrier and 8 bytes."""
    for row in sorted(results["tables"], key=lambda row: (row["host"], row["ranks"], row["operation"])):
        aim = aim_of(row["host"], row["ranks"])
        if aim is None or row["bytes"] not in (0, 8):
            continue
        how = {"message": ", the root timed, answers by message", "flag": ", the root timed, answers by a shared word",
               "row": ""}[row["timing"]]
        size = f" of {row['bytes']} bytes" if row["bytes"] else ""
        yield goal(f"{NAMES[row['host']]}, {row['ranks']} ranks: {row['operation']}{size}{how}", ratio(row), aim,
                   ratio(row) >= aim)


BENCHMARKS = {"osu": "OSU Micro-Benchmarks", "imb": "Intel MPI Benchmarks"}
SMALL = ("MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Bcast")


def small_benchmarks(results):
    """Compare with the same goals by the benchmarks' own timing: a mean of all ranks. There a broadcast ends where its
    root is, which then waits for nobody."""
    for part, title in BENCHMARKS.items():
        for row in sorted(results[part], key=lambda row: (row["host"], row["ranks"], row["operation"])):
            aim = aim_of(row["host"], row["ranks"])
            if aim is None or row["bytes"] not in (0, 8) or row["operation"] not in SMALL:
                continue
            size = f" of {row['bytes']} bytes" if row["bytes"] else ""
            yield goal(f"{NAMES[row['host']]}, {row['ranks']} ranks: {row['operation']}{size}, {title}", ratio(row), aim,
                       ratio(row) >= aim)


def worst(results, part):
    """The worst ratio of all cells, for each host and number of ranks."""
    pieces = {}
    for row in results[part]:
        pieces.setdefault((row["host"], row["ranks"]), []).append(row)
    for (host, ranks), rows in sorted(pieces.items()):
        low = min(rows, key=ratio)
        below = [row for row in rows if ratio(row) < ALIKE]
        beyond = [row for row in below if ratio(row) * noise(row) < ALIKE]
        operations = sorted({row["operation"] for row in beyond})
        twice = [row["without"]["least"] / row["again"]["least"] for row in rows if "again" in row]
        yield goal(f"{NAMES[host]}, {ranks} ranks: no size slower, {part}", ratio(low), ALIKE, not beyond,
                   f"worst: {low['operation']} {low['bytes']} B; {len(below)} of {len(rows)} cells below {ALIKE}, "
                   f"{len(beyond)} of them by more than the host differs from itself"
                   + (f" ({', '.join(operations)})" if operations else "")
                   + (f"; the host against itself: {sum(value < ALIKE for value in twice)} of {len(twice)} below, worst "
                      f"{min(twice):.2f}" if twice else ""))


def applications(results):
    for row in sorted(results["applications"], key=lambda row: (row["application"], row["host"], row["ranks"])):
        with_it, without = row["with"], row["without"]
        name = f"{row['application']}, {NAMES[row['host']]}, {row['ranks']} ranks"
        inside = without["inside"]["median"] / with_it["inside"]["median"]
        yield goal(f"{name}: time inside collectives halved", inside, 2, inside >= 2)
        share = without["share"]
        if share < APPLICATION_SHARE:
            continue
        saved = 1 - with_it["seconds"]["median"] / without["seconds"]["median"]
        aim = 0.45 if row["host"].startswith("mpich") and row["ranks"] in (4, 6) else 0.20
        yield goal(f"{name}: less time in all, as collectives are {share:.0%} of it", saved, aim, saved >= aim)


def all_goals(results):
    return [*small(results), *small_benchmarks(results), *(entry for part in ("sizes", "osu", "imb") for entry in worst(results, part)),
            *applications(results)]
