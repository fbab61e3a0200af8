"""Good and bad command lines."""

import pytest

from command import OPENMPI, place, refused  # noqa: F401

BAD = [
    ([], "which program?"),
    (["--nodes", "0", "true"], "--nodes 0: say how many machines, 1 to 1024"),
    (["--nodes", "x", "true"], "--nodes x: say how many machines"),
    (["--nodes", "2:odd", "true"], "--nodes 2:odd: say how many machines"),
    (["--nodes", "0,1,", "true"], "--nodes 0,1,: say how many machines"),
    (["--nodes", "0,,1", "true"], "--nodes 0,,1: say how many machines"),
    (["--nodes", "0,-1", "true"], "--nodes 0,-1: say how many machines"),
    (["--nodes", "99999999999999999999", "true"], "say how many machines"),
    (["--mpi", "lam", "true"], "--mpi lam: it is openmpi, mpich or abi"),
    (["--off", "--check", "true"], "--off and --check exclude each other"),
    (["--unit", "usp8", "mpirun", "true"], "--unit usp8: no unit goes with the accelerator"),
    (["--tune", "--profile", "true"], "--tune measures by itself"),
    (["--tune", "--nodes", "2", "true"], "--tune measures by itself"),
    (["--profile=/no/such/folder/x", "--mpi", "mpich", "true"], "--profile: /no/such/folder/x: cannot create it: No such file"),
    (["--plot=/no/such/folder/x", "--mpi", "mpich", "true"], "--plot /no/such/folder/x: No such file"),
]


@pytest.mark.parametrize("arguments, message", BAD, ids=lambda a: " ".join(a) if type(a) is list else None)
def test_bad(place, arguments, message):
    refused(place.run(*arguments), message)


def test_unknown_option(place):
    r = place.run("--fly")
    assert r.returncode == 2 and "unrecognized option '--fly'" in r.stderr


def test_help(place):
    r = place.run("--help")
    assert (r.returncode, r.stderr) == (0, "")
    assert r.stdout.startswith("Usage: unisono mpi ")
    for option in ["profile", "plot", "check", "fast-math", "nodes", "tune", "off", "mpi", "verbose"]:
        assert f"--{option}" in r.stdout


def test_no_such_command(place):
    refused(place.run("no-such-launcher", "-n", "2"), "cannot find no-such-launcher in PATH", status=127)
    assert place.run("no-such-launcher").stderr == "unisono mpi: cannot find no-such-launcher in PATH\n"
    refused(place.run("./none"), "cannot find ./none", status=127)
    refused(place.run("/etc/passwd"), "cannot run /etc/passwd", status=126)
    refused(place.run("/etc"), "cannot run /etc", status=126)


@pytest.mark.parametrize("name", ["mpirun", "mpiexec.hydra", "srun", "./mpirun"])
def test_no_launcher(place, name):
    """Without an MPI library the message says what to do."""
    environment = {**place.environment, "PATH": str(place.folder / "empty")}
    refused(place.run(name, "-n", "2", "./program", env=environment), f"cannot find {name}{'' if '/' in name else ' in PATH'}: ",
            "Debian: openmpi-bin", "`unisono run -n 4 ./program`", status=127)


@pytest.mark.parametrize("words", [("-n", "4"), ("-n4",), ("-np", "4"), ("--np=4",)])
def test_number_of_ranks_before_the_launcher(place, words):
    r = place.run(*words, "./program")
    assert r.returncode == 2 and "as in `unisono mpi mpirun -n 4 ./program`; " in r.stderr and "`unisono run -n 4" in r.stderr


def test_options_of_the_command_are_its_own(place):
    launcher = place.launcher(OPENMPI)
    for dashes in [[], ["--"]]:
        r = place.run(*dashes, launcher, "--profile", "--help")
        assert r.returncode == 0 and r.stdout == "-x\nLD_PRELOAD\n--profile\n--help\n"


@pytest.mark.parametrize("options, variable", [
    (["--off"], "UNISONO_MPI=off"),
    (["--fast-math"], "UNISONO_MPI_FAST_MATH=1"),
    (["--nodes", "3"], "UNISONO_MPI_NODES=3"),
    (["--nodes=2:cyclic"], "UNISONO_MPI_NODES=2:cyclic"),
    (["--nodes=0,1,1,0"], "UNISONO_MPI_NODES=0,1,1,0"),
    (["--check"], "UNISONO_MPI_CHECK=1"),
    (["--profile"], "UNISONO_MPI_PROFILE=/"),
    ([], ""),
])
def test_what_the_programs_are_told(place, options, variable):
    launcher = place.launcher(OPENMPI, "env")
    r = place.run(*options, launcher)
    told = [line for line in r.stdout.splitlines() if line.startswith("UNISONO_MPI")]
    if options == ["--check"]:
        assert told.pop(told.index(variable)) == variable
        variable = "UNISONO_MPI_PROFILE=/"  # the option by which it gets the file to compare
    assert len(told) == (1 if variable else 0)
    assert all(line.startswith(variable) for line in told)
