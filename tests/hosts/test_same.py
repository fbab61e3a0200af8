"""The examples, the edge detector, Python and unisono sort give on four nodes, of a PE each, what they give on one
machine. The nodes are network namespaces where there can be any, and else this machine."""

import importlib.util
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

from machines import RSH, UNISONO
from namespaces import Impossible, namespaces
from patience import HANGS

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLES = Path(os.environ["UNISONO_EXAMPLES"])
PYTHON = os.environ["UNISONO_PYTHON"]
PES = 4
# what differs from run to run: times, shares of them, and the order of lines of several PEs
TIMES = re.compile(r"[\d.]+ ms|\d+% of it|[\d.]+ times as fast")


@pytest.fixture(scope="module")
def four():
    """The words of a job of four nodes."""
    if "UNISONO_FOUR" in os.environ:  # script/slurm-nodes
        yield os.environ["UNISONO_FOUR"].split()
        return
    try:
        with namespaces(PES) as made:
            yield ["--rsh", made.rsh, "--hosts", ",".join(made.names)]
    except Impossible:
        yield ["--rsh", RSH, "--hosts", ",".join(f"n{k}" for k in range(PES))]


@pytest.fixture(scope="module")
def flame(tmp_path_factory):
    """The program of docs/guides/who-waits.md, compiled for the library's own MPI."""
    program = tmp_path_factory.mktemp("flame") / "flame"
    prefix = Path(subprocess.run([UNISONO, "mpi", "--prefix"], check=True, capture_output=True, text=True).stdout.strip())
    if not (prefix / "bin/mpicc").exists():
        pytest.skip("skipped: the MPI library is not built")
    subprocess.run([prefix / "bin/mpicc", "-O2", SOURCE / "examples/mpi/flame.c", "-o", program, "-lm"], check=True)
    return program


def job(words, command, folder, environment=None):
    """Run it in the folder to its end; its output without what differs from run to run."""
    folder.mkdir()
    r = subprocess.run([UNISONO, "run", *map(str, words), *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True,
                       text=True, timeout=HANGS, check=False, cwd=folder, env={**os.environ, **(environment or {})})
    assert (r.returncode, r.stderr) == (0, ""), r.stderr
    return sorted(TIMES.sub("", r.stdout).splitlines()), {file.name: file.read_bytes() for file in folder.iterdir()}


def check(four, tmp_path, command, environment=None):
    there = job(four, command, tmp_path / "four", environment)
    assert there == job(["-n", PES], command, tmp_path / "one", environment)
    assert any(there)


@pytest.mark.parametrize("command", [
    "hello", "partition", "jacobi 0.3", "sort", "schedule", "primes 10000 primes", "histogram 100003 997", "fft 113 20",
    f"sobel/sobel {SOURCE}/examples/sobel/photographer.png edges.png",
])
def test_example(four, tmp_path, command):
    program, *arguments = command.split()
    if not (EXAMPLES / program).exists():
        pytest.skip(f"skipped: {program} is not built")
    check(four, tmp_path, [EXAMPLES / program, *arguments])


def test_each_example_is_in_the_table():
    tried = {mark.split()[0].split("/")[-1] for mark in test_example.pytestmark[0].args[1]}
    sources = {path.stem for path in (SOURCE / "examples").glob("*.c")}
    assert tried == sources | {"sobel"}


def test_mpi(four, tmp_path, flame):
    check(four, tmp_path, [flame])


needs_core = pytest.mark.skipif(importlib.util.find_spec("unisono") is None or importlib.util.find_spec("unisono._core") is None,
                                reason="skipped: there is no extension module for Python")


def first_program(document):
    return re.search(r"```python\n(.*?)```", (SOURCE / "docs" / document).read_text(), re.DOTALL)[1]


@needs_core
@pytest.mark.parametrize("document", ["python.md", "guides/parallel-python.md"])
def test_python_of_the_documents(four, tmp_path, document):
    text = first_program(document).replace("10_000_000", "10_000")
    (tmp_path / "program.py").write_text(text)
    check(four, tmp_path, [PYTHON, "-B", tmp_path / "program.py"])


@needs_core
def test_python(four, tmp_path):
    check(four, tmp_path, [PYTHON, "-B", SOURCE / "tests/python/oracle.py", 1, 40, "apart"])


def test_unisono_sort(four, tmp_path):
    """Many records have one key, and stay in their order."""
    (tmp_path / "in").write_bytes(random.Random(1).randbytes(7 * 30011))
    sort = [UNISONO, "sort", "--key", "u8@2", "--record", "7", tmp_path / "in"]
    subprocess.run([*sort, "-n", "2", tmp_path / "one"], check=True, timeout=HANGS)
    r = subprocess.run([UNISONO, "run", *four, *sort, "--job", tmp_path / "four"], check=False, timeout=HANGS, capture_output=True)
    assert (r.returncode, r.stdout, r.stderr) == (0, b"", b"")
    assert (tmp_path / "four").read_bytes() == (tmp_path / "one").read_bytes()
