"""The library for the ABIs of others: their symbols and values are those of the other library, and its programs run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(os.environ["UNISONO_SOURCE"])
UNISONO = os.environ["UNISONO"]
PREFIX = Path(subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip())
sys.path.insert(0, str(SOURCE / "mpi/library/table"))
sys.dont_write_bytecode = True
foreign = __import__("foreign")

# The libraries of other ABIs.
FACES = {"mpich": "libmpi.so.12", "openmpi": "libmpi.so.40"}
NAMES = {"mpich": r"P?MPIX?_|MPII_|QMPI_|MPIR_(Dup|Err|F08|fortran)", "openmpi": r"P?MPIX?_[A-Z][a-z]|OMPI_C_|MPI_F\w*_IGNORE$"}


def output(*command):
    r = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60, check=False)
    assert r.returncode == 0, r.stderr
    return r.stdout


@pytest.fixture(params=FACES)
def face(request):
    """The ABI, and the folder of another library that has it."""
    for folder in os.environ["UNISONO_PEERS"].split(":"):
        if (Path(folder) / "lib" / FACES[request.param]).exists():
            return request.param, Path(folder)
    pytest.skip(f"there is no other {FACES[request.param]}")


def symbols(library, names):
    """Return the library's functions and variables of that ABI, and the sizes of the variables."""
    rows = re.findall(r"^\S+ (\S+) (\w) (\S+)$", output("nm", "-D", "-S", "--defined-only", library), re.MULTILINE)
    return {name: int(size, 16) if kind in "BDRV" else 0 for size, kind, name in rows if re.match(names, name)}


def test_symbols(face):
    abi, peer = face
    handles = re.findall(r"OMPI_PREDEFINED_GLOBAL\( *\w+, *(\w+)\)", (peer / "include/mpi.h").read_text())
    names = "|".join([NAMES[abi]] + [name + "$" for name in handles])
    theirs, ours = symbols(peer / "lib" / FACES[abi], names), symbols(PREFIX / "lib/others" / FACES[abi], names)
    assert len(theirs) > (1300 if abi == "mpich" else 900)
    assert {name: size for name, size in theirs.items() if ours.get(name) != size} == {}


def test_values(face, tmp_path):
    abi, peer = face
    rows = [v for name, rows in foreign.sections().items() for v in rows if v.of(abi) != "-" and v.of(abi)[0] != "="]
    of_fortran = ("MPI_INTEGER16", "MPI_REAL2")  # which mpi.h names only where Open MPI was built with Fortran
    rows = [v for v in rows if v.of(abi)[0] != "o" or (v.fortran != "-" and v.name not in of_fortran)]
    value = {v.name: v.of(abi) if v.of(abi)[0] != "o" else "(intptr_t)&" + v.of(abi) for v in rows}
    lines = "\n".join(f'    printf("{v.name} %d\\n", (int)(intptr_t){v.name} == (int){value[v.name]});' for v in rows)
    source = tmp_path / "values.c"
    source.write_text(f"#include <mpi.h>\n#include <stdint.h>\n#include <stdio.h>\nint main(void) {{\n{lines}\n}}\n")
    old = ["-DOMPI_OMIT_MPI1_COMPAT_DECLS=0", "-DOMPI_REMOVED_USE_STATIC_ASSERT=0"]  # or Open MPI's mpi.h has no MPI_LB
    output(peer / "bin/mpicc", "-w", *old, "-o", tmp_path / "values", source)
    told = dict(line.split() for line in output(tmp_path / "values").splitlines())
    assert len(told) == len(rows) > 150
    assert [name for name, same in told.items() if same != "1"] == []


ERRORS = """
#include <mpi.h>
#include <stdio.h>
#define SAY(what) printf(#what " %d\\n", (what))
int main(int argc, char **argv) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, level, flag, *value, class, code;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Get_library_version(text, &length);
    printf("%.7s\\n", text);
    SAY(level == MPI_THREAD_FUNNELED);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_HOST, &value, &flag);
    SAY(flag && *value == MPI_PROC_NULL);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &value, &flag);
    SAY(*value >= MPI_ERR_LASTCODE);
    MPI_Add_error_class(&class);
    SAY(class > MPI_ERR_LASTCODE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Send(text, 1, MPI_CHAR, MPI_ROOT, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    SAY(class == MPI_ERR_RANK);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    code = MPI_Comm_call_errhandler(MPI_COMM_NULL, MPI_ERR_OTHER);
    MPI_Error_class(code, &class);
    SAY(class == MPI_ERR_COMM);
    SAY(MPI_Comm_c2f(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF))) == MPI_Comm_c2f(MPI_COMM_SELF));
    return MPI_Finalize();
}
"""


def test_numbers(face, tmp_path):
    """Errors, levels and attributes are the program's; it has the other library's run path, and still gets this one."""
    (tmp_path / "errors.c").write_text(ERRORS)
    output(face[1] / "bin/mpicc", "-o", tmp_path / "errors", tmp_path / "errors.c")
    lines = output(UNISONO, "run", "-n", 1, tmp_path / "errors").splitlines()
    assert lines[0] == "Unisono"
    assert len(lines) == 8 and [line for line in lines[1:] if not line.endswith(" 1")] == []


OLDER = {"openmpi": """
#include <mpi.h>
#include <mpi-ext.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, sum = 0, all[2] = {0};
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank++;
    MPIX_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    PMPIX_Allgather_init(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int i = 0; i < 3; i++) {
        rank *= 10;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    if (rank == 1000) printf("%d %d %d\\n", sum, all[0], all[1]);
    return MPI_Finalize();
}
""", "mpich": """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int class, code, rank, errors[5];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "the lamp is out");
    errors[0] = MPIX_Delete_error_code(code);
    errors[1] = MPIX_Delete_error_string(code);
    errors[2] = MPIX_Delete_error_class(class);
    errors[3] = PMPIX_Delete_error_code(code);
    errors[4] = MPIX_Delete_error_class(class);
    if (!rank) printf("%d %d %d %d %d\\n", !errors[0], !errors[1], !errors[2], !errors[3], !errors[4]);
    return MPI_Finalize();
}
"""}


@pytest.mark.parametrize("abi", FACES)
def test_older_names(abi, tmp_path):
    """Functions that libraries before MPI 4 had as extensions."""
    if not shutil.which("mpicc." + abi):
        pytest.skip(f"there is no mpicc.{abi}")
    (tmp_path / "older.c").write_text(OLDER[abi])
    output("mpicc." + abi, "-o", tmp_path / "older", tmp_path / "older.c")
    assert output(UNISONO, "run", "-n", 2, tmp_path / "older") == {"openmpi": "3000 1000 2000\n", "mpich": "0 1 0 1 1\n"}[abi]
