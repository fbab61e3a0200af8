"""The man pages of the commands tell of all options and commands. (man-lint checks their form.)"""

import os
import re

import pytest

from launcher import run

MAN = os.environ["UNISONO_MAN"]


def path(page):
    return os.path.join(MAN, page)


@pytest.mark.parametrize("command", ["run", "mpirun", "ps", "top", "inspect", "compare", "info", "mpi", "sort", "bench", "torus", "model", "model schedule"])
def test_every_option_is_described(command):
    text = open(path(f"unisono-{command.split()[0]}.1")).read()
    shown = run(*command.split(), "--help").stdout.split("\nPassed over")[0]  # of mpirun, which lists what does nothing
    options = re.findall(r"^ +(?:-\w, )?--([\w-]+)", shown, re.M)
    assert len(options) >= 3
    for name in options:
        if name not in ("usage",):
            assert re.search(rf"Fl -{name}\b", text), name


def test_every_command_is_named():
    text = open(path("unisono.1")).read()
    for command in re.findall(r"^  (\w+) ", run("--help").stdout.split("Commands:")[1], re.M):
        assert re.search(rf"Cm {command}\b", text), command
