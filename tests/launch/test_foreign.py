"""Jobs in which nobody checks in: what the launcher says of them, and what if another MPI library is at work."""

import os
import re
import shutil
import subprocess

import pytest

from launcher import program, run, strangers

LIBRARY = "int MPI_Init(int *count, char ***words) { return 0; }\n"
PROGRAM = """
#include <unistd.h>
int MPI_Init(int *count, char ***words);
int main(void) {
    MPI_Init(0, 0);
    sleep(1);
    return 0;
}
"""


# A process below a script that has another folder found first tells its name and the folders.
TELLS = """
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **words) {
    (void)count;
    return printf("%s %s\\n", words[0], getenv("LD_LIBRARY_PATH")) < 0;
}
"""


@pytest.fixture(name="other")
def fixture_other(tmp_path):
    """A program that is linked with a library of Open MPI's name, and how a script calls it that has this one found
    first."""
    if not shutil.which("cc"):
        pytest.skip("skipped: there is no compiler")
    (tmp_path / "library.c").write_text(LIBRARY)
    (tmp_path / "program.c").write_text(PROGRAM)
    for command in ("cc -shared -fPIC -Wl,-soname,libmpi.so.40 -o libmpi.so.40.9.9 library.c",
                    "ln -s libmpi.so.40.9.9 libmpi.so.40", "cc -o program program.c libmpi.so.40"):
        subprocess.run(command.split(), cwd=tmp_path, check=True)
    return f"LD_LIBRARY_PATH={tmp_path}:$LD_LIBRARY_PATH {tmp_path}/program; exit $?"


@pytest.fixture(name="wrapped")
def fixture_wrapped(other):
    """The same by a script that also takes away what would put the folders of Unisono's library in front again."""
    return "sh", "-c", "case $LD_PRELOAD in *first.so) unset LD_PRELOAD;; esac; " + other


def test_in_front_again(other):
    """The program finds Unisono's library: three ranks of one job."""
    r = run("run", "-n", 3, "sh", "-c", other)
    assert (r.returncode, r.stderr) == (0, "")


@pytest.mark.parametrize("flags", [[], ["-fsanitize=address"], ["-fsanitize=thread"]], ids=["plain", "address", "thread"])
def test_programs_in_front_again(tmp_path, flags):
    """Any program below a script runs as it would, also one of a sanitizer whose library wants to be the first."""
    (tmp_path / "tells.c").write_text(TELLS)
    if subprocess.run(["cc", *flags, "-o", "tells", "tells.c"], cwd=tmp_path, stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("skipped: there is no compiler with " + (flags[0] if flags else "C"))
    r = run("run", "-n", 1, "bash", "-c", f"export LD_LIBRARY_PATH=/nowhere:$LD_LIBRARY_PATH; exec -a other {tmp_path}/tells")
    assert (r.returncode, r.stderr) == (0, "")
    assert re.fullmatch(r"other (\S+)/mpi/lib:\1/mpi/lib/others:/nowhere:\1/mpi/lib:\1/mpi/lib/others\n", r.stdout)


@pytest.mark.parametrize("command, there", [(["sh", "-c", ":"], True), ([program("empty")], False)], ids=["shell", "PE"])
def test_what_is_preloaded(tmp_path, command, there):
    """A program of PEs starts with nothing but its own libraries."""
    run("run", "-n", 1, *command, env={**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": f"{tmp_path}/loaded"})
    loaded = "".join(file.read_text() for file in tmp_path.glob("loaded.*"))
    assert "libc.so" in loaded and ("mpi/first.so" in loaded) == there


def test_loader_as_a_program():
    """The loader, named by a script, is not started again without its words."""
    loader = re.search(r"interpreter: (\S+?)\]", subprocess.run(["readelf", "-lW", "/bin/sh"], capture_output=True, text=True,
                                                               check=True).stdout)[1]
    r = run("run", "-n", 1, "sh", "-c", f"LD_LIBRARY_PATH=/nowhere {loader} /bin/sh -c 'echo $LD_LIBRARY_PATH'; exit $?")
    assert (r.returncode, r.stdout, r.stderr) == (0, "/nowhere\n", "")


def test_other_library(wrapped, tmp_path):
    """The line tells what to do, and that helps."""
    r = run("run", "-n", 3, *wrapped)
    assert r.returncode == 1
    line = re.fullmatch(r"unisono run: none of the 3 processes has checked in, and process \d+ had loaded another MPI library, "
                        r"(\S+): each was a job of one rank; `(env LD_PRELOAD=\S+)` before the program puts Unisono's in its place\n",
                        r.stderr)
    assert line and line[1] == f"{tmp_path}/libmpi.so.40.9.9"
    r = run("run", "-n", 3, *line[2].split(), *wrapped)
    assert (r.returncode, r.stderr) == (0, "")


def test_other_library_alone(wrapped):
    """A job of one rank is as requested."""
    r = run("run", "-n", 1, *wrapped)
    assert (r.returncode, r.stderr) == (0, "")


def test_launcher_of_the_other_library(wrapped):
    """Whose ranks know of each other."""
    r = run("run", "-n", 2, *wrapped, env={**os.environ, "PMIX_NAMESPACE": "one"})
    assert (r.returncode, r.stderr) == (0, strangers(2))


def test_nobody_checks_in():
    assert run("run", "-n", 2, "true").stderr == strangers(2)
    assert run("run", "-n", 1, "true").stderr == ""
    assert run("run", "-n", 2, "false").stderr.count("\n") == 1
    assert run("run", "-n", 2, "sh", "-c", f"[ ${{UNISONO_JOB#*,}} = 1 ] || exec {program('endings')} none").stderr.count("checked in") == 0
