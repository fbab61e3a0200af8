"""The table of functions: what the header declares, what the library exports, what the documentation lists, and what others
have published of the standard's ABI are the same."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["UNISONO_SOURCE"])
HEADER = Path(os.environ["UNISONO_MPI_HEADER"])
LIBRARY = os.environ["UNISONO_MPI_LIBRARY"]
GENERATE = SOURCE / "mpi/library/table/generate.py"

# Where MPICH's copy of the header departs from the standard (its erratum, and functions that came with that).
MPICH_DEPARTS = {"Psend_init", "Precv_init", "Psend_init_c", "Precv_init_c"}


def published():
    """Another library's header of the same ABI."""
    for folder in os.environ["UNISONO_PEERS"].split(":"):
        header = Path(folder) / "include/mpi_abi.h"
        if header.exists():
            return header
    pytest.skip("there is no other mpi_abi.h to compare with")


def prototypes(header):
    found = re.findall(r"^(\w+) (P?MPI_\w+)\((.*)\)", header.read_text(), re.MULTILINE)
    return {name: result + re.sub(r"(\w+)\[\]", r"*\1", arguments) for result, name, arguments in found}


def test_number():
    ours = prototypes(HEADER)
    assert len([name for name in ours if name.startswith("MPI_")]) == 664
    assert {"P" + name for name in ours if name.startswith("MPI_")} == {name for name in ours if name.startswith("PMPI_")}


def test_exports():
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    kinds = {name: kind for kind, name in re.findall(r" (\w) (P?MPI_\w+|\S+)$", lines, re.MULTILINE)}
    ours = prototypes(HEADER)
    assert set(kinds) == set(ours)
    assert {kind for name, kind in kinds.items() if name.startswith("MPI_")} == {"W"}
    assert {kind for name, kind in kinds.items() if name.startswith("PMPI_")} == {"T"}


def test_documentation():
    run = subprocess.run([sys.executable, GENERATE, "docs", SOURCE / "docs/mpi-library.md", "--check"], capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_prototypes_are_the_published_ones():
    theirs, ours = prototypes(published()), prototypes(HEADER)
    different = {name for name in set(theirs) | set(ours) if theirs.get(name) != ours.get(name)}
    assert different <= {prefix + name for prefix in ("MPI_", "PMPI_") for name in MPICH_DEPARTS}


def values(header, names, folder):
    """What constants are, as numbers; a handle as its address."""
    source = folder / "values.c"
    lines = "\n".join(f'#ifdef {n}\n#define HAS_{n}\n#endif\nprintf("{n} %lld\\n", (long long){n});' for n in names)
    source.write_text(f'#include <stdio.h>\n#include "{header}"\nint main(void) {{\n{lines}\n}}\n')
    subprocess.run(["cc", "-w", "-o", folder / "values", source], check=True)
    return subprocess.run([folder / "values"], capture_output=True, text=True, check=True).stdout


def test_constants_are_the_published_ones(tmp_path):
    theirs, text = published(), HEADER.read_text()
    functions = {name.removeprefix("P") for name in prototypes(HEADER)}
    words = [set(re.findall(r"\bMPIX?_[A-Z][A-Z0-9_]*\b", t)) for t in (text, theirs.read_text())]
    names = sorted(n for n in words[0] & words[1] if n not in functions and n not in ("MPI_SOURCE", "MPI_TAG", "MPI_ERROR",
                                                                                      "MPI_H_ABI"))
    assert len(names) > 300
    assert values(HEADER, names, tmp_path) == values(theirs, names, tmp_path)


def test_header_in_cxx(tmp_path):
    (tmp_path / "program.cpp").write_text("#include <mpi.h>\nint main() { return MPI_SUCCESS; }\n")
    subprocess.run(["c++", "-Wall", "-Wextra", "-Werror", "-I", HEADER.parent, "-fsyntax-only", tmp_path / "program.cpp"],
                   check=True)
