"""`unisono mpi` with the real MPI libraries."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from command import LIB, LIBEXEC, UNISONO

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

FAMILY = r"""
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Comm parent, child;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
        for (int i = 0; i < 5; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    } else {
        child = parent;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_disconnect(&child);
    MPI_Finalize();
}
"""


SESSION = r"""
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    char line[40];
    MPI_Init(&argc, &argv);
    int length = sprintf(line, "%d %d %d\n", getpid(), getpgrp(), getsid(0));
    MPI_Barrier(MPI_COMM_WORLD);
    if (write(1, line, length) != length)
        return 1;
    MPI_Finalize();
}
"""


class Host:
    def __init__(self, build, folder, compiler, work, compiled):
        self.build, self.folder, self.work, self.compiled = build, folder, work, compiled
        self.environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                            "XDG_CONFIG_HOME": str(work / "config")}
        self.compiler = f"{folder}/bin/{compiler}"
        self.program = self.compile("program", PROGRAM)

    def compile(self, name, text):
        return shutil.copy(self.compiled(text, self.compiler), self.work / name)

    def launcher(self, ranks):
        more = ["--oversubscribe"] if self.build == "openmpi" else []
        return [f"{self.folder}/bin/mpirun", *more, "-n", str(ranks)]

    def run(self, *arguments, unisono=UNISONO, **options):
        return subprocess.run([unisono, "mpi", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=250, cwd=self.work, env=self.environment, **options)


@pytest.fixture(params=BUILDS, ids=[build for build, _, _ in BUILDS])
def host(request, tmp_path, compiled):
    build, key, compiler = request.param
    folder = FOLDERS[key]
    if not folder or not os.path.exists(f"{folder}/bin/{compiler}"):
        pytest.skip(f"no {key} with {compiler} here")
    return Host(build, folder, compiler, tmp_path, compiled)


def test_detection(host):
    r = host.run("-v", *host.launcher(2), "./program")
    assert r.returncode == 0, r.stderr
    assert r.stdout == "ranks: 2\n"
    assert f"libunisono-mpi-{host.build}.so" in r.stderr
    assert f"program: ./program, needs libmpi{'_abi' if host.build == 'abi' else ''}.so." in r.stderr


def test_profile_of_a_job_that_spawns(host):
    """The profile is of the job that was started, not of the one that it spawned."""
    r = host.run("--profile=p.json", *host.launcher(3), host.compile("family", FAMILY))
    assert r.returncode == 0, r.stderr
    profile = json.loads((host.work / "p.json").read_text())
    assert len(profile["rank"]) == 3
    assert [(row["name"], row["operations"]) for row in profile["collectives"]] == [("MPI_Barrier", 5)]


def test_one_rank_without_a_launcher(host):
    r = host.run("./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 1\n")


def test_two_contexts(host):
    r = host.run("--profile=p.json", *host.launcher(1), "./program", ":", *host.launcher(2)[1:], "./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 3\n")
    assert json.load(open(host.work / "p.json"))["ranks"] == 3


def test_profile(host):
    r = host.run("--profile=p.json", *host.launcher(4), "./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 4\n"), r.stderr
    profile = json.load(open(host.work / "p.json"))
    assert (profile["build"], profile["ranks"], profile["nodes"], profile["off"]) == (host.build, 4, 1, None)
    rows = {(row["name"], row["ranks"]): row for row in profile["collectives"]}
    sums = rows["MPI_Allreduce", 4]
    assert (sums["type"], sums["bytes"], sums["operations"], sums["accelerated"], sums["calls"]) == ("MPI_INT", 4, 20, 20, 80)
    assert sums["seconds"] > 0
    assert (rows["MPI_Barrier", 2]["operations"], rows["MPI_Barrier", 2]["calls"]) == (2, 4)
    sends = [row for row in profile["point_to_point"] if row["name"] == "MPI_Send"]
    assert [(row["type"], row["bytes"], row["calls"]) for row in sends] == [("MPI_INT", 4, 1)]
    assert len(profile["rank"]) == 4 and all(0 < rank["inside"] < rank["seconds"] for rank in profile["rank"])


def test_off(host):
    r = host.run("--off", "--profile=p.json", *host.launcher(2), "./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 2\n"), r.stderr
    profile = json.load(open(host.work / "p.json"))
    assert profile["off"] and not any(row["accelerated"] for row in profile["collectives"])
    assert sum(row["operations"] for row in profile["collectives"]) >= 20


def test_check(host):
    r = host.run("--check", *host.launcher(2), "./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 2\n"), r.stderr
    assert "all are the same" in r.stderr


def test_pretended_nodes(host):
    r = host.run("--nodes", "2", "--profile=p.json", *host.launcher(4), "./program")
    assert (r.returncode, r.stdout) == (0, "ranks: 4\n"), r.stderr
    profile = json.load(open(host.work / "p.json"))
    assert (profile["nodes"], profile["pretended_nodes"]) == (2, True)
    assert sorted(rank["node"] for rank in profile["rank"]) == [0, 0, 1, 1]


def test_failure_is_passed_on(host):
    r = host.run("--profile", *host.launcher(2), "./program", "3")
    assert r.returncode not in (0, 1, 2)
    assert "there is no profile: rank 0 did not come to MPI_Finalize" in r.stderr


def test_measuring_program(host):
    """Each build's module goes through all collectives, by the library that the launcher is of."""
    libexec = os.path.join(os.path.dirname(UNISONO), "..", LIBEXEC, "unisono")
    ranks = 3 if host.build == "openmpi" else 2  # MPICH alone takes ten seconds with more ranks than processors
    library = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12", "abi": "libmpi_abi.so.1"}[host.build]
    command = [*host.launcher(ranks), f"{libexec}/mpi-tune", f"{libexec}/mpi-tune-{host.build}.so", "figures", "once",
               "libnone.so", f"{host.folder}/lib/{library}"]
    r = subprocess.run(command, cwd=host.work, env=host.environment, stderr=subprocess.PIPE, text=True, timeout=250)
    assert r.returncode == 0, r.stderr
    rows = [line.split() for line in open(host.work / "figures")]
    assert len({row[0] for row in rows}) == 16 and all(len(row) == 4 for row in rows)
    assert ["MPI_Bcast", "4194304"] in [row[:2] for row in rows]
    assert ["MPI_Allgatherv", str(ranks)] in [row[:2] for row in rows]  # of all ranks together


@pytest.mark.parametrize("host", [BUILDS[1]], ids=["mpich"], indirect=True)
@pytest.mark.parametrize("ranks, options, together", [(3, [], True), (2, [], False), (3, ["--off"], False)])
def test_sessions(host, ranks, options, together):
    """Ranks that take turns on processors are in one session, as those of other launchers, or Linux would not switch
    between them; others have one each, as without the accelerator. Each leads a group of processes."""
    two = sorted(os.sched_getaffinity(0))[:2]
    program = host.compile("session", SESSION)
    r = host.run(*options, *host.launcher(ranks), program, preexec_fn=lambda: os.sched_setaffinity(0, two))
    assert r.returncode == 0, r.stderr
    places = [tuple(map(int, line.split())) for line in r.stdout.splitlines()]
    assert len(places) == ranks and all(group == pid for pid, group, _ in places), places
    sessions = {session for _, _, session in places}
    assert len(sessions) == (1 if together else ranks), places
    assert not sessions & {pid for pid, _, _ in places} if together else all(pid == session for pid, _, session in places)


def in_short_turns(host):
    """A copy of the program beside a measuring module that makes do with less time."""
    tree, copy = Path(UNISONO).parent.parent, host.work / "installed"
    for folder in "bin", LIB, f"{LIBEXEC}/unisono":
        (copy / folder).mkdir(parents=True)
    (copy / LIB / "unisono").symlink_to(tree / LIB / "unisono")
    (copy / LIBEXEC / "unisono/mpi-tune").symlink_to(tree / LIBEXEC / "unisono/mpi-tune")
    (copy / LIBEXEC / f"unisono/mpi-tune-{host.build}.so").symlink_to(os.environ["UNISONO_TUNE_MODULE"])
    return shutil.copy2(UNISONO, copy / "bin/unisono")


@pytest.mark.parametrize("host", [BUILDS[1]], ids=["mpich"], indirect=True)
def test_tune(host):
    """Tuning completes, and later runs use the figures that it keeps, whatever they are."""
    r = host.run("--tune", *host.launcher(2), unisono=in_short_turns(host))
    assert r.returncode == 0, r.stderr
    rows = [line.split() for line in open(host.work / "config/unisono/mpi-crossovers")]
    below = {row[2]: row[3:] for row in rows if row[:2] == ["below", host.build]}
    assert {"MPI_Bcast", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoallv"} <= set(below)
    assert all(numbers[0] == "2" and len(numbers) in (2, 3) for numbers in below.values())
    assert {"MPI_Barrier", *below} == {row[2] for row in rows if row[0] == "time"}
    r = host.run("--profile=p.json", *host.launcher(2), "./program")
    assert r.returncode == 0, r.stderr
    saved = {row["name"]: row["saved_seconds"] for row in json.load(open(host.work / "p.json"))["collectives"]}
    assert saved["MPI_Allreduce"] is not None
