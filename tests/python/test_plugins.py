"""The plugin of pytest beside others that many suites have: pytest-xdist, pytest-cov and pytest-timeout."""

import re

import pytest

MIXED = """
def test_serial():
    pass

@pytest.mark.ranks
@pytest.mark.parametrize("x", [1, 2, 3])
def test_sum(x):
    assert unisono.reduce(x) == x * unisono.size()

@pytest.mark.ranks(2)
def test_fails():
    if unisono.rank() == 1:
        raise ValueError("no convergence")
    unisono.wait()
"""


def test_xdist(tests):
    pytest.importorskip("xdist")
    ended = tests(MIXED, "--ranks", "1,2", "-n", "2")
    failed = {name for name in ended.cases if ended.outcome(name) != ["passed"]}
    assert len(ended.cases) == 8 and failed == {"test_fails[ranks=2]"}, ended.text
    # On a busy machine rank 0 is ended before it has said anything.
    assert re.search("^rank 1 of 2 failed( first)?:$", ended.text, re.M), ended.text
    assert ended.text.count("E           ValueError: no convergence") == 1, ended.text


HANGS = """
import time

{mark}
@pytest.mark.ranks(2)
def test_hangs():
    time.sleep(1000) if unisono.rank() == 0 else unisono.wait()

def test_serial():
    pass
"""


@pytest.mark.parametrize("method", ["signal", "thread"])
@pytest.mark.parametrize(("mark", "options"), [("", ["--timeout", "1.5"]), ("@pytest.mark.timeout(1.5)", []),
                                               ("@pytest.mark.timeout(900)", ["--ranks-timeout", "1.5"])])  # fmt: skip
def test_timeout(tests, method, mark, options):
    """Its limit is that of the job, which tells where the ranks are; nothing of pytest's own process is shown."""
    pytest.importorskip("pytest_timeout")
    ended = tests(HANGS.format(mark=mark), "--ranks", "1", f"--timeout-method={method}", *options)
    assert "unisono run: timeout after 1.5 s; where the PEs are:\n  PE 0: " in ended.text, ended.text
    assert "Timeout" not in ended.text and "job.py" not in ended.text, ended.text
    assert ended.outcome("test_hangs[ranks=2]") == ["failure"] and ended.outcome("test_serial") == ["passed"]


def test_timeout_within_a_rank(tests):
    """A rank has no limit of its own, which would be over before the job's where that is longer."""
    pytest.importorskip("pytest_timeout")
    ended = tests("""
import time
LONG = float(os.environ.get("UNISONO_JOB", "") != "") or 900.0  # another limit in a rank

@pytest.mark.timeout(LONG)
@pytest.mark.ranks(2)
def test_slow():
    time.sleep(2)
""", "--ranks", "1")
    assert ended.outcome("test_slow[ranks=2]") == ["passed"], ended.text


@pytest.mark.parametrize("others", [[], ["-n", "2"]], ids=["alone", "xdist"])
def test_cov(tests, tmp_path, others):
    """Lines count that ranks alone come to, those of a rank that fails too."""
    pytest.importorskip("pytest_cov")
    if others:
        pytest.importorskip("xdist")
    (tmp_path / "solver.py").write_text("""
def first(x):
    return x + 1

def other(x):
    y = x + 2
    return y

def failing(x):
    z = x + 3
    raise ValueError(z)

def never(x):
    return x + 4
""")
    ended = tests("""
import solver

@pytest.mark.ranks(2)
def test_it():
    assert solver.other(1) if unisono.rank() else solver.first(1)

@pytest.mark.ranks(2)
def test_fails():
    if unisono.rank():
        solver.failing(1)
    unisono.wait()
""", "--ranks", "1", "--cov=solver", "--cov-report=term-missing", *others)
    row = re.search(r"^solver\.py +(\d+) +(\d+) .*% +(.*)$", ended.text, re.M)
    assert row and row.groups() == ("10", "1", "14"), ended.text
