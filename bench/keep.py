"""bench/keep.py FIGURES FILE: of all figures of `unisono bench` or `unisono model`, as --json writes them, those which
documents and pictures tell, into a file of bench/results. Run by script/bench-keep."""

import argparse
import json
from pathlib import Path

import runner

ALL_SIDES = ("ring", "allToAll", "copyAll", "permuteBlock", "permuteTranspose", "permuteGrouped", "permuteRandom")
PROGRAMS = ("jacobi", "product", "trapezoid", "pi")  # by the library, and by one PE alone
RESULT = ("operation", "pes", "side", "label", "bytes")
LIMIT = ("section", "goal", "bound", "unit", "measured", "held", "note")


def is_told(result):
    operation = result["operation"]
    return (operation in ALL_SIDES or (operation in PROGRAMS and result["side"] == "unisono-mpi")
            or (operation.removesuffix("First") in PROGRAMS and operation.endswith("First")))


def kept(figures):
    if "results" in figures:
        figures["results"] = [{**{key: row[key] for key in RESULT},
                               "nanoseconds": {key: row["nanoseconds"][key] for key in ("octile", "median")}}
                              for row in figures["results"] if is_told(row)]
        figures["limits"] = [{key: row[key] for key in LIMIT} for row in figures["limits"]]
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="script/bench-keep", description=__doc__)
    parser.add_argument("figures", metavar="FIGURES", type=Path, help="what --json has written")
    parser.add_argument("file", metavar="FILE", type=Path, help="of bench/results/MACHINE")
    options = parser.parse_args()
    options.file.write_text(runner.text(**kept(json.loads(options.figures.read_text()))))
