"""The types that the package declares: mypy on itself, on a program, and against the modules at run time."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANGS

pytest.importorskip("mypy")

HERE = Path(__file__).parent
ENVIRONMENT = {**os.environ, "MYPYPATH": os.environ["PYTHONPATH"]}


def mypy(tmp_path, *arguments):
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=HANGS, env=ENVIRONMENT)


def test_the_package_and_a_program(tmp_path):
    program = HERE / "typed.py"
    done = mypy(tmp_path, str(program))
    wrong = {int(line) for line in re.findall(r"typed\.py:(\d+): error", done.stdout)}
    expected = {k for k, line in enumerate(program.read_text().splitlines(), 1) if line.endswith("# error")}
    assert wrong == expected, done.stdout + done.stderr


def test_the_package_itself(tmp_path):
    done = mypy(tmp_path, "-p", "unisono")
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_is_declared_is_there():
    command = [sys.executable, "-m", "mypy.stubtest", "unisono._core"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, env=ENVIRONMENT)
    assert done.returncode == 0, done.stdout + done.stderr
