"""script/mutants, in a project of one function and its test: its reports on faults that are caught, survive, or cannot
be tried."""

import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MUTANTS = Path(__file__).parents[2] / "script/mutants"

PROJECT = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.22)
project(small C)
add_compile_options(-Wall -Werror)
enable_testing()
add_executable(sum src/sum.c)
add_subdirectory(tests)
""",
    "tests/CMakeLists.txt": """add_test(NAME adds COMMAND sum 1 2 3)
add_test(NAME nothing COMMAND sum)
add_test(NAME skips COMMAND sum 1 2 4)
set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 1)
""",
    "src/sum.c": """#include <stdlib.h>
int main(int argc, char **argv) {
    int sum = argc < 4 ? 0 : atoi(argv[1]) + atoi(argv[2]);
    return sum != (argc < 4 ? 0 : atoi(argv[3]));
}
""",
}
FAULTS = """# Faults.
minus: the second number is taken away
    src/sum.c s/ \\+ atoi/ - atoi/
    plain adds
    model nothing|adds
unseen: the sum is not looked at
    src/sum.c s/return .*/return 0;/
    plain adds

broken: what does not compile
    src/sum.c s/int main/main(/
    plain adds
elsewhere: what a test shows that is not there
    src/sum.c s/sum/SUM/g
    plain adds-MPI
slowed: a fault in what fails by itself
    src/sum.c s/sum/SUM/g
    slow s/sum = argc < 4 \\? 0/sum = argc < 4 ? 1/
    plain nothing
passed-over: what a test shows that is skipped
    src/sum.c s/sum/SUM/g
    plain skips
"""


@pytest.fixture
def project(tmp_path):
    """Build the project, so that a copy of it has the built files."""
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "tests/mutants").write_text(FAULTS)
    (tmp_path / "script").mkdir()
    shutil.copy(MUTANTS, tmp_path / "script")
    for command in ("git init -q", "cmake -S . -B build -G Ninja", "cmake --build build"):
        subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def loaded():
    """script/mutants as a module."""
    loader = importlib.machinery.SourceFileLoader("mutants", str(MUTANTS))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    sys.modules["mutants"] = module
    loader.exec_module(module)
    return module


def mutants(project, *arguments):
    """The exit status, the verdict on each row, and all that was said."""
    done = subprocess.run([sys.executable, "-B", "script/mutants", *arguments], cwd=project, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    rows = re.findall(r"^(\S+) +(plain|model|thread) +(\S+) +\d+s ", done.stdout, re.M)
    return done.returncode, [row for row in rows if row[0] != "control"], done.stdout


def test_every_verdict(project):
    before = (project / "build/sum").stat().st_mtime_ns, (project / "src/sum.c").read_bytes()
    status, rows, said = mutants(project)
    assert rows == [("minus", "plain", "caught"), ("minus", "model", "caught"), ("unseen", "plain", "SURVIVED"),
                    ("broken", "plain", "untried"), ("elsewhere", "plain", "skipped"), ("slowed", "plain", "untried"),
                    ("passed-over", "plain", "skipped")], said
    assert status == 1
    assert "it does not build" in said and "a test of it fails without any fault" in said
    assert "no such test is there" in said and "all of its tests are skipped" in said
    assert said.splitlines()[-1] == "mutants: 2 caught, 1 survived, 2 not tried: unseen broken slowed; 2 skipped"
    assert ((project / "build/sum").stat().st_mtime_ns, (project / "src/sum.c").read_bytes()) == before


@pytest.mark.parametrize("arguments, status, verdicts", [
    (["minus"], 0, ["caught", "caught"]), (["--model"], 0, ["caught"]), (["--part", "3/6"], 1, ["SURVIVED"]),
    (["minus", "broken"], 2, ["caught", "caught", "untried"]), (["elsewhere"], 77, ["skipped"]), (["passed-over"], 77, ["skipped"]),
    (["nobody"], 2, []),
    (["--part", "3/2"], 2, []), (["--log", "no/folder"], 2, [])])
def test_what_is_asked_for(project, arguments, status, verdicts):
    ended, rows, said = mutants(project, *arguments)
    assert (ended, [row[2] for row in rows]) == (status, verdicts), said


def test_what_was_caught_before_is_not_planted_again(project):
    assert mutants(project, "--log", "log", "--part", "1/3")[1] == [("minus", "plain", "caught"), ("broken", "plain", "untried"),
                                                                  ("passed-over", "plain", "skipped")]
    status, rows, said = mutants(project, "--log", "log", "minus")
    assert (status, rows) == (0, [("minus", "model", "caught")])
    assert said.splitlines()[-1].endswith("; 1 caught before")


@pytest.mark.parametrize("text, complaint", [
    ("a: b\n    src/none.c s/a/b/\n    plain adds\n", "tests/mutants:1: a: there is no file src/none.c"),
    ("a: b\n    src/sum.c s/nowhere/b/\n    plain adds\n", "a: the expression changes nothing in src/sum.c: s/nowhere/b/"),
    ("a: b\n    src/sum.c s/sum/b/\n    slow s/nowhere/b/\n    plain adds\n",
     "a: the expression changes nothing in src/sum.c: s/nowhere/b/"),
    ("a: b\n    src/sum.c s/(/b/\n    plain adds\n", "a: the expression changes nothing"),
    ("a: b\n    src/sum.c s/sum/b/\n", "a: tests are named for no build"),
    ("a: b\n    src/sum.c s/sum/b/\n    plane adds\n", "tests/mutants:1: a: tests are named for plane"),
    ("a: b\n    src/sum.c s/sum/b/\n    plain adds\n" * 2, "a: 2 faults have this name"),
])
def test_what_does_not_fit_is_told(project, text, complaint):
    assert mutants(project, "--fit")[0] == 0
    (project / "tests/mutants").write_text(text)
    for arguments in (["--fit"], []):
        status, rows, said = mutants(project, *arguments)
        assert status == 2 and rows == [] and complaint in said, said


@pytest.mark.parametrize("how, verdict", [("Failed", "caught"), ("Exception: SegFault", "caught"), ("Timeout", "hung"),
                                          ("Not Run", "untried")])
def test_how_a_test_has_failed_tells_the_verdict(how, verdict):
    module = loaded()
    copy = module.Copy.__new__(module.Copy)
    copy.said = lambda: f"1/2 Test  #7: a-1 ....   Passed    0.01 sec\n2/2 Test #12: adds ...***{how}   30.01 sec\n"
    copy.build, copy.check = lambda *_: True, lambda *_: False
    campaign = module.Campaign(copy, [], None)
    campaign.commands = {"plain": {"adds": "sum 1 2 3"}}
    fault = module.Fault("minus", "the second number is taken away", "tests/mutants:1")
    by = "CTest could not run it: adds" if verdict == "untried" else "adds"
    assert campaign.tried(module.Row(fault, "plain", "adds")) == (verdict, by)


def test_faults_stand_beside_their_tests():
    """Check this project; a folder whose tests are left out here shows that by a skipped test."""
    module = loaded()
    tests = list(module.tests_of(Path(os.environ["UNISONO_BUILD"])))
    for fault in module.faults():
        folder = fault.place.rpartition("/mutants:")[0]
        for row in (module.Row(fault, *row) for row in fault.rows):
            named = {where for name, where, _ in tests if module.expression(row).fullmatch(name)}
            left_out = any("skipped: " in command for _, where, command in tests if where.startswith(folder))
            assert folder in named or row.kind != fault.rows[0][0] and named or left_out, (fault.place, row.tests, named)
