"""The Pythons that are here, of the versions for which the package is: tests that take another one skip where it is
missing. versions.py VERSION prints the program, if there is one."""

import functools
import glob
import os
import shutil
import subprocess
import sys

VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


@functools.cache
def python(version):
    """The program of this version, from PATH or pyenv; None: there is none."""
    folders = [os.environ["PATH"], *glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin"))]
    for folder in os.pathsep.join(folders).split(os.pathsep):
        program = shutil.which(f"python{version}", path=folder)
        if program and subprocess.run([program, "-c", ""], capture_output=True, check=False).returncode == 0:
            return program
    return None


def needed(version):
    program = python(version)
    if not program:
        import pytest

        pytest.skip(f"there is no Python {version}")
    return program


if __name__ == "__main__":
    print(python(sys.argv[1]) or "")
