"""The MPI libraries that are compared: this one, and Open MPI's and MPICH's, alone and accelerated. Each compiles a
program by its own compiler and starts it by its own launcher."""

import subprocess
from pathlib import Path

import runner
from hosts import Host, wheels

BUILT = runner.BUILD / "bench-library"
SOURCES = Path(__file__).parent


class Side:
    """launch(ranks, words): the output of a program."""

    def __init__(self, name, compiler, launch, spins):
        self.name, self.compiler, self.launch = name, compiler, launch
        self.spins = spins  # whether it waits without letting others run

    def build(self, name, *sources, flags=()):
        """The program of these files of this folder."""
        return compiled(f"{name}-{self.name.replace(' ', '-')}", *sources, compiler=self.compiler, flags=flags)


def compiled(name, *sources, compiler="cc", flags=()):
    program = BUILT / name
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, "-std=gnu17", "-O3", "-w", *flags, "-o", program, *(SOURCES / source for source in sources), "-lm"],
                   check=True)
    return program


def own():
    prefix = runner.launch([runner.UNISONO, "mpi", "--prefix"])
    return Side("unisono", Path(prefix.strip()) / "bin/mpicc", runner.on_unisono, False)


def sides():
    yield own()
    for host in wheels("bench-library", Host.accelerator):
        for name, preload in ((host.abi, ()), (f"{host.abi} accelerated", [host.accelerator()])):
            yield Side(name, host.mpicc, lambda ranks, program, host=host, preload=preload: host.launch(ranks, program, preload),
                       host.is_mpich)
