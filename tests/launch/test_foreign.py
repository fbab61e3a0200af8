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


@pytest.fixture(name="wrapped")
def fixture_wrapped(tmp_path):
    """A program that is linked with a library of Open MPI's name, below a script that has this one found first."""
    if not shutil.which("cc"):
        pytest.skip("skipped: there is no compiler")
    (tmp_path / "library.c").write_text(LIBRARY)
    (tmp_path / "program.c").write_text(PROGRAM)
    for command in ("cc -shared -fPIC -Wl,-soname,libmpi.so.40 -o libmpi.so.40.9.9 library.c",
                    "ln -s libmpi.so.40.9.9 libmpi.so.40", "cc -o program program.c libmpi.so.40"):
        subprocess.run(command.split(), cwd=tmp_path, check=True)
    return "sh", "-c", f"LD_LIBRARY_PATH={tmp_path}:$LD_LIBRARY_PATH {tmp_path}/program; exit $?"


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
    """One rank of one is what was asked for."""
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
