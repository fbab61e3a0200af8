"""The programs: for a host, what to run with how many ranks, and what of its output is the answer."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import answers
import measure
import mpi4py_suite
import programs
from debian import command
from hosts import PROCESSORS, ROOT, UNISONO, Missing

HERE = Path(__file__).resolve().parent
PT2PT = "latency bw bibw multi_lat mbw_mr latency_persistent bw_persistent bibw_persistent".split()
BLOCKING = "allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast gather gatherv reduce reduce_scatter " \
    "reduce_scatter_block scatter scatterv".split()
NEIGHBOURS = [way + name for name in "allgather allgatherv alltoall alltoallv alltoallw".split() for way in ("neighbor_", "ineighbor_")]
OSU_RANKS = {**dict.fromkeys(("latency", "bw", "bibw"), (2,)), **dict.fromkeys(NEIGHBOURS, (4,))}  # which they want


@dataclass
class Case:
    program: str
    name: str
    ranks: int
    words: list  # or, by the side on which it runs, a function that gives them
    answer: Callable  # output -> text
    environment: dict = field(default_factory=dict)
    folder: Path = None  # a folder whose files lie beside the program when it runs
    results: str = ""  # files that the program writes, a pattern; they are part of its output
    after: str = ""  # a command for the shell, when the program has ended; what it prints is part of the output
    sides: tuple = ("alone", "accelerated", "library")  # those on which it runs

    def command(self, side):
        return self.words(side) if callable(self.words) else self.words


def osu_programs():
    """(Name, whether it can check its data)."""
    for name in PT2PT:
        yield name, not name.startswith("multi_lat")
    for name in BLOCKING:
        yield name, name != "barrier"
        yield "i" + name, name != "barrier"
        if name != "reduce_scatter_block":
            yield name + "_persistent", name != "barrier"
    for name in NEIGHBOURS:
        yield name, True


def osu(options, host):
    for name, checks in osu_programs():
        program = programs.osu(options, host, "osu_" + name)
        for ranks in options.ranks or (2, 4):
            if ranks % 2 or ranks not in OSU_RANKS.get(name.removesuffix("_persistent"), (ranks,)):
                continue
            times = 10 if ranks <= PROCESSORS else 1
            sizes = [] if "barrier" in name else ["-m", "1:4194304" if ranks <= PROCESSORS else "1024:16384"]
            memory = [] if "barrier" in name or name in PT2PT else ["-M", 1 << 30]
            words = [program, "-i", times, "-x", 1, *sizes, *memory, *(["-c"] if checks else [])]
            yield Case("osu", name, ranks, words, answers.osu)


def imb_cases(program, host, binaries, environment, options):
    for name, binary in binaries:
        for ranks in options.ranks or (2, 4):
            sizes = "0:22" if ranks <= PROCESSORS else "10:11" if host.spins(ranks) else "10:14"
            # with time enough for all sizes: it leaves out what would take longer
            words = [binary, "-npmin", ranks, "-iter", 5 if ranks <= PROCESSORS else 2, "-time", 30, "-msglog", sizes, "-mem", 1]
            if name == "NBC":
                words += ["-exclude", "Ireduce_scatter"]  # of which its check finds every library wrong
            yield Case(program, name, ranks, words, answers.imb, environment)


def imb(options, host):
    """Intel's own build."""
    options = type("Without", (), {**vars(options), "imb": None})
    binary, environment = programs.imb(options, host)
    return imb_cases("imb", host, [("MPI1", binary)], environment, options)


def imb_checked(options, host):
    """Compiled with -DCHECK, by which every message and result is looked at."""
    why = "the Intel MPI Benchmarks with -DCHECK are not in a registry: compile them with each host's mpicc and name their folder with --imb"
    binaries = [(part, programs.prebuilt(options.imb, host, f"IMB-{part}", why)) for part in ("MPI1", "NBC")]
    return imb_cases("imb-checked", host, binaries, {}, options)


def hpcg(options, host):
    for ranks in options.ranks or (1, 2, 4):
        yield Case("hpcg", "16", ranks, [programs.hpcg(options, host), "--nx=16", "--ny=16", "--nz=16", "--rt=1"], answers.hpcg,
                   results="HPCG*.txt")


def pdscaex(_, host):
    for order in (6, 96):
        yield Case("pdscaex", str(order), 6, [programs.pdscaex(host)], answers.whole, {"OPENBLAS_NUM_THREADS": "1"},
                   measure.scalapack_folder(order), "DSCAEXSOL.dat")


def fftw(options, host):
    """Complex and real transforms of one to three dimensions, in and out of place, and transposed."""
    kinds = "ofc360 ibc256 ofc32x24 obc12x18x20 ifr48x20 obr30x14 ofr12x10x16".split()
    for ranks in options.ranks or (1, 2, 3, 4):
        some = kinds[2:3] if host.spins(ranks) else kinds  # each meeting costs a time slice then
        words = [programs.fftw_bench(host), "-v1", "-oestimate", *(word for kind in some for word in ("-y", kind))]
        yield Case("fftw", "bench", ranks, words, answers.fftw)


def mpi4py(options, host):
    """The wheel of mpi4py."""
    host.check()
    library = Path(host.mpirun).parent.parent / "lib"
    if not Path(host.mpirun).is_absolute():
        raise Missing("only the wheels' libraries have the names that mpi4py's wheel looks for")
    environment = {"LD_LIBRARY_PATH": str(library), "MPI4PY_MPIABI": host.abi}
    python = mpi4py_suite.python(ROOT / "build/mpi-suites")
    for ranks in options.ranks or (1, 2, 5):
        yield Case("mpi4py", "solver", ranks, [python, "-B", HERE / "solver.py"], answers.whole, environment)


def fortran(options, host):
    for ranks in options.ranks or (1, 2, 6):
        yield Case("fortran", "heat", ranks, [programs.fortran(host)], answers.lines)


def petsc(options, host):
    for ranks in options.ranks or (1, 2, 4):
        yield Case("petsc", "ksp ex3", ranks, [programs.ksp_ex3(host), "-m", 20], answers.whole)


def by_mpicc():
    prefix = Path(command(UNISONO, "mpi", "--prefix").strip())
    path = programs.WORK / "library" / "cg"
    path.parent.mkdir(parents=True, exist_ok=True)
    command(prefix / "bin/mpicc", "-std=c17", "-O2", "-o", path, programs.HERE / "cg.c", "-lm")
    return path


def by_cmake():
    """Build as FindMPI does, with the folder that `unisono mpi --prefix` prints."""
    prefix = command(UNISONO, "mpi", "--prefix").strip()
    folder = programs.WORK / "library" / "cmake"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(cg C)\nfind_package(MPI REQUIRED)\n"
        f"add_executable(cg {programs.HERE}/cg.c)\ntarget_link_libraries(cg PRIVATE MPI::MPI_C m)\n")
    command("cmake", "-S", folder, "-B", folder / "build", f"-DMPI_HOME={prefix}", "-DCMAKE_BUILD_TYPE=Release")
    command("cmake", "--build", folder / "build")
    return folder / "build/cg"


def compiled(options, host):
    """Our conjugate gradient: the host's compiler has made what runs under the host, and ours, or CMake with ours, what
    runs on our library."""
    theirs = programs.ours(host, "cg")
    for name, make in (("mpicc", by_mpicc), ("CMake", by_cmake)):
        ours = make()
        for ranks in options.ranks or (1, 2, 4):
            yield Case("compiled", name, ranks, lambda side, ours=ours: [ours if side == "library" else theirs, 64], answers.whole)


PROGRAMS = {  # name: (its cases, what it is)
    "fftw": (fftw, "FFTW's MPI bench, which checks its transforms"),
    "pdscaex": (pdscaex, "ScaLAPACK's example, with Debian's libraries"),
    "fortran": (fortran, "a Fortran program"),
    "mpi4py": (mpi4py, "a program of mpi4py, its wheel as it is"),
    "compiled": (compiled, "a conjugate gradient that our mpicc, and CMake with it, have compiled"),
    "petsc": (petsc, "PETSc's tutorial ksp ex3, with Debian's library"),
    "imb": (imb, "Intel's benchmarks, its own build"),
    "imb-checked": (imb_checked, "Intel's benchmarks with their check of the data"),
    "hpcg": (hpcg, "HPCG"),
    "osu": (osu, "OSU's benchmarks of messages and collectives, with their check of the data"),
}
