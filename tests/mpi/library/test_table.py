"""The table of functions agrees with the declarations of the header, the exports of the library, the list in the
documentation, and the published standard ABI."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["UNISONO_SOURCE"])
HEADER = Path(os.environ["UNISONO_MPI_HEADER"])
LIBRARY = os.environ["UNISONO_MPI_LIBRARY"]
GENERATE = SOURCE / "mpi/library/table/generate.py"

sys.path.insert(0, str(GENERATE.parent))
sys.dont_write_bytecode = True
rows = __import__("rows")

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
    assert len([name for name in ours if name.startswith("MPI_")]) == 662
    assert {"P" + name for name in ours if name.startswith("MPI_")} == {name for name in ours if name.startswith("PMPI_")}


def test_exports():
    lines = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
    kinds = {name: kind for kind, name in re.findall(r" (\w) (P?MPI_\w+|\S+)$", lines, re.MULTILINE)}
    ours = prototypes(HEADER)
    assert set(kinds) == set(ours) | {"uno_called_from"}  # which the library that records calls calls
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
    """Return the values of constants as numbers; of a handle its address."""
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


# ---- kinds


@pytest.fixture
def change(tmp_path):
    """Change a copy of the tables, in the row of a function. Returns the output of generate.py for these words, and its
    errors."""
    folder = tmp_path / "table"
    shutil.copytree(GENERATE.parent, folder)
    table = folder / "functions.txt"

    def change(changes, *words):
        text = table.read_text()
        for function, old, new in changes:
            row = re.search(rf"^[-+*!] (\w+ )?{function}\(.*(\n .*)*", text, re.MULTILINE)
            line = re.sub(r"\s+", " ", row[0])
            assert line.count(old) == 1, line
            text = text.replace(row[0], line.replace(old, new))
        table.write_text(text)
        run = subprocess.run([sys.executable, folder / "generate.py", *words], capture_output=True, text=True, check=False)
        return run.stdout, run.stderr

    return change


@pytest.mark.parametrize("chapter, function", [("Processes", "Close_port"), ("Sessions", "Comm_create_from_group"),
                                               ("Messages", "Session_attach_buffer"), ("Tools", "T_category_changed")])
def test_instead(tmp_path, chapter, function):
    """A chapter in which functions are missing says what works instead."""
    folder = tmp_path / "table"
    shutil.copytree(GENERATE.parent, folder)
    table = folder / "functions.txt"
    told, lines = re.subn(rf"(## {chapter}\n)\n~ .*\n", r"\1", table.read_text())
    assert lines == 1
    table.write_text(told)
    run = subprocess.run([sys.executable, folder / "generate.py", "calls"], capture_output=True, text=True, check=False)
    assert run.stderr == f"functions.txt: {chapter}: what works instead of MPI_{function}?\n"


@pytest.mark.parametrize("function, old, new, told", [
    ("Put", "RANK target_rank", "RANG target_rank", "RANG is no kind"),
    ("Put", "WIN win", "MPI_Win win", "MPI_Win is no kind"),
    ("Put", "WIN win", "win", "'win' is no parameter"),
    ("Put", "IN DATA", "DATA", "it is given by address"),
    ("Waitall", "INOUT REQUEST", "REQUEST", "it is given by address"),
    ("Wait", "OUT STATUS", "STATUS", "it is given by address"),
    ("Error_string", "OUT ERROR_TEXT", "ERROR_TEXT", "it is given by address"),
    ("Waitall", "array_of_statuses[count]", "array_of_statuses[counts]", "no parameter: {'counts'}"),
    ("Waitsome", "array_of_statuses[incount:outcount]", "array_of_statuses[incount:done]", "no parameter: {'done'}"),
    ("Alltoallw", "PEERS(comm)", "PEERS(com)", "no parameter: {'com'}"),
    ("Barrier", ") inter", ") intra", "is no word"),
    ("Barrier", "COMM comm", "COMMON comm", "COMMON is no kind"),
    ("Comm_fromint", "COMM Comm", "COMMON Comm", "COMMON is no kind"),
    ("Barrier", ")", "", "is no function"),
])
def test_wrong_rows(change, function, old, new, told):
    made, errors = change([(function, old, new)], "face")
    assert not made and function in errors and told in errors and "Traceback" not in errors


def test_wrong_meanings(tmp_path):
    shutil.copytree(GENERATE.parent, tmp_path / "table")
    kinds = tmp_path / "table/kinds.txt"
    kinds.write_text(re.sub(r"^(WEIGHT .*)weights", r"\1weight", kinds.read_text(), flags=re.MULTILINE))
    run = subprocess.run([sys.executable, tmp_path / "table/generate.py", "face", "mpich"], capture_output=True, text=True, check=False)
    assert run.returncode == 1 and run.stdout == "" and run.stderr == "kinds.txt: WEIGHT: weight is no meaning\n"


def body(text, begin):
    """The body of the function whose first line begins so."""
    assert text.count(begin) == 1
    return text[text.index(begin):].split("\n}\n")[0]


@pytest.mark.parametrize("abi", ["mpich", "openmpi"])
def test_ranks_of_windows(change, abi):
    """They are those of the core, by their rows alone."""
    made, errors = change([], "face", abi)
    assert not errors
    put, lock = (body(made, f"UNO_FACE(int, {name}, ") for name in ("Put", "Win_lock"))
    assert ("abi_Put(origin_addr, origin_count, the_origin_datatype, uno_in_rank(target_rank), target_disp, target_count, "
            "the_target_datatype, the_win)") in put
    assert "abi_Win_lock(uno_in_lock(lock_type), uno_in_rank(rank), uno_in_assertion(assert), the_win)" in lock
    made, errors = change([], "fortran", abi)
    assert not errors
    put, lock = (body(made, f"EXPORT void mpi_{name}_(") for name in ("put", "win_lock"))
    assert re.search(r"UNO_C\(Put\)\(.*, \*target_rank, ", put)  # by the entry for C, which converts the rank
    assert "UNO_C(Win_lock)(*lock_type, *rank, *assert, " in lock


def test_ranks_of_windows_are_looked_at(change):
    made, errors = change([], "face")
    assert not errors
    assert 'uno_check_dest(&call, QUICK, "target_rank", target_rank);' in body(made, "EXPORT int PMPI_Put(")
    assert 'uno_check_dest(&call, QUICK, "rank", rank);' in body(made, "EXPORT int PMPI_Win_lock(")


OWNERS = ("file", "session")


def test_files_and_sessions_are_objects(change, tmp_path):
    """All functions of files and sessions compile once their rows are turned on: only the functions behind the
    entries are missing."""
    there = [(f.name, f"- {f.name}(", f"+ {f.name}(") for f in rows.functions() if not f.there and
             any(p.kind.object in OWNERS for p in f.parameters)]
    assert len(there) > 10
    (tmp_path / "library").mkdir()
    made = {"calls.h": ("calls",), "face.c": ("face",), "f08.c": ("f08",)}
    for abi in ("mpich", "openmpi"):
        made |= {f"values_{abi}.h": ("values", abi), f"face_{abi}.c": ("face", abi), f"fortran_{abi}.c": ("fortran", abi)}
    for name, words in made.items():
        text, errors = change(there, *words)
        assert not errors
        there = []  # they are
        (tmp_path / "library" / name).write_text(text)
    folders = [f"-I{folder}" for folder in (tmp_path, SOURCE / "mpi", SOURCE / "src", HEADER.parent)]
    for name in (name for name in made if name.endswith(".c")):
        run = subprocess.run(["cc", "-std=gnu17", "-fsyntax-only", "-Wall", "-Werror", *folders, tmp_path / "library" / name],
                             capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr[:3000]


# The meanings of numbers of these names, beside those that are never special.
NAMES = {
    "rank": r"dest|source|root|target_rank|rank_(source|dest)|ranks[12]", "tag": r"(send|recv)?tag", "keyval": r".*keyval",
    "error": r"error|errorclass|errorcode|array_of_errcodes", "level": r"required|provided", "comparison": "result",
    "split": "split_type", "order": "order", "distribution": "array_of_distribs", "argument": "array_of_dargs", "combiner": "combiner",
    "typeclass": "typeclass", "lock": "lock_type", "whence": "whence", "amode": "amode", "assertion": "assert",
}


def test_numbers_are_of_the_kinds_that_their_names_say():
    wrong = [(f.name, p.name, p.kind.name) for f in rows.functions() for p in f.parameters for what, names in NAMES.items()
             if p.kind.forms == ("int", "int") and re.fullmatch(names, p.name) and p.kind.of != what and f.name != "Abort"]
    assert wrong == []
    ranks = {(p.kind.name, f.name) for f in rows.functions() for p in f.parameters if p.name == "rank" and f.name.startswith("Win_")}
    assert {kind for kind, _ in ranks} == {"RANK"} and len(ranks) == 5


def test_handles_that_end_go_both_ways():
    ends = r"Cancel|Request_free|Start|Test|Wait|I?mrecv|Mrecv|Type_commit|Comm_disconnect|File_close|Session_finalize|.*_free|.*free_keyval"
    handles = [(f.name, p) for f in rows.functions() for p in f.parameters if p.way and not p.array and
               (p.kind.object or p.kind.of == "keyval")]
    both = {(name, p.name) for name, p in handles if p.way == "INOUT"}
    assert both == {(name, p.name) for name, p in handles if re.fullmatch(ends, name)} - {("Imrecv", "request")}
