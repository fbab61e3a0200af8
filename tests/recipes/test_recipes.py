"""docs/design.md, "How to add": a unit in two files, an aggregate function in five, and a benchmark in three, exactly
as told there. A copy of the source gets them, and one build of what their tests take. Where a recipe needs one more
file, something here fails."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCE = Path(os.environ["RECIPES_FOLDER"]) / "source"
BUILD = Path(os.environ["RECIPES_FOLDER"]) / "built"
UNISONO, ORACLE = BUILD / "bin/unisono", BUILD / "tests/conformance/oracle"
PYTHON = os.environ["RECIPES_PYTHON"]

# ---- the files of the recipes: what is inserted, after or before the line that begins so

# Each is added beside its src/unit/NAME.c. The second one, being the first unit of processes, is the default of
# `unisono run`.
UNITS = {name: [("src/unit/registry.def", "after", "#define UNO_UNITS(X)", f'    X({name}, "{name}", {start}, NULL, 16, all) \\\n')]
         for name, start in [("dummy", "named"), ("dummy_run", "run")]}

FUNCTION = [
    ("include/papers/functions.def", "before", "    X(p_reduceAnd,", "    X(p_reduceXor, VALUE, xor, __VA_ARGS__) \\\n"),
    ("include/papers/functions.def", "before", "#define p_reduceAnd(d)", "#define p_reduceXor(d) PAPERS_SELECT(d, INTEGER, p_reduceXor)(d)\n"
     "#define p_reduceXorBits(d, bits) PAPERS_SELECT(d, UNSIGNED, p_reduceXorBits)(d, bits)\n"),
    ("include/papers.h", "after", " *     type p_reduceAndT(type d)", " *     type p_reduceXorT(type d)            bitwise exclusive OR, of integers\n"),
    ("src/papers/combine.h", "after", "    static inline type or_##suffix", "    static inline type xor_##suffix(type a, type b) { return (type)(a ^ b); } \\\n"),
    ("man/p_reduceAdd.3", "before", ".Nm p_reduceAnd ,", ".Nm p_reduceXor ,\n"),
    ("man/p_reduceAdd.3", "before", ".Fn p_reduceAndT", '.Fn p_reduceXorT "type d"\n.Ft type\n'),
    ("tests/conformance/oracle/serial.c", "before", "/* By the names in papers/functions.def. */",
     "static uint64_t bit_xor(const struct type *t, uint64_t a, uint64_t b) {\n    (void)t;\n    return a ^ b;\n}\n\n"),
    ("tests/conformance/oracle/serial.c", "after", "} combines[] = {", '    {"xor", bit_xor, false},\n'),
]

# The line that adds the benchmark, beside its files in pipe/.
BENCHMARK = [("bench/CMakeLists.txt", "after", "    bench_program(gang ", "    bench_program(pipe pipe/work.c unisono)\n")]


def insert(file, where, start, text):
    path = SOURCE / file
    lines = path.read_text().splitlines(keepends=True)
    at = [i for i, line in enumerate(lines) if line.startswith(start)]
    assert at, f"{file} has no line that begins with {start!r}, where the recipe inserts"
    lines.insert(at[0] + (where == "after"), text)
    path.write_text("".join(lines))


def call(*command, status=0, **environment):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL, env={**os.environ, **environment})
    assert done.returncode == status, f"{command} ended with {done.returncode}:\n{done.stdout[-6000:]}"
    return done.stdout


def suite(unit):
    """Return the names of the copy's tests that begin with the unit's name, without it."""
    listed = json.loads(call(os.environ["RECIPES_CTEST"], "--test-dir", BUILD, "-R", f"^{unit}-", "--show-only=json-v1"))
    return {test["name"].removeprefix(f"{unit}-") for test in listed["tests"]}


def run_tests(pattern, but="no such test"):
    """Run them, a twentieth of their operations each. Return how many have run, and which were skipped."""
    told = call(os.environ["RECIPES_CTEST"], "--test-dir", BUILD, "--output-on-failure", "--timeout", 100, "--parallel",
                os.cpu_count(), "-R", pattern, "-E", but, UNISONO_TEST_SHARE="0.05")
    skipped = re.findall(r"(\S+) \.+\*\*\*Skipped", told)
    return int(re.search(r"tests passed, 0 tests failed out of (\d+)", told)[1]) - len(skipped), skipped


def note(skipped, *more):
    """Skip, after everything else has passed, with the parts that the copy left out."""
    if skipped or more:
        pytest.skip("; ".join([*more, *(f"{name} of the copy was skipped" for name in skipped)]))


def left_out(folder, names):
    """Return the names that are not copied: they are built, hidden, or large."""
    large = {"results", "__pycache__"}
    return [name for name in names if name in large or Path(folder) == ROOT and
            (name.startswith((".", "build")) or ROOT / name in SOURCE.parents)]


@pytest.fixture(scope="module")
def copy():
    """Built without optimization: half the time."""
    for folder in (SOURCE, BUILD):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT, SOURCE, symlinks=True, ignore=left_out)
    for name, edits in UNITS.items():
        text = (HERE / "dummy.c").read_text().replace("uno_unit_dummy", f"uno_unit_{name}").replace("the dummy", f"the {name}")
        (SOURCE / f"src/unit/{name}.c").write_text(text)
        for edit in edits:
            insert(*edit)
    for edit in FUNCTION + BENCHMARK:
        insert(*edit)
    shutil.copytree(HERE / "pipe", SOURCE / "bench/pipe", ignore=shutil.ignore_patterns("bench-pipe"))
    shutil.copy(HERE / "pipe/bench-pipe", SOURCE / "script")
    (SOURCE / "build").symlink_to(BUILD)
    call(os.environ["RECIPES_CMAKE"], "-S", SOURCE, "-B", BUILD, "-G", os.environ["RECIPES_GENERATOR"], "-DUNISONO_PEERS=",
         "-DUNISONO_MPICC=OFF", "-DUNISONO_WERROR=ON", "-DCMAKE_BUILD_TYPE=Quick", "-DCMAKE_C_FLAGS=-O0", "-DCMAKE_CXX_FLAGS=-O0",
         "-DCMAKE_DISABLE_FIND_PACKAGE_verilator=ON", f"-DUNISONO_PYTHON={PYTHON}")
    call(os.environ["RECIPES_CMAKE"], "--build", BUILD, "--parallel", os.cpu_count(), "--target", *os.environ["RECIPES_TARGETS"].split())


def test_unit_by_name(copy):
    """The unit has every test that threads have, for up to as many PEs as the unit has, and passes them."""
    inherited = {name for name in suite("shm") & suite("thread") if all(int(number) <= 16 for number in re.findall(r"\d+", name))}
    assert suite("dummy") == suite("dummy_run") == inherited and len(inherited) > 80
    passed, skipped = run_tests("^dummy-")
    assert passed + len(skipped) == len(inherited) and not any("oracle" in name for name in skipped)
    assert "PE 0: the dummy carries this" in call(UNISONO, "run", "--unit", "dummy", "-n", 2, ORACLE, status=1, DUMMY_STOPS="1")
    note(skipped)


def test_unit_of_processes(copy):
    passed, skipped = run_tests("^dummy_run-(oracle|traffic|session|interrupt|misuse)", but="fresh|idle")
    assert passed > 15
    assert "PE 0: the dummy_run carries this" in call(UNISONO, "run", "-n", 2, ORACLE, status=1, DUMMY_STOPS="1")
    assert "-n 17: the unit dummy_run has up to 16 PEs" in call(UNISONO, "run", "-n", 17, ORACLE, status=2)
    assert json.loads(call(UNISONO, "info", "--json"))["library"]["unit"] == "dummy_run"
    note(skipped)


@pytest.mark.parametrize("options, error", [
    (["-n", 2, "--unit", "dumm"], "--unit dumm: there are dummy (up to 16 PEs), ttl_papers (up to 16)"),
    (["-n", 17, "--unit", "dummy"], "-n 17: the unit dummy has up to 16 PEs"),
    (["-n", 2, "--unit", "dummy", "--clock", 10], "add --unit and one of ttl_papers (up to 16 PEs)")])
def test_unit_in_messages(copy, options, error):
    assert error in call(UNISONO, "run", *options, "true", status=2)
    assert "shared memory: dummy (up to 16 PEs), ttl_papers" in " ".join(call(UNISONO, "run", "--help").split())


def test_function(copy):
    """The function exists in C, C++, the manual and Python."""
    assert "p_reduceXorBits32u" in call(ORACLE, "--list")
    passed, skipped = run_tests(r"^(dummy|thread|python)-oracle-[23]$|coverage$|^interface-(cc-c17|c\+\+-c\+\+17|exports|man|generic-.*-2)$|^man-")
    assert passed > 8
    if "python-core" not in os.environ["RECIPES_TARGETS"]:
        note(skipped, "there are no headers of Python (Debian: python3-dev)")
    assert 'Reduction = Literal["add", "mul", "min", "max", "xor", "and", "or"]' in (BUILD / "python/unisono/_ops.pyi").read_text()
    program = """
import array, unisono
me = unisono.rank()
assert unisono.reduce(1 << me, "xor") == 7 and unisono.reduce(True, "xor", dtype=bool) is True
assert list(unisono.reduce(array.array("H", [me, 5, 1 << me, 6]), "xor")) == [3, 5, 7, 6]
for call, error in [(lambda: unisono.scan(5, "xor"), ValueError), (lambda: unisono.scan(array.array("i", [5]), "xor"), ValueError),
                    (lambda: unisono.reduce(1.5, "xor"), TypeError)]:
    try:
        call()
        raise SystemExit("no error")
    except error as told:
        assert "'xor' is for integers" in str(told) if error is TypeError else "scan: there is no op 'xor'; there are 'add'," in str(told)
assert unisono.reduce(1) == 3
"""
    call(UNISONO, "run", "-n", 3, PYTHON, "-B", "-c", program, PYTHONPATH=str(BUILD / "python"))
    note(skipped)


def test_benchmark(copy, tmp_path):
    """The benchmark measures both sides in turns, keeps every sample, and shows its file again; and it is as short as
    the recipe says."""
    file = tmp_path / "pipe.json"
    shown = call(SOURCE / "script/bench-pipe", "--rounds", 3, "--turns", "20,200", "--json", file)
    rows = json.loads(file.read_text())["rows"]
    assert [row["turns"] for row in rows] == [20, 200]
    assert all(len(row["seconds"][side]) == 3 and min(row["seconds"][side]) > 0 for row in rows for side in ("unisono", "pipes"))
    again = call(SOURCE / "script/bench-pipe", "--from", file)
    table = shown[shown.index("us of one"):]
    assert again.endswith(table) and "200 turns" in table and "--turns" in call(SOURCE / "script/bench-pipe", "--help")
    assert sum(len(path.read_text().splitlines()) for path in (HERE / "pipe").iterdir()) < 120
