"""Programs and a tool of others that no registry has: their sources are fetched by git, each at one commit, which is
also the checksum of all its files, and compiled by Debian's MPICH. What cannot be had raises Missing."""

import re
import shutil
from dataclasses import dataclass

from debian import command
from hosts import Missing
from programs import WORK

KERNELS = ("is", "cg", "mg", "ft", "lu", "ep", "sp", "bt")
FLAGS = "-O3 -g"


@dataclass
class Source:
    url: str
    commit: str
    build: str  # for the shell, in the source's folder
    made: str  # a file that there is then


SOURCES = {
    "npb": Source("https://github.com/mbdevpl/nas-parallel-benchmarks", "6f8ec75d6951629d2eb7e3001433295d407230aa", f"""
        cd NPB3.4-MPI && mkdir -p bin
        sed 's/^MPIFC.*/MPIFC = mpif90.mpich/; s/^MPICC.*/MPICC = mpicc.mpich/; s/^FFLAGS.*/FFLAGS = {FLAGS} -fallow-argument-mismatch/' \\
            config/make.def.template > config/make.def
        for kernel in {' '.join(KERNELS)}; do for class in S W; do make $kernel CLASS=$class; done; done""", "NPB3.4-MPI/bin/bt.W.x"),
    "lulesh": Source("https://github.com/LLNL/LULESH", "3e01c40b3281aadb7f996525cdd4a3354f6d3801",
                     f"make CXX='mpicxx.mpich -DUSE_MPI=1' CXXFLAGS='{FLAGS} -I.' LDFLAGS=-g", "lulesh2.0"),
    "hpcg": Source("https://github.com/hpcg-benchmark/hpcg", "114602d458d1034faa52b71e4c15aba9b3a17698", f"""
        cmake -S . -B b -DHPCG_ENABLE_MPI=ON -DCMAKE_CXX_COMPILER=mpicxx.mpich -DCMAKE_CXX_FLAGS='{FLAGS}'
        cmake --build b -j2""", "b/xhpcg"),
    "mpip": Source("https://github.com/LLNL/mpiP", "8ff38c37777111543307fa40274caa96be8a916b", """
        ./configure CC=mpicc.mpich CXX=mpicxx.mpich F77=mpif77.mpich PYTHON=python3 --disable-libunwind --disable-bfd
        LOGNAME=nobody make""", "libmpiP.so"),
}


def fetched(name):
    """Return the folder of a source, compiled."""
    source, folder = SOURCES[name], WORK / "fetched" / name
    if not folder.is_dir():
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.parent.mkdir(parents=True, exist_ok=True)
        command("git", "clone", "--quiet", source.url, part)
        command("git", "-C", part, "checkout", "--quiet", source.commit)
        part.rename(folder)  # which is whole now
    if not (folder / source.made).exists():
        for compiler in ("mpicc.mpich", "mpicxx.mpich", "mpif90.mpich"):
            if not shutil.which(compiler):
                raise Missing(f"{compiler} is not here (script/setup mpi)")
        command("sh", "-ec", source.build, folder=folder)
    return folder


@dataclass
class Program:
    source: str
    path: str
    right: str  # a pattern of its output, or of its files, if it has found its result right
    words: tuple = ()
    ranks: tuple = (2, 4)
    files: str = ""  # those that it writes

    def command(self):
        return [fetched(self.source) / self.path, *self.words]

    def is_right(self, output, folder):
        """Return True if the program says of itself that its result is right."""
        return bool(re.search(self.right, output + "".join(path.read_text() for path in sorted(folder.glob(self.files or "none")))))


def kernel(name, letter):
    """The kernels SP and BT take a square of ranks."""
    return Program("npb", f"NPB3.4-MPI/bin/{name}.{letter}.x", r"Verification +=\s+SUCCESSFUL",
                   ranks=(1, 4) if name in ("sp", "bt") else (2, 4))


def lulesh(size, steps, ranks=(1, 8)):
    """LULESH compares its energies with their mirror images; their differences are of the last digits."""
    return Program("lulesh", "lulesh2.0", r"MaxRelDiff += [\d.]+e-(1\d|0[89])", ("-s", str(size), "-i", str(steps)), ranks)


def hpcg(size, seconds=0):
    """HPCG repeats itself for so long; 0: once."""
    return Program("hpcg", "b/xhpcg", "HPCG result is VALID", (*(f"--n{axis}={size}" for axis in "xyz"), f"--rt={seconds}"),
                   files="HPCG-Benchmark*.txt")
