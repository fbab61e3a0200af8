"""The MPI libraries that are compared: this one, and Open MPI's and MPICH's, alone and accelerated. Each compiles a program by its own
compiler and starts it by its own launcher."""

import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "build/bench-library"
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "bench/mpi")]
from hosts import Host, wheels  # noqa: E402  the folders are known only now


class Side:
    """launch(ranks, words): the output of a program."""

    def __init__(self, name, compiler, launch, spins):
        self.name, self.compiler, self.launch = name, compiler, launch
        self.spins = spins  # whether it waits without letting others run

    def build(self, name, *sources, flags=()):
        """The program of these files of this folder."""
        program = BUILT / f"{name}-{self.name.replace(' ', '-')}"
        BUILT.mkdir(parents=True, exist_ok=True)
        paths = [ROOT / "bench/library" / source for source in sources]
        subprocess.run([self.compiler, "-std=gnu17", "-O3", "-w", *flags, "-o", program, *paths, "-lm"], check=True)
        return program


def by_unisono(ranks, program):
    return alone([ROOT / "build/bin/unisono", "run", "-n", ranks, *program])


def alone(program):
    command = [str(word) for word in program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
    if done.returncode:
        sys.exit(f"bench-library: {' '.join(command)}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def own():
    prefix = subprocess.run([ROOT / "build/bin/unisono", "mpi", "--prefix"], capture_output=True, text=True, check=True)
    return Side("unisono", Path(prefix.stdout.strip()) / "bin/mpicc", by_unisono, False)


def sides():
    yield own()
    for host in wheels("bench-library", Host.accelerator):
        for name, preload in ((host.abi, ()), (f"{host.abi} accelerated", [host.accelerator()])):
            yield Side(name, host.mpicc, lambda ranks, program, host=host, preload=preload: host.launch(ranks, program, preload),
                       host.is_mpich)


def cell(seconds, scale=1e6, digits=3):
    """The median, and from the least to the most."""
    scaled = [f"{s * scale:,.{digits}f}" for s in (statistics.median(seconds), min(seconds), max(seconds))]
    return "{} ({}-{})".format(*scaled)


def show(names, rows):
    """rows: what is in front, and the cells of those names that have one."""
    lines = [["", *names]] + [[name, *(cells.get(side, "") for side in names)] for name, cells in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for first, *others in lines:
        print(f"{first:{widths[0]}}" + "".join(f"  {word:>{width}}" for word, width in zip(others, widths[1:])))
