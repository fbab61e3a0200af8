"""A name has one meaning in all rooms: no struct, union or enum of the project is defined twice. The rooms below
MPI do not name it."""

import collections
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEFINITION = re.compile(r"\b(?:struct|union|enum) (uno_\w+) \{")

# The status of the ABI that a face is for, which each of them has.
SEVERAL = ["uno_face_status"]


def test_no_name_is_defined_twice():
    places = collections.defaultdict(list)
    for folder in ("src", "mpi", "bench", "include"):
        for path in sorted((ROOT / folder).rglob("*.[ch]")):
            for name in DEFINITION.findall(path.read_text()):
                places[name].append(str(path.relative_to(ROOT)))
    assert len(places) > 100
    assert {name: where for name, where in places.items() if len(where) > 1 and name not in SEVERAL} == {}


def test_mpi_is_not_named_below():
    named = []
    for room in ("engine", "unit", "papers", "vertex", "exchange", "file", "hardware", "model", "torus"):
        for path in sorted((ROOT / "src" / room).rglob("*.*")):
            if re.search(r"(?<![a-z])mpi|libmpi", path.read_text(), re.IGNORECASE):
                named.append(str(path.relative_to(ROOT)))
    assert named == []
