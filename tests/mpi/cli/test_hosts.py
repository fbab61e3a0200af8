"""With the real MPI libraries."""

import os
import subprocess

import pytest

from command import UNISONO

FOLDERS = {key: os.environ.get(f"UNISONO_{key.upper()}") for key in ("openmpi", "mpich")}
BUILDS = [("openmpi", "openmpi", "mpicc"), ("mpich", "mpich", "mpicc"), ("abi", "mpich", "mpicc_abi")]

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, ranks, sum, one = 1;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 20; i++)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    if (rank == 0 && ranks > 1)
        MPI_Send(&one, 1, MPI_INT, ranks - 1, 0, MPI_COMM_WORLD);
    if (rank == ranks - 1 && ranks > 1)
        MPI_Recv(&sum, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc > 1 && rank == 1)
        exit(atoi(argv[1]));
    MPI_Finalize();
    if (rank == 0)
        printf("ranks: %d\n", ranks);
    return 0;
}
"""


class Host:
    def __init__(self, build, folder, compiler, work):
        self.build, self.folder, self.work = build, folder, work
        self.environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "XDG_CONFIG_HOME": str(work / "config")}
        self.program = work / "program"
        (work / "program.c").write_text(PROGRAM)
        subprocess.run([f"{folder}/bin/{compiler}", "-o", self.program, work / "program.c"], check=True)

    def launcher(self, ranks):
        more = ["--oversubscribe"] if self.build == "openmpi" else []
        return [f"{self.folder}/bin/mpirun", *more, "-n", str(ranks)]

    def run(self, *arguments, **options):
        return subprocess.run([UNISONO, "mpi", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=100, cwd=self.work, env=self.environment, **options)


@pytest.fixture(params=BUILDS, ids=[build for build, _, _ in BUILDS])
def host(request, tmp_path):
    build, key, compiler = request.param
    folder = FOLDERS[key]
    if not folder or not os.path.exists(f"{folder}/bin/{compiler}"):
        pytest.skip(f"no {key} with {compiler} here")
    if os.environ["UNISONO_SANITIZE"]:
        pytest.skip("an accelerator with a sanitizer does not go into programs without")
    return Host(build, folder, compiler, tmp_path)


def test_detection(host):
    r = host.run("-v", *host.launcher(2), "./program")
    assert r.returncode == 0, r.stderr
    assert r.stdout == "ranks: 2\n"
    assert f"libunisono-mpi-{host.build}.so" in r.stderr
    assert f"program: ./program, needs libmpi{'_abi' if host.build == 'abi' else ''}.so." in r.stderr


def test_one_rank_without_a_launcher(host):
    r = host.run("./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 1\n")


def test_two_contexts(host):
    r = host.run(*host.launcher(1), "./program", ":", *host.launcher(2)[1:], "./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 3\n")


def test_failure_is_passed_on(host):
    r = host.run("--profile", *host.launcher(2), "./program", "3")
    assert r.returncode not in (0, 1, 2)
    assert "there is no profile: rank 0 did not come to MPI_Finalize" in r.stderr
