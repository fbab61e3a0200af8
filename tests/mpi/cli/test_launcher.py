"""Launchers and their command lines: which word is the program."""

import os

import pytest

from command import INTEL, MPICH, OPENMPI, chosen, place, refused  # noqa: F401

SRUN = 'printf "%s\\n" "$@"'

LINES = [
    (OPENMPI, "mpirun", "-n 2 {p}"),
    (OPENMPI, "mpirun", "--map-by core --mca pml ob1 --oversubscribe {p} -n 3 {other}"),
    (OPENMPI, "mpirun", "-np 2 -x A=b -mca btl self,sm --display map --tag-output {p}"),
    (OPENMPI, "mpiexec", "--unknown {other_value} {p}"),
    (OPENMPI, "prterun", "--host a:2,b:2 --bind-to=none {p} {other}"),
    (OPENMPI, "mpirun.openmpi", "--allow-run-as-root -n 1 {other} : -n 1 {p}"),
    (MPICH, "mpiexec.hydra", "-genv A B -n 2 -ppn 1 {p}"),
    (MPICH, "mpirun", "-env LD_DEBUG libs -hosts a,b -l {p} {other}"),
    (MPICH, "mpirun.mpich", "-n 1 {other} : -env A B -n 2 {p}"),
    (INTEL, "mpirun", "-n 4 -genvall {p}"),
    ("", "srun", "-n 4 --mpi=pmix -p short -t 10 {p}"),
    ("", "srun", "-n4 --ntasks-per-node 2 {p} {other}"),
]


@pytest.mark.parametrize("version, name, line", LINES, ids=[f"{name} {line}" for _, name, line in LINES])
def test_the_program_is_found(place, version, name, line):
    soname = "libmpi.so.40" if version == OPENMPI else "libmpi.so.12"
    program = place.program("program", place.library(soname))
    other = place.script("other", "exit 0")
    launcher = place.launcher(version, name=name) if version else place.script(name, SRUN)
    words = line.format(p=program, other=other, other_value="value").split()
    r = place.run("-v", launcher, *words)
    assert r.returncode == 0, r.stderr
    found = [l.split()[3].rstrip(",") for l in r.stderr.splitlines() if l.startswith("unisono mpi: program: ")]
    assert str(program) in found
    assert str(other) not in found or ":" in words
    assert chosen(r) == ("openmpi" if version == OPENMPI else "mpich")


def test_version_by_name_where_the_answer_tells_nothing(place):
    assert chosen(place.run("-v", place.launcher("Sorry!\n", name="prterun"), "true")) == "openmpi"
    assert chosen(place.run("-v", place.launcher("Sorry!\n", name="mpiexec.gforker"), "true")) == "mpich"
    refused(place.run("-v", place.launcher("Sorry!\n", name="mpirun"), "true"), "cannot tell which MPI")


@pytest.mark.skipif(os.geteuid() != 0, reason="skipped: this takes root")
def test_open_mpi_as_root(place):
    """Open MPI's launchers refuse to start anything for root, unless they are told to."""
    launcher, other = place.launcher(OPENMPI), place.launcher(MPICH, name="other/mpirun")
    allowed = {name: value for name, value in place.environment.items() if not name.startswith("OMPI_")}
    refused(place.run(launcher, "-n", "2", "true", env=allowed), f"{launcher} starts no program as root (Open MPI 5.0.11)",
            "`unisono mpi mpirun --allow-run-as-root -n 4 ./program`", "`unisono run -n 4 ./program`")
    half = {**allowed, "OMPI_ALLOW_RUN_AS_ROOT": "1"}
    refused(place.run(launcher, "-n", "2", "true", env=half), "starts no program as root")
    for words, environment in [(("--allow-run-as-root", "-n", "2", "true"), allowed), (("--help",), allowed),
                               (("true",), {**half, "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}),
                               (("true",), {**allowed, "PRTE_ALLOW_RUN_AS_ROOT": "1", "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})]:
        assert place.run(launcher, *words, env=environment).returncode == 0
    assert place.run(other, "-n", "2", "true", env=allowed).returncode == 0


def test_launcher_in_path(place):
    place.launcher(MPICH, name="path/mpirun")
    environment = {**place.environment, "PATH": f"{place.folder}/path:" + os.environ["PATH"]}
    r = place.run("-v", "mpirun", "-n", "2", "true", env=environment)
    assert chosen(r) == "mpich" and f"launcher: {place.folder}/path/mpirun (Hydra 5.0.2)" in r.stderr


def test_program_in_the_folder_to_work_in(place):
    program = place.program("program", place.library("libmpi.so.12"))
    (place.folder / "work").mkdir()
    program.rename(place.folder / "work/program")
    r = place.run("-v", place.launcher(MPICH), "-wdir", place.folder / "work", "./program", "/bin/true")
    assert f"program: {place.folder}/work/./program, needs libmpi.so.12" in r.stderr


def test_program_that_is_not_there(place):
    """The launcher reports a missing program, not `unisono mpi`."""
    r = place.run("-v", place.launcher(OPENMPI), "-n", "2", "./none", "/bin/true")
    assert r.returncode == 0 and "program: " not in r.stderr
    assert r.stdout.splitlines()[-2:] == ["./none", "/bin/true"]


def test_srun_tells_nothing_of_the_mpi(place):
    place.script("srun", SRUN)
    refused(place.run("./srun", "-n", "2", "python3"), "cannot tell which MPI the program under ./srun uses", "--mpi mpich")
    assert place.run("--mpi", "mpich", "./srun", "-n", "2", "python3").stdout.splitlines() == ["-n", "2", "python3"]


@pytest.mark.parametrize("version, options", [
    (OPENMPI, ["-x", "LD_PRELOAD=a.so"]),
    (MPICH, ["-genv", "LD_PRELOAD", "a.so"]),
    (MPICH, ["-n", "1", "-env", "LD_PRELOAD", "a.so"]),
    (MPICH, ["-genv", "LD_PRELOAD=a.so"]),
])
def test_launcher_that_would_displace_the_accelerator(place, version, options):
    refused(place.run(place.launcher(version), *options, "true"), "would displace the accelerator",
            "set LD_PRELOAD in the environment of unisono mpi")


def test_srun_that_keeps_the_environment_back(place):
    place.script("srun", SRUN)
    refused(place.run("--mpi", "mpich", "./srun", "--export=NONE", "true"), "add ALL to it")
    assert place.run("--mpi", "mpich", "./srun", "--export=ALL,A=b", "true").returncode == 0


def test_program_may_have_such_words(place):
    r = place.run(place.launcher(OPENMPI), "true", "-x", "LD_PRELOAD=a.so")
    assert r.returncode == 0 and r.stdout.endswith("true\n-x\nLD_PRELOAD=a.so\n")
