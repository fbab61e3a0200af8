"""Operations of all tiles by the packets of a mesh, and by PAPERS1 beside it: the clocks of one, from two runs with
different numbers of them, without instructions and with; and the LUTs of the mesh and of the unit."""

import functools
import json
import os
import re
import subprocess
import sys
import tempfile

import fill
import runner
import synthesis

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


def clocks(unit, pes, counted, program, *arguments):
    """The clocks of a whole run, which must end well."""
    command = [runner.UNISONO, "run", "--unit", unit, "-n", pes, runner.LIBEXEC / program, *arguments]
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


def took(unit, pes, call):
    """The clocks of one operation, without instructions and with."""
    def one(counted):
        few, many = (clocks(unit, pes, counted, *call, n) for n in (FEW, MANY))
        return (many - few) / (MANY - FEW)
    return {"clocks": one(False), "with instructions": one(True)}


def luts(top, **parameters):
    return {"luts": synthesis.synthesize(synthesis.ICE40, top, **parameters, COUNT=0).luts}


def cases(options):
    if not (runner.LIBEXEC / "mesh").exists() or not (runner.LIBEXEC / "bench-collective").exists():
        synthesis.skip("the simulated units and the MPI library in the build (Debian: verilator)")
    synthesis.skip_without(f"qemu-{os.uname().machine}", "yosys")
    for pes, (columns, lines) in MESHES.items():
        mesh = f"mesh={columns}x{lines}"
        for what, call in OPERATIONS.items():
            yield ({"tiles": pes, "operation": what},
                   {side: functools.partial(took, unit, pes, call) for side, unit in (("mesh", mesh), ("papers1", f"{mesh}+papers1"))})
    for pes, (columns, lines) in MESHES.items():
        yield {"tiles": pes}, {"mesh": functools.partial(luts, "mesh", SIDE_X=columns, SIDE_Y=lines),
                               "papers1": functools.partial(luts, "papers_bus", UNIT='"papers1"', PES=pes)}


def rows(what, samples):
    """A row has no lists, since nothing is repeated."""
    return [{**what, **{kind: {side: of_side[0] for side, of_side in sides.items()} for kind, sides in runner.by_names(samples).items()}}]


CLOCKS = ["operation", "clocks by the mesh", "by PAPERS1", "the mesh takes", "with instructions: by the mesh", "by PAPERS1", "the mesh takes"]
LUTS = ["LUTs of the mesh with its tiles' registers", "LUTs of PAPERS1 with its registers", "a part of the mesh"]


def clock_cells(row):
    cells = [row["operation"]]
    for mesh, papers in (row[kind].values() for kind in ("clocks", "with instructions")):
        cells += [f"{mesh:,.0f}", f"{papers:,.0f}", f"{mesh / papers:.1f} times"]
    return cells


def lut_cells(row):
    mesh, papers = row["luts"].values()
    return [f"{mesh:,}", f"{papers:,}", f"{100 * papers / mesh:.0f} %"]


def show(rows):
    for kind, columns, cells in ("clocks", CLOCKS, clock_cells), ("luts", LUTS, lut_cells):
        lines = [(row["tiles"], cells(row)) for row in rows if kind in row]
        if lines:
            yield kind, columns, lines


def docs(rows):
    return {f"units: {kind}": fill.markdown([FRONT, *columns], runner.cells_of(columns, lines)) for kind, columns, lines in show(rows)}


FRONT = "tiles"
