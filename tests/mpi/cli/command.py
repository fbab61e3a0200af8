"""Helpers of the tests of `unisono mpi`: an installed tree with accelerators that do nothing, programs that need one
MPI library or another, and launchers that only print their version."""

import os
import shutil
import subprocess

import pytest

UNISONO = os.environ["UNISONO"]
LIB, LIBEXEC = os.environ["UNISONO_LIB"], os.environ["UNISONO_LIBEXEC"]
CC = os.environ.get("CC", "cc")
KEYS = ["openmpi", "mpich", "abi"]

# The versions that launchers print.
OPENMPI = "mpirun (Open MPI) 5.0.11\n\nReport bugs to https://www.open-mpi.org/community/help/\n"
OPENMPI_6 = "mpirun (Open MPI) 6.0.0\n"
MPICH = "HYDRA build details:\n    Version:                                 5.0.2\n    CC:      gcc\n"
INTEL = "Intel(R) MPI Library for Linux* OS, Version 2021.11 Build 20231005 (id: 74c4a23)\n"


def compile_c(out, source, *flags):
    subprocess.run([CC, "-x", "c", "-", "-x", "none", "-o", str(out), *map(str, flags)], input=source, text=True,
                   check=True)
    return out


class Place:
    """A folder with an installed `unisono`, and the files that a test adds."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = {k: v for k, v in os.environ.items()
                            if not k.startswith("UNISONO_MPI") and k not in ("LD_PRELOAD", "LD_LIBRARY_PATH")}
        # for a build with the address sanitizer, and empty accelerators before it
        self.environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
        self.environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        self.environment["XDG_CONFIG_HOME"] = str(folder / "config")
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.environment["TMPDIR"] = str(self.temporary)
        (folder / "installed/bin").mkdir(parents=True)
        self.unisono = folder / "installed/bin/unisono"
        shutil.copy2(UNISONO, self.unisono)
        self.accelerators = folder / "installed" / LIB / "unisono"
        self.accelerators.mkdir(parents=True)
        for key in KEYS:
            compile_c(self.accelerator(key), "", "-shared", "-fPIC")

    def accelerator(self, key):
        return self.accelerators / f"libunisono-mpi-{key}.so"

    def run(self, *arguments, **options):
        options.setdefault("cwd", self.folder)
        options.setdefault("env", self.environment)
        return subprocess.run([str(self.unisono), "mpi", *map(str, arguments)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, **options)

    def library(self, soname, name="libmpi", needs=()):
        """Make a library that the loader takes for an MPI library. Returns the file to link with."""
        folder = self.folder / "lib"
        folder.mkdir(exist_ok=True)
        file = folder / soname
        compile_c(file, f"int {name}_function(void) {{ return 0; }}", "-shared", "-fPIC", f"-Wl,-soname,{soname}",
                  "-Wl,--no-as-needed", *needs)
        return file

    def program(self, name, *libraries, source="int main(void) { return 0; }", flags=()):
        """Make a program that needs these libraries, and finds them."""
        return compile_c(self.folder / name, source, *flags, "-Wl,--no-as-needed", *libraries,
                         *([f"-Wl,-rpath,{self.folder}/lib"] if libraries else []))

    def script(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)
        return path

    def launcher(self, version, then='printf "%s\\n" "$@"', name="mpirun"):
        """Make a launcher that answers --version, and otherwise does something else: by default, it prints its
        arguments."""
        return self.script(name, f'if [ "$1" = --version ]; then\ncat <<"END"\n{version}END\nexit\nfi\n{then}\n')


@pytest.fixture
def place(tmp_path):
    """A place for the test, which must leave no temporary file."""
    place = Place(tmp_path)
    yield place
    assert os.listdir(place.temporary) == []


def chosen(result):
    """Return the build that was chosen, as --verbose shows it."""
    lines = [line for line in result.stderr.splitlines() if line.startswith("unisono mpi: accelerator: ")]
    assert len(lines) == 1, result.stderr
    return os.path.basename(lines[0]).removeprefix("libunisono-mpi-").removesuffix(".so")


def refused(result, *texts, status=2):
    """Check that one line reports the error, and that nothing was started."""
    assert result.returncode == status, result
    assert result.stdout == ""
    assert result.stderr.startswith("unisono mpi: ") and result.stderr.count("\n") == 1, result.stderr
    for text in texts:
        assert text in result.stderr
