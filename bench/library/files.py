"""Files of MPI: a file that all ranks write and read, contiguous, strided and by nested types, each rank alone and all
together. The floor is dd's: as many processes as ranks that write and read their parts of a file by large system
calls. The file stays in the page cache."""

import json
import subprocess
import tempfile
import time
from functools import partial
from pathlib import Path

import runner
from sides import sides

RANKS = 4
# The shape, and bytes of a run.
CASES = [("contiguous", 1 << 20), ("contiguous", 65536), ("strided", 64), ("strided", 1024), ("strided", 16384), ("nested", 256),
         ("nested", 8192)]
FLOOR = "floor"


def run(side, program, folder, words):
    return json.loads(side.launch(RANKS, [program, Path(folder) / "data", *words]))


def floor(folder, megabytes):
    """The seconds of processes that do nothing else."""
    share = megabytes // RANKS

    def all_of(*words):
        began = time.monotonic()
        for process in [subprocess.Popen(["dd", "bs=1M", f"count={share}", "status=none", *(word.format(i * share) for word in words)])
                        for i in range(RANKS)]:
            if process.wait():
                raise SystemExit("bench-library: dd has failed")
        return time.monotonic() - began

    path = Path(folder) / "floor"
    out = {"write": all_of("if=/dev/zero", f"of={path}", "conv=notrunc", "seek={}"), "read": all_of("of=/dev/null", f"if={path}", "skip={}")}
    path.unlink()
    return out


def cases(options):
    every = [side for side in sides() if "accelerated" not in side.name]
    programs = {side: side.build("files", "files.c") for side in every}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        for shape, size in CASES:
            for way in ("alone", "together"):
                words = [shape, size, way, options.megabytes]
                yield {"shape": shape, "run": size, "way": way}, {
                    **{side.name: partial(run, side, programs[side], folder, words) for side in every},
                    FLOOR: partial(floor, folder, options.megabytes)}


def lines(rows, name):
    for row in rows:
        seconds = dict(row[name])
        others = [other for other in seconds if other not in ("unisono", FLOOR)]
        cells = {side: runner.cell(s, 1, 2) for side, s in seconds.items()}
        cells["the better by unisono"] = runner.cell(runner.ratios(seconds, "unisono", *others), 1, 2)
        yield f"{row['shape']}, {row['run']:,} bytes, {row['way']}", cells


def show(rows):
    for name in ("write", "read"):
        yield (f"seconds to {name}", [*rows[0][name], "the better by unisono"], list(lines(rows, name)))


def docs(rows):
    import fill
    return {f"files: {name}": fill.markdown(["", *columns], runner.cells_of(columns, table))
            for name, (_, columns, table) in zip(("write", "read"), show(rows))}


def options(parser):
    parser.add_argument("--megabytes", metavar="N", type=int, default=1000, help="of the file (1000)")
    parser.add_argument("--folder", metavar="FOLDER", help="where the file is (the folder for temporary files)")


BENCHMARK = runner.Benchmark(__doc__, cases, show, docs=docs, options=options, rounds=3,
                             settings=lambda options: {"megabytes": options.megabytes, "ranks": RANKS})
