"""Every script says how it is used, or what is wrong, and starts nothing then."""

import os
import re
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(os.environ["SCRIPTS"])
SCRIPTS = sorted(path.name for path in FOLDER.iterdir() if os.access(path, os.X_OK))
# The tools with which the scripts do their work.
TOOLS = ["apt-get", "chromium", "clang-format", "cmake", "ctest", "debootstrap", "dpkg-buildpackage", "g++", "git", "iverilog", "make",
         "mktemp", "ninja", "pip", "qemu-aarch64", "shellcheck", "sudo", "unshare", "yosys"]


@pytest.fixture
def said(tmp_path):
    """Return a function that runs a script, in another folder than the source: its exit status, output and errors."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in TOOLS:
        (tools / tool).write_text(f"#!/bin/sh\necho '{tool}' \"$@\" >>{tmp_path}/started\nexit 1\n")
        (tools / tool).chmod(0o755)

    def run(name, *arguments):
        r = subprocess.run([FOLDER / name, *arguments], cwd=tmp_path, env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
                           stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        started = tmp_path / "started"
        assert not started.exists(), started.read_text()
        return r.returncode, r.stdout, r.stderr
    return run


def test_there_are_scripts():
    assert {"setup", "test", "lint", "alarms", "bench-sort"} <= set(SCRIPTS)


@pytest.mark.parametrize("option", ["-h", "--help"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_help(said, name, option):
    status, out, errors = said(name, option)
    assert (status, errors) == (0, "") and re.search(r"\w+ \w+ \w+", out)


@pytest.mark.parametrize("name", SCRIPTS)
def test_wrong_option(said, name):
    status, out, errors = said(name, "--no-such-option")
    assert status not in (0, 77) and out == "" and ("--no-such-option" in errors or "are required" in errors)
    assert "unbound" not in errors and "Traceback" not in errors


@pytest.mark.parametrize("words", [("alarms", "many"), ("alarms", "5", "6"), ("deb", "--check", "more"), ("demo", "more"),
                                   ("fresh", "--smoke", "more"), ("lint", "--fix", "more"), ("setup", "mpi", "more"),
                                   ("release", "--build", "more"), ("site", "--look", "folder", "more"), ("site", "--look"),
                                   ("sizes", "usp8:3"), ("sysroot", "folder"), ("verify", "random", "more"),
                                   ("wheel", "--build", "more")])
def test_wrong_words(said, words):
    status, out, errors = said(*words)
    assert status not in (0, 77) and out == "" and len(errors.splitlines()) in (1, 2)
