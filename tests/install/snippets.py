"""Runs the steps for continuous integration that a document has: snippets.py DOCUMENT WHEEL. Each block of YAML, of
GitHub Actions or GitLab CI, is run as its service runs it, by a shell, in an empty virtual environment, in a small
project with tests of MPI. Tests by the plugin of pytest must pass on each number of ranks; a last step with the
accelerator is run once more with a profile, which must say that collectives were accelerated. Needs pip's index."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

TEST = """
from mpi4py import MPI


def test_sum():
    for i in range(1000):
        assert MPI.COMM_WORLD.allreduce(i) == i * MPI.COMM_WORLD.size


def test_size():
    assert MPI.COMM_WORLD.size == 4
"""


RANKS = """
import pytest
from mpi4py import MPI


@pytest.mark.ranks
def test_sum():
    assert MPI.COMM_WORLD.allreduce(1) == MPI.COMM_WORLD.size
"""

# The step of the action, and what GitHub does with what it leaves.
ACTION = yaml.safe_load((pathlib.Path(__file__).resolve().parents[2] / "action.yml").read_text())["runs"]["steps"][0]["run"]
OURS = f"""export WHEEL="$UNISONO" PYTHON=python GITHUB_PATH="$PWD/path" GITHUB_OUTPUT="$PWD/output"
{ACTION}
export PATH="$(cat "$GITHUB_PATH"):$PATH"
[ "$(command -v mpicc)" = "$(unisono mpi --prefix)/bin/mpicc" ]"""


def steps(block):
    """The commands of the first job."""
    parsed = yaml.safe_load(block)
    if "jobs" in parsed:
        (job,) = parsed["jobs"].values()
        return [step["run"] if "run" in step else OURS for step in job["steps"] if "run" in step or "unisono" in step["uses"]]
    (job,) = [value for value in parsed.values() if "script" in value]
    return job["script"]


def shell(commands, folder, environment):
    done = subprocess.run(["bash", "-e", "-c", "\n".join(commands)], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=600)
    if done.returncode:
        sys.exit(f"snippets: these steps failed: {commands}\n{done.stdout}")
    return done.stdout


def run(commands, wheel):
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder, "project")
        (project / "tests").mkdir(parents=True)
        plugin = "--ranks" in commands[-1]
        (project / "tests/test_sum.py").write_text(RANKS if plugin else TEST)
        subprocess.run(["/usr/bin/python3", "-m", "venv", f"{folder}/venv"], check=True)
        environment = dict(os.environ, PATH=f"{folder}/venv/bin:{os.environ['PATH']}", UNISONO=str(wheel),
                           PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_QUIET="1")
        printed = shell(commands, project, environment)
        if plugin:
            assert printed.count("3 passed") == 1, printed
            print(f"snippets: {commands[-1]}: 3 passed")
            return
        assert printed.count("2 passed") == 4, printed  # of each rank
        last = commands[-1].replace("unisono mpi ", "unisono mpi --profile ")
        assert last != commands[-1], commands
        told = re.search(r"(\d+) of (\d+) collectives were accelerated", shell([last], project, environment))
        assert int(told[1]) >= 1000, told
        print(f"snippets: {commands[-1]}: {told[0]}")


document, wheel = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
blocks = re.findall(r"^```yaml\n(.*?)^```$", document.read_text(), re.M | re.S)
assert len(blocks) == 2, f"{document} has {len(blocks)} blocks of YAML"
for block in blocks:
    run(steps(block), wheel)
