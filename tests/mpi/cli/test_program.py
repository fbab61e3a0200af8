"""Finding the MPI library that a program needs."""

import pytest

from command import INTEL, MPICH, OPENMPI, OPENMPI_6, chosen, compile_c, place, refused  # noqa: F401

LIBRARIES = [
    ("libmpi.so.40", OPENMPI, "openmpi"),
    ("libmpi.so.12", MPICH, "mpich"),
    ("libmpi.so.12", INTEL, "mpich"),
    ("libmpich.so.12", MPICH, "mpich"),  # Debian's name
    ("libmpi_abi.so.1", MPICH, "abi"),
    ("libmpi_abi.so.0", OPENMPI_6, "abi"),
]


@pytest.mark.parametrize("soname, version, build", LIBRARIES)
def test_needed_library(place, soname, version, build):
    program, launcher = place.program("program", place.library(soname)), place.launcher(version)
    assert chosen(place.run("-v", launcher, "-n", "2", program)) == build
    assert chosen(place.run("-v", program)) == build  # one rank, without a launcher


def test_library_needed_by_a_library(place):
    solver = place.library("libsolver.so.1", "solver", [place.library("libmpi.so.12")])
    program = place.program("program", solver, flags=[f"-Wl,-rpath-link,{place.folder}/lib"])
    # the loader finds the second one only through the first one's run path
    environment = {**place.environment, "LD_LIBRARY_PATH": str(place.folder / "lib")}
    assert chosen(place.run("-v", program, env=environment)) == "mpich"


def test_library_that_only_the_launcher_can_find(place):
    program = place.program("program", place.library("libmpi.so.40"))
    (place.folder / "lib/libmpi.so.40").unlink()
    assert chosen(place.run("-v", place.launcher(OPENMPI), program)) == "openmpi"


def test_name_that_only_begins_like_one(place):
    place.program("program", place.library("libmpi.so.401x"))
    refused(place.run("-v", "./program"), "needs libmpi.so.401x, for which there is no accelerator")


@pytest.mark.parametrize("soname", ["libmpi.so.20", "libmpi.so.1", "libmpich.so.10"])
def test_library_without_accelerator(place, soname):
    program = place.program("program", place.library(soname))
    refused(place.run(place.launcher(OPENMPI), program), f"{program} needs {soname}, for which there is no accelerator",
            "libmpi.so.40")


def test_static_program(place):
    program = place.program("program", flags=["-static"])
    refused(place.run(place.launcher(MPICH), "-n", "2", program), f"{program} is linked statically", "link it with")


def test_mpi_library_within_the_program(place):
    program = place.program("program", source="int PMPI_Init(void) { return 0; } int main(void) { return PMPI_Init(); }")
    refused(place.run(place.launcher(MPICH), "-n", "2", program), "has its MPI library linked into it (libmpi.a)")


def test_reference_to_the_library_is_not_the_library(place):
    library = compile_c(place.folder / "lib.so", "int PMPI_Init(void) { return 0; }", "-shared", "-fPIC",
                        "-Wl,-soname,libmpi.so.12")
    program = place.program("program", library, source="int PMPI_Init(void); int main(void) { return PMPI_Init(); }")
    (place.folder / "lib").mkdir()
    library.rename(place.folder / "lib/libmpi.so.12")
    assert chosen(place.run("-v", program)) == "mpich"


@pytest.mark.parametrize("version, soname, who", [
    (OPENMPI, "libmpi.so.12", "launcher of Open MPI 5.0.11"),
    (OPENMPI, "libmpi_abi.so.1", "launcher of Open MPI 5.0.11"),
    (MPICH, "libmpi.so.40", "launcher of Hydra 5.0.2"),
    (INTEL, "libmpi.so.40", "launcher of Intel MPI 2021.11"),
])
def test_launcher_of_another_library(place, version, soname, who):
    program, launcher = place.program("program", place.library(soname)), place.launcher(version)
    refused(place.run(launcher, "-n", "2", program), f"{program} needs {soname}", who, "use the launcher of the library")


def test_programs_of_one_job_with_two_libraries(place):
    a = place.program("a", place.library("libmpi.so.12"))
    b = place.program("b", place.library("libmpi_abi.so.1"))
    refused(place.run(place.launcher(MPICH), "-n", "1", a, ":", "-n", "1", b), "need the same MPI library")


@pytest.mark.parametrize("word", ["script", "python3", "sh"])
def test_program_that_needs_none_goes_by_the_launcher(place, word):
    place.script("script", "exec ./program")
    assert chosen(place.run("-v", place.launcher(OPENMPI), "-n", "2", "./script" if word == "script" else word)) == "openmpi"
    assert chosen(place.run("-v", place.launcher(MPICH), "-n", "2", "./script" if word == "script" else word)) == "mpich"


def test_by_the_users_word(place):
    place.script("script", "exit 0")
    program = place.program("program", place.library("libmpi.so.12"))
    assert chosen(place.run("-v", "--mpi", "abi", place.launcher(MPICH), "./script")) == "abi"
    assert chosen(place.run("-v", "--mpi", "mpich", "./script")) == "mpich"
    refused(place.run("./script"), "cannot tell which MPI ./script uses", "as in `unisono mpi mpirun -n 4 ./program`", "--mpi openmpi",
            "`unisono run -n 4 ./program`")
    refused(place.run("--mpi", "abi", program), "--mpi abi: the program needs the accelerator for MPICH (mpich)")


@pytest.mark.parametrize("damage", ["short", "offsets", "text"])
def test_damaged_program(place, damage):
    """A damaged program is read with care; the launcher may report the damage."""
    program = place.program("program", place.library("libmpi.so.40"))
    data = bytearray(program.read_bytes())
    if damage == "short":
        data = data[:80]
    elif damage == "offsets":
        data[32:48] = b"\xf0" + b"\xff" * 6 + b"\x7f" + b"\xf0" * 7 + b"\x7f"  # of program and section headers
    else:
        data = bytearray(b"\x7fELF")
    program.unlink()
    program.write_bytes(data)
    program.chmod(0o755)
    r = place.run("-v", place.launcher(MPICH), program)
    assert r.returncode in (0, 2)
    assert "AddressSanitizer" not in r.stderr and "runtime error" not in r.stderr


def test_what_is_preloaded_anyway_does_not_count(place):
    tool = place.library("libtool.so.1", "tool", [place.library("libmpi.so.40")])
    program = place.program("program", place.library("libmpi.so.12"))
    environment = {**place.environment, "LD_PRELOAD": str(tool), "LD_LIBRARY_PATH": str(place.folder / "lib")}
    assert chosen(place.run("-v", program, env=environment)) == "mpich"


def test_no_accelerator(place):
    place.accelerator("mpich").unlink()
    r = place.run(place.launcher(MPICH), "-n", "2", "true")
    refused(r, "the accelerator for MPICH is not there", "libunisono-mpi-mpich.so", "-DUNISONO_PEERS")
