"""Operations of all tiles by the packets of a mesh, and by PAPERS1 beside it: the clocks of one, from two runs with
different numbers of them, without instructions and with; and the LUTs of the mesh and of the unit."""

import json
import re
import subprocess
import sys
import tempfile

import luts

# tiles: the columns and rows of their mesh
MESHES = {4: (2, 2), 9: (3, 3), 16: (4, 4)}
# what: the program of bench/simulated/ and its arguments before the count
OPERATIONS = {
    "p_wait": ("bench-repeat", "p_wait", "none"),
    "p_bcast64": ("bench-repeat", "p_bcast", "64"),
    "p_reduceAdd64": ("bench-repeat", "p_reduceAdd", "64"),
    "MPI_Barrier": ("bench-collective", "MPI_Barrier", 0),
    "MPI_Bcast, 8 bytes": ("bench-collective", "MPI_Bcast", 8),
    "MPI_Allreduce, 8 bytes": ("bench-collective", "MPI_Allreduce", 8),
}
FEW, MANY = 5, 25


def clocks(build, unit, pes, counted, program, *arguments):
    """The clocks of a whole run, which must end well."""
    command = [build / "bin/unisono", "run", "--unit", unit, "-n", pes, build / "libexec/unisono" / program, *arguments]
    if counted:
        command[4:4] = ["--count"]
        r = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
        found = re.search(r": (\d+) clocks", r.stderr)
        if r.returncode == 0 and found:
            return int(found.group(1))
    else:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command[4:4] = [f"--stats={file.name}"]
            r = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
            if r.returncode == 0:
                return json.load(open(file.name))["unit"]["clocks"]
    sys.exit(f"script/bench-chip: {' '.join(map(str, command))}: {r.stderr}")


def rows(build, quick):
    """All rows; the first one alone if quick."""
    for pes, (columns, lines) in MESHES.items():
        mesh = f"mesh={columns}x{lines}"
        for what, call in OPERATIONS.items():
            took = {}
            for counted in False, True:
                for side, unit in ("mesh", mesh), ("papers1", mesh + "+papers1"):
                    few, many = (clocks(build, unit, pes, counted, *call, n) for n in (FEW, MANY))
                    took[f"{side}{' with instructions' * counted}"] = (many - few) / (MANY - FEW)
            yield {"tiles": pes, "what": what, "clocks": took}
            if quick:
                return
    for pes, (columns, lines) in MESHES.items():
        yield {"tiles": pes, "luts": {"mesh": luts.of("mesh", SIDE_X=columns, SIDE_Y=lines, COUNT=0),
                                      "papers1": luts.of("papers_bus", UNIT='"papers1"', PES=pes, COUNT=0)}}


HEADS = {
    "clocks": "| tiles | operation | clocks by the mesh | by PAPERS1 | the mesh takes | with instructions: by the mesh | by PAPERS1 | "
              "the mesh takes |\n|" + " --- |" * 8,
    "luts": "| tiles | LUTs of the mesh with its tiles' registers | LUTs of PAPERS1 with its registers | a part of the mesh |\n|" + " --- |" * 4}


def show(row):
    """A line of the table that the row belongs to."""
    if "luts" in row:
        mesh, papers = row["luts"]["mesh"], row["luts"]["papers1"]
        return f"| {row['tiles']} | {mesh:,} | {papers:,} | {100 * papers / mesh:.0f} % |"
    cells = []
    for counted in "", " with instructions":
        mesh, papers = row["clocks"]["mesh" + counted], row["clocks"]["papers1" + counted]
        cells += [f"{mesh:,.0f}", f"{papers:,.0f}", f"{mesh / papers:.1f} times"]
    return f"| {row['tiles']} | {row['what']} | " + " | ".join(cells) + " |"
