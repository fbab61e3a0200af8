"""script/mpi-suites --library: which failures are the library's, which are known, and which of those are none any
more."""

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

sys.path[:0] = [os.environ["SUITES"], os.environ["BENCH_MPI"]]
import fill  # noqa: E402
import library  # noqa: E402
import main  # noqa: E402
import mpi4py_suite  # noqa: E402
import mpich_suite  # noqa: E402
import run  # noqa: E402
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
    far = (library.Known("info", "case", "", "why", True),)
    fails, passes = row(f"{ours(BAD)} || {GOOD}", "info"), row(GOOD, "info")
    assert library.verdict(fails, far) == "FAILS" and library.mended([passes], far) == []
    assert library.verdict({**fails, "nodes": 2}, far) == "listed"
    assert library.mended([{**passes, "nodes": 2}], far) == [*far]
    results = {"libraries": {"shell": "MPICH 5"}, "left_out": [], "cases": [{**passes, "nodes": 2}, row(GOOD), {**fails, "nodes": 2}]}
    main.write(library, results, tmp_path / "results.json")
    assert [case.get("nodes") for case in main.read(tmp_path / "results.json")["cases"]] == [2, None, 2]
    assert set(library.docs({**results, "nodes": 2})) == {"suites: nodes", "suites: known"}


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
    assert library.known(tmp_path / "known.txt") == [library.Known("info", "a", "", "why", True),
                                                     library.Known("info", "b", "mpich-4", "why", True)]
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


@pytest.mark.parametrize("where", ["library", "nodes"])
def test_the_documentation_says_what_was_run(where):
    results = main.read(main.ROOT / f"bench/results/epyc-2/mpi-suites-{where}.json")
    text = (main.ROOT / "docs/mpi-library.md").read_text()
    assert fill.filled(text, library.docs(results)) == text
    results["cases"].pop()
    assert fill.filled(text, library.docs(results)) != text
