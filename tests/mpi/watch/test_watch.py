"""The accelerator's records of a program, and its comparison with the host, under the real MPI libraries."""

import json
import os
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIBRARIES = {key: os.environ.get(f"UNISONO_{key.upper()}") for key in ("openmpi", "mpich")}
RANKS = 3


class Host:
    def __init__(self, key, folder, work, compiled):
        self.key, self.folder, self.work, self.compiled = key, folder, work, compiled
        self.accelerator = os.environ[f"UNISONO_ACCELERATOR_{key.upper()}"]
        self.program = self.compile("watched.c")

    def compile(self, source, *flags):
        return self.compiled((HERE / source).read_text(), f"{self.folder}/bin/mpicc", "-O1", *flags)

    def run(self, preload=(), **settings):
        preloads = ":".join([self.accelerator, *map(str, preload)])
        command = [str(HERE.parent / "under"), self.key, f"{self.folder}/bin/mpirun", preloads, str(RANKS), str(self.program)]
        environment = {**os.environ, **settings, "XDG_CONFIG_HOME": str(self.work)}
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=100)

    def profile(self, **settings):
        path = self.work / "profile.json"
        result = self.run(UNISONO_MPI_PROFILE=str(path), **settings)
        assert result.returncode == 0, result.stderr
        assert not (self.work / "profile.json.part").exists()
        return json.loads(path.read_text())


@pytest.fixture(params=LIBRARIES)
def host(request, tmp_path, compiled):
    if not LIBRARIES[request.param]:
        pytest.skip(f"no {request.param} here")
    return Host(request.param, LIBRARIES[request.param], tmp_path, compiled)


def rows(profile, table, **key):
    found = [row for row in profile[table] if all(row[k] == v for k, v in key.items())]
    return found


def only(profile, table, **key):
    found = rows(profile, table, **key)
    assert len(found) == 1, (key, found)
    return found[0]


def test_profile(host):
    """Every call is counted, a collective once, with its type, size and number of ranks."""
    profile = host.profile(UNISONO_MPI_TUNE="none")
    assert (profile["format"], profile["build"], profile["ranks"], profile["nodes"]) == (1, host.key, RANKS, 1)
    assert profile["off"] is None and profile["check"] is None and str(host.program) in profile["program"]
    assert {"openmpi": "Open MPI", "mpich": "MPICH"}[host.key] in profile["library"]
    barrier = only(profile, "collectives", name="MPI_Barrier")
    assert (barrier["operations"], barrier["accelerated"], barrier["calls"]) == (5, 5, 5 * RANKS)
    assert (barrier["type"], barrier["bytes"], barrier["ranks"]) == ("", 0, RANKS)
    assert 0 < barrier["seconds"] == barrier["accelerated_seconds"]
    sums = rows(profile, "collectives", name="MPI_Allreduce", type="MPI_DOUBLE", bytes=8)
    assert sorted((row["ranks"], row["operations"], row["accelerated"], row["calls"]) for row in sums) == [
        (1, 7, 0, 7), (2, 7, 7, 14)]
    vector = only(profile, "collectives", name="MPI_Allreduce", type="MPI_INT")
    assert (vector["bytes"], vector["operations"], vector["accelerated"]) == (16, 1, 1)
    empty = only(profile, "collectives", name="MPI_Bcast")
    assert (empty["bytes"], empty["operations"], empty["accelerated"], empty["accelerated_seconds"]) == (0, 1, 0, 0)
    large = only(profile, "collectives", name="MPI_Allreduce", bytes=1 << 24)
    assert large["operations"] == 1
    for name in "MPI_Send", "MPI_Recv":
        message = only(profile, "point_to_point", name=name)
        assert (message["type"], message["bytes"], message["calls"]) == ("MPI_INT", 16, 1)
    ranks = profile["rank"]
    assert [row["rank"] for row in ranks] == list(range(RANKS)) and {row["node"] for row in ranks} == {0}
    inside = sum(row["seconds"] for row in profile["collectives"])
    assert abs(inside - sum(row["inside"] for row in ranks)) < 1e-6
    assert all(0 < row["inside"] < row["seconds"] for row in ranks)


def test_off(host):
    profile = host.profile(UNISONO_MPI="off")
    assert profile["off"] == "UNISONO_MPI=off"
    barrier = only(profile, "collectives", name="MPI_Barrier")
    assert (barrier["operations"], barrier["accelerated"], barrier["accelerated_seconds"]) == (5, 0, 0)


def test_profile_nowhere(host):
    """A file that cannot be written is an error before the program runs, not after."""
    result = host.run(UNISONO_MPI_PROFILE=str(host.work / "missing" / "profile.json"))
    assert result.returncode != 0
    assert "UNISONO_MPI_PROFILE: cannot write to" in result.stderr and "No such file" in result.stderr


def accelerated(profile):
    return [(row["name"], row["bytes"], row["ranks"], row["accelerated"]) for row in profile["collectives"]]


def test_crossovers_that_are_broken(host):
    """The program runs, and the accelerator uses none of the lines, of which the first ones would leave all to the
    library."""
    file, path = host.work / "crossovers", host.work / "profile.json"
    file.write_text(f"below {host.key} MPI_Allreduce {RANKS} 0\nbelow {host.key} MPI_Bcast {RANKS} 0\n\x7fELF\x02\0\0\n")
    result = host.run(UNISONO_MPI_TUNE=str(file), UNISONO_MPI_PROFILE=str(path))
    assert result.returncode == 0, result.stderr
    assert f"warning: {file}:3: a line starts with below or time; the crossovers that are built in hold" in result.stderr
    assert result.stderr.count("warning") == 1
    assert accelerated(json.loads(path.read_text())) == accelerated(host.profile(UNISONO_MPI_TUNE="none"))


def test_crossovers_that_cannot_be_read(host):
    (host.work / "unisono/mpi-crossovers").mkdir(parents=True)
    result = host.run()
    assert result.returncode == 0
    assert f"warning: cannot read the crossovers in {host.work}/unisono/mpi-crossovers: Is a directory;" in result.stderr


def test_check(host):
    profile = host.profile(UNISONO_MPI_CHECK="1", UNISONO_MPI_TUNE="none")
    assert profile["check"]["different"] == 0
    assert profile["check"]["compared"] >= 8


def test_check_finds(host):
    """A host that differs in one element on one rank."""
    liar = host.compile("liar.c", "-shared", "-fPIC")
    path = host.work / "profile.json"
    result = host.run([liar], UNISONO_MPI_CHECK="1", UNISONO_MPI_PROFILE=str(path), UNISONO_MPI_TUNE="none")
    assert result.returncode != 0
    assert "rank 1: check: MPI_Allreduce on the communicator MPI_COMM_WORLD, of 3 ranks, of which this is 1: " \
           "element 5 is bytes 12 00 00 00, and the host has bytes 13 00 00 00" in result.stderr
    assert "check: 1 results differ from the host's" in result.stderr
    assert json.loads(path.read_text())["check"]["different"] == 1


@pytest.mark.parametrize("name", ["UNISONO_MPI_CHECK", "UNISONO_MPI_FAST_MATH", "UNISONO_MPI"])
def test_wrong(host, name):
    result = host.run(**{name: "perhaps"})
    assert result.returncode != 0 and f"{name}=perhaps: it is" in result.stderr
