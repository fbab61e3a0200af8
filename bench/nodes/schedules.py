"""Operations between many nodes that exchange directly, and the same by steps: from how many nodes on steps are faster.
Each node has one process, and all are on this machine, whose network is the loopback."""

import runner

NODES = 2, 4, 8, 12, 16, 20, 24
OPERATIONS, TURNS = 100, 10
WAYS = ("direct", "steps")
RSH = runner.ROOT / "tests/hosts/rsh"


def sample(count, way, schedule):
    """Return the seconds of one operation."""
    hosts = ",".join(f"node{k}" for k in range(count))
    program = runner.LIBEXEC / f"bench-nodes-{schedule}"
    return float(runner.launch([runner.UNISONO, "run", "--rsh", RSH, "--hosts", hosts, program, way, OPERATIONS, TURNS]))


def cases(_):
    for way in ("wait", "sum"):
        for count in NODES:
            yield ({"way": way, "nodes": count},
                   {schedule: lambda count=count, way=way, schedule=schedule: sample(count, way, schedule) for schedule in WAYS})


def show(rows):
    lines = [(f"{row['way']}, {row['nodes']} nodes",
              [*(runner.us(row["seconds"][schedule]) for schedule in WAYS), runner.cell(runner.ratios(row["seconds"], "steps", "direct"), 1, 2)])
             for row in rows]
    yield "us of an operation, the median (least to most), and how often the time by steps goes into the direct one", [*WAYS, "ratio"], lines


def part(settings):
    return runner.Benchmark(__doc__, cases, show, settings=settings)
