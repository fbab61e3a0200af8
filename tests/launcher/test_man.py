"""The man pages of the commands."""

import os
import re
import shutil
import subprocess

import pytest

from launcher import run

MAN = os.environ["UNISONO_MAN"]
PAGES = ["unisono.1", "unisono-run.1", "unisono-info.1", "unisono-bench.1"]


def path(page):
    return os.path.join(MAN, page)


@pytest.mark.skipif(not shutil.which("mandoc"), reason="mandoc is not installed")
@pytest.mark.parametrize("page", PAGES)
def test_clean(page):
    r = subprocess.run(["mandoc", "-Tlint", "-W", "warning", path(page)], stdout=subprocess.PIPE, text=True)
    assert (r.returncode, r.stdout) == (0, "")


@pytest.mark.parametrize("command", ["run", "info", "bench"])
def test_every_option_is_described(command):
    text = open(path(f"unisono-{command}.1")).read()
    options = re.findall(r"^ +(?:-(\w), )?--([\w-]+)", run(command, "--help").stdout, re.M)
    assert len(options) >= 4
    for _, name in options:
        if name not in ("usage",):
            assert re.search(rf"Fl -{name}\b", text), name


def test_every_command_is_named():
    text = open(path("unisono.1")).read()
    for command in re.findall(r"^  (\w+) ", run("--help").stdout.split("Commands:")[1], re.M):
        assert re.search(rf"Cm {command}\b", text), command
