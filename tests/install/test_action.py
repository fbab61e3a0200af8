"""The action for GitHub: its steps run as GitHub runs them, with a Python whose pip installs nothing."""

import os
import re
import subprocess
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="skipped: there is no PyYAML (Debian: python3-yaml)")
ACTION = yaml.safe_load((Path(__file__).resolve().parents[2] / "action.yml").read_text())

PYTHON = """#!/bin/sh
echo "$*" >>"$FOLDER/called"
case "$3" in install) exit "${PIP-0}" ;; esac
shift 2
exec "$UNISONO" "$@"
"""


def step(tmp_path, **inputs):
    """The one step, by bash as the runner calls it: how it ended, and what it has left for the steps that follow."""
    (only,) = ACTION["runs"]["steps"]
    given = {**{name: value.get("default", "") for name, value in ACTION["inputs"].items()}, **inputs}
    environment = {name: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], value) for name, value in only["env"].items()}
    files = {name: str(tmp_path / name) for name in ("GITHUB_PATH", "GITHUB_OUTPUT")}
    for path in files.values():
        Path(path).touch()
    fake = tmp_path / "python"
    fake.write_text(PYTHON)
    fake.chmod(0o755)
    done = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", only["run"]], capture_output=True, text=True,
                          env={**os.environ, **environment, **files, "FOLDER": str(tmp_path), "PATH": f"{tmp_path}:{os.environ['PATH']}",
                               "PIP": os.environ.get("PIP", "0")})
    return done, {name: Path(path).read_text().splitlines() for name, path in files.items()}


def test_it_installs_the_wheel_and_leaves_the_path(tmp_path):
    done, left = step(tmp_path, wheel="a folder/unisono.whl")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "called").read_text().splitlines()[0] == "-m pip install a folder/unisono.whl"
    (folder,) = left["GITHUB_PATH"]
    assert os.access(f"{folder}/mpicc", os.X_OK) and left["GITHUB_OUTPUT"] == [f"prefix={os.path.dirname(folder)}"]


def test_what_pip_refuses_ends_the_step(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP", "1")
    done, left = step(tmp_path, wheel="nothing")
    assert done.returncode == 1 and left["GITHUB_PATH"] == []


def test_the_inputs_that_are_read_are_declared():
    text = (Path(__file__).resolve().parents[2] / "action.yml").read_text()
    assert set(re.findall(r"inputs\.(\w+)", text)) == set(ACTION["inputs"])
    assert all(value.get("description") for value in [*ACTION["inputs"].values(), *ACTION["outputs"].values()])
