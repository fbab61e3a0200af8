"""script/mpi-suites --library: which failures are the library's, which are known, and which of those are none any
more."""

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

sys.path[:0] = [os.environ["SUITES"], os.environ["BENCH_MPI"]]
import fill  # noqa: E402
import library  # noqa: E402
import main  # noqa: E402
import mpi4py_suite  # noqa: E402
import mpich_suite  # noqa: E402
import run  # noqa: E402
from hosts import Missing  # noqa: E402
from stand_in import Shell, as_unisono  # noqa: E402

UNISONO = """#!/bin/sh
[ "$1" = run ] && [ "$2" = -n ] || exit 9
LIBRARY=1 exec sh -c "$4"
"""
GOOD, BAD = "echo No Errors", "echo Found 3 errors"
KNOWN = (library.Known("info", "case", "", "why"), library.Known("mpi4py", "test_a.T.test_b", "shell", "why"),
         library.Known("mpi4py", "test_c*", "", "why"))


@pytest.fixture
def row(tmp_path, monkeypatch):
    as_unisono(UNISONO, tmp_path, monkeypatch)

    def make(script, suite="group", name="case", judge=mpich_suite.judge(), seconds=20):
        case = run.Case(suite, Shell(), 2, name, [script], judge)
        return {"suite": suite, "host": "shell", "ranks": 2, "name": name, **library.sides(case, seconds)}
    return make


def ours(script):
    return f'[ "$LIBRARY" ] && {{ {script}; }}'


def verdict(found):
    return library.verdict(found, KNOWN)


def test_what_passes_needs_no_second_run(row):
    found = row(GOOD)
    assert verdict(found) == "passes" and "alone" not in found


def test_only_what_passes_under_the_other_library_is_a_fault(row):
    assert verdict(row(f"{ours(BAD)} || {GOOD}")) == "FAILS"
    assert verdict(row(f"{ours(BAD)} || {GOOD}", suite="info")) == "listed"
    assert verdict(row(BAD)) == "neither"
    assert verdict(row(f"{ours('sleep 9')} || {GOOD}", seconds=1)) == "FAILS"
    assert verdict(row("sleep 9", seconds=1)) == "neither"


def test_of_a_module_each_test_counts(row):
    def module(here, alone, name="test_a"):
        def says(tests):
            return "; ".join([f"echo 'FAIL: {test}'" for test in tests] + ["exit 1" if tests else "echo OK; echo OK"])
        return row(f"{ours(says(here) + '; exit 1')}; {says(alone)}", "mpi4py", name, mpi4py_suite.judge(2))
    known, other = "test_b (test_a.T.test_b)", "test_d (test_a.T)"
    assert verdict(module([known], [])) == "listed"
    assert verdict(module([known, other], [])) == "FAILS"
    assert verdict(module([known, other], [other])) == "listed"
    assert verdict(module([other], [other])) == "neither"
    assert verdict(module(["test_x (test_cd.T.test_x)"], [], "test_cd")) == "listed"
    skips = row(f"{ours('echo Ran 2 tests, OK, skipped=2; echo Ran 2 tests, OK, skipped=2')} || echo Ran 2 tests OK OK", "mpi4py",
                "test_a", mpi4py_suite.judge(2, needs_tests=True))
    assert verdict(skips) == "FAILS" and mpi4py_suite.judge(1)(0, "Ran 2 tests, OK, skipped=2") == []
    died = row(f"{ours('exit 7')}; echo OK; echo OK", "mpi4py", "test_a", mpi4py_suite.judge(2))
    assert verdict(died) == "FAILS" and library.wrong(died, "library") == {"test_a"}
    assert verdict(row("exit 7", "mpi4py", "test_a", mpi4py_suite.judge(2))) == "neither"


def test_a_failure_that_is_none_any_more_is_told(row):
    passes, fails = row(GOOD, "info"), row(f"{ours(BAD)} || {GOOD}", "info")
    assert library.mended([passes], KNOWN) == [KNOWN[0]]
    assert library.mended([passes, fails], KNOWN) == []
    assert library.mended([row(GOOD)], KNOWN) == []  # nothing of the table was run
    module = row("echo OK; echo OK", "mpi4py", "test_a", mpi4py_suite.judge(2))
    assert library.mended([module], KNOWN) == [KNOWN[1]]
    assert library.mended([{**module, "host": "other"}], KNOWN) == []


def test_ranks_on_several_nodes(row, tmp_path):
    """Some failures are known there alone, and files of results tell where the ranks were."""
    far = (library.Known("info", "case", "", "why", "nodes"),)
    fails, passes = row(f"{ours(BAD)} || {GOOD}", "info"), row(GOOD, "info")
    assert library.verdict(fails, far) == "FAILS" and library.mended([passes], far) == []
    assert library.verdict({**fails, "nodes": 2}, far) == "listed"
    assert library.mended([{**passes, "nodes": 2}], far) == [*far]
    results = {"libraries": {"shell": "MPICH 5"}, "left_out": [], "cases": [{**passes, "nodes": 2}, row(GOOD), {**fails, "nodes": 2}]}
    main.write(library, results, tmp_path / "results.json")
    assert [case.get("nodes") for case in main.read(tmp_path / "results.json")["cases"]] == [2, None, 2]
    assert set(library.docs({**results, "nodes": 2})) == {"suites: nodes", "suites: known"}


MESH = """#!/bin/sh
[ "$1 $2 $4" = "run -n --unit" ] || exit 9
[ "$5" = mesh=2x2 ] || [ "$5" = mesh=4x4 ] || { echo "unisono run: --unit $5: there are others" >&2; exit 2; }
[ "$3 $5" != "5 mesh=2x2" ] || { echo "unisono run: -n 5: a mesh has up to 4 PEs" >&2; exit 2; }
[ "$6" != true ] || exit 0
LIBRARY=$5 exec sh -c "$6"
"""


def on_a_unit(tmp_path, monkeypatch, units, *cases):
    """The rows of cases that are run on units one after the other, and what is left out."""
    as_unisono(MESH, tmp_path, monkeypatch)
    library.refused.cache_clear()
    left = []
    options = SimpleNamespace(parts=["group"], hosts=["shell"], units=units, only=None, nodes=1, jobs=1, json=None, limit=20,
                              leave_out=lambda *what, unit: left.append((*what, unit)),
                              subject=SimpleNamespace(cases=lambda *_: cases, sides=library.sides, verdict=library.verdict,
                                                      GOOD=library.GOOD))
    monkeypatch.setattr(main, "HOSTS", [Shell()])
    results = {"libraries": {}, "sources": {}, "left_out": [], "cases": []}
    main.run_parts(options, options.parts, results)
    return results, left


def test_ranks_on_units(tmp_path, monkeypatch):
    """Each unit has rows of its own, with their times, and what it has no room for is told."""
    few = run.Case("group", Shell(), 4, "few", [GOOD], mpich_suite.judge())
    many = run.Case("group", Shell(), 5, "many", [f'[ "$LIBRARY" = mesh=4x4 ] && {BAD} || {GOOD}'], mpich_suite.judge())
    results, left = on_a_unit(tmp_path, monkeypatch, ["mesh=2x2", "mesh=4x4"], few, many)
    rows = results["cases"]
    assert [(row["name"], row["unit"], row["library"]["end"]) for row in rows] == [
        ("few", "mesh=2x2", "passed"), ("few", "mesh=4x4", "passed"), ("many", "mesh=4x4", "failed")]
    assert [what[2:] for what in left] == [("many, 5 ranks", "a mesh has up to 4 PEs", "mesh=2x2")]
    path = tmp_path / "results.json"
    for unit in ("mesh=2x2", "mesh=4x4"):
        some = {**results, "cases": [row for row in rows if row["unit"] == unit]}
        main.write(library, main.merged(some, path), path)
    kept = main.read(path)["cases"]
    assert sorted((row["name"], row["unit"]) for row in kept) == sorted((row["name"], row["unit"]) for row in rows)
    assert [row["library"]["seconds"] for row in kept if row["name"] == "few"] == [row["library"]["seconds"] for row in rows[:2]]
    assert set(library.docs({"libraries": {"shell": "MPICH 5"}, "cases": rows})) == {"suites: unit", "suites: sizes", "suites: known"}


@pytest.mark.parametrize("where, fits", [("", True), ("nodes", False), ("mesh", True), ("mesh=2x2", False), ("mesh=4x4", True)])
def test_failures_that_are_known_on_a_unit(row, where, fits):
    fails = {**row(f"{ours(BAD)} || {GOOD}"), "unit": "mesh=4x4"}
    known = [library.Known("group", "case", "", "why", where)]
    assert library.verdict(fails, known) == ("listed" if fits else "FAILS")
    assert library.mended([{**row(GOOD), "unit": "mesh=4x4"}], known) == (known if fits else [])
    assert library.mended([row(GOOD)], known) == ([] if where else known)


def test_smaller_sizes(tmp_path):
    """A program with smaller sizes is another one than that with its own, and a change that changes nothing is told."""
    rows = mpich_suite.bounds()
    assert set(rows) <= set(library.DIRECTORIES) and all(old != new for programs in rows.values()
                                                         for changes in programs.values() for old, new in changes)
    table = tmp_path / "bounded.txt"
    table.write_text("# a remark\ncoll/a.c  N  100 -> N 2\ncoll/a.c  M -> m\n")
    assert mpich_suite.bounds(table) == {"coll": {"a.c": [("N  100", "N 2"), ("M", "m")]}}
    build = mpich_suite.Build.__new__(mpich_suite.Build)
    build.folder, build.changes = tmp_path, {"a": mpich_suite.bounds(table)["coll"]["a.c"]}
    source = tmp_path / "a.c"
    source.write_text("#define N  100\nM(N)\n")
    assert build.bounded("a", source).read_text() == "#define N 2\nm(N)\n" and build.bounded("b", source) == source
    assert build.path("a") != tmp_path / "a" and build.path("b") == tmp_path / "b"
    source.write_text("#define N  100\nM(N, M)\n")
    with pytest.raises(Missing, match="2 places for M"):
        build.bounded("a", source)
    table.write_text("coll/a.c N -> M\n")
    with pytest.raises(RuntimeError, match="is no row"):
        mpich_suite.bounds(table)


def test_a_unit_that_is_not_there_ends_the_run(tmp_path, monkeypatch):
    with pytest.raises(SystemExit, match="--unit mush: there are others"):
        on_a_unit(tmp_path, monkeypatch, ["mush"], run.Case("group", Shell(), 4, "few", [GOOD], mpich_suite.judge()))


@pytest.mark.parametrize("options", [["--unit", "mesh"], ["--library", "--unit", "mesh", "--nodes", "2"]])
def test_a_unit_is_for_the_library_on_one_node(options, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["mpi-suites", *options])
    with pytest.raises(SystemExit):
        main.arguments()
    assert "--unit is for --library, without --nodes" in capsys.readouterr().err


def test_what_runs_is_ended_with_the_command(row, monkeypatch):
    monkeypatch.setattr(run, "stopped", threading.Event())
    with ThreadPoolExecutor(1) as pool:
        begun = time.monotonic()
        future = pool.submit(row, "sleep 30")
        while not run.running:
            time.sleep(0.01)
        run.end_all()
        with pytest.raises(run.Stopped):  # what does not pass would be run under the other library now
            future.result()
    assert time.monotonic() - begun < 20 and not run.running


def test_cases_that_write_files_have_folders_of_their_own(tmp_path):
    build = mpich_suite.Build.__new__(mpich_suite.Build)
    build.folder = tmp_path
    first = build.own_folder("write, 4 ranks")
    (first / "testfile").touch()
    assert build.own_folder("write -x, 4 ranks") != first
    assert build.own_folder("write, 4 ranks") == first and not list(first.iterdir())


def test_each_row_of_the_table_has_a_reason(tmp_path):
    rows = library.known()
    assert {known.suite for known in rows} <= set(library.PARTS) and len(set(rows)) == len(rows)
    (tmp_path / "known.txt").write_text("# a remark\ninfo/a*@mpich-4  why not\n")
    assert library.known(tmp_path / "known.txt") == [library.Known("info", "a*", "mpich-4", "why not")]
    (tmp_path / "known.txt").write_text("info/a+nodes  why\ninfo/b@mpich-4+nodes  why\n")
    assert library.known(tmp_path / "known.txt") == [library.Known("info", "a", "", "why", "nodes"),
                                                     library.Known("info", "b", "mpich-4", "why", "nodes")]
    (tmp_path / "known.txt").write_text("info/a+mesh  why\ninfo/b@mpich-4+mesh=2x2  why\n")
    assert [(known.pattern, known.host, known.where) for known in library.known(tmp_path / "known.txt")] == [
        ("a", "", "mesh"), ("b", "mpich-4", "mesh=2x2")]
    (tmp_path / "known.txt").write_text("info/a why\n")
    with pytest.raises(RuntimeError, match="is no row"):
        library.known(tmp_path / "known.txt")


def test_a_part_of_the_runs_says_nothing_of_the_rest(row):
    assert library.failed({"cases": []}) and library.failed({"cases": [row(f"{ours(BAD)} || {GOOD}")]})
    assert not library.failed({"cases": [row(GOOD)]})
    passes = {**row(GOOD), "suite": "init", "name": "session"}
    assert library.failed({"cases": [passes]}) and not library.failed({"cases": [passes], "partial": True})


def test_the_documentation_says_what_is_known(row):
    text = (main.ROOT / "docs/mpi-library.md").read_text()
    assert fill.filled(text, {"suites: known": library.listed()}) == text
    results = {"libraries": {"shell": "MPICH 5"}, "cases": [row(GOOD), row(BAD)]}
    assert "| group | MPICH 5 | 2 | 2 | 1 | 0 | 1 | 0 |" in fill.filled(text, library.docs(results))


@pytest.mark.parametrize("where", ["library", "nodes", "mesh"])
def test_the_documentation_says_what_was_run(where):
    results = main.read(main.ROOT / f"bench/results/epyc-2/mpi-suites-{where}.json")
    text = (main.ROOT / "docs/mpi-library.md").read_text()
    assert fill.filled(text, library.docs(results)) == text
    results["cases"].pop()
    assert fill.filled(text, library.docs(results)) != text
