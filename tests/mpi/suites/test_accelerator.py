"""script/mpi-suites with the accelerator: the differences that it reports, the suites' rules for success, and that no
case is lost."""

import json
import os
import sys

import pytest

sys.path[:0] = [os.environ["SUITES"], os.environ["BENCH_MPI"]]
import accelerator  # noqa: E402
import fill  # noqa: E402
import main  # noqa: E402
import mpi4py_suite  # noqa: E402
import mpich_suite  # noqa: E402
import run  # noqa: E402
from stand_in import Shell, as_unisono  # noqa: E402

# Takes the place of `unisono mpi`: tells the program, and writes a profile of 3 collectives, 2 of them accelerated.
UNISONO = """#!/bin/sh
[ "$1" = mpi ] && [ "$3" = -- ] || exit 9
echo '{"collectives": [{"operations": 2, "accelerated": 1}, {"operations": 1, "accelerated": 1}]}' >"${2#--profile=}"
shift 3
ACCELERATED=1 exec "$@"
"""


@pytest.fixture
def unisono(tmp_path, monkeypatch):
    as_unisono(UNISONO, tmp_path, monkeypatch)


def row(script, ranks=4, judge=mpich_suite.judge(), seconds=20, **environment):
    case = run.Case("coll", Shell(), ranks, "case", [script], judge, environment)
    return {"suite": "coll", "host": "shell", "ranks": ranks, "name": "case", **accelerator.sides(case, seconds)}


def test_each_pair_of_ends_has_its_verdict(unisono):
    good, bad = "echo ' No Errors'", "echo Found 3 errors"
    assert accelerator.verdict(row(good)) == "both"
    assert accelerator.verdict(row(f'[ "$ACCELERATED" ] && {bad} || {good}')) == "DIFFERS"
    assert accelerator.verdict(row(f'[ "$ACCELERATED" ] && {good} || {bad}')) == "only accelerated"
    assert accelerator.verdict(row(bad)) == "neither"
    assert accelerator.verdict(row(f'[ "$ACCELERATED" ] && exit 3; {bad}')) == "DIFFERS"  # another way to fail
    assert accelerator.verdict(row(f"{good}; exit 1")) == "neither"


def test_what_does_not_end_in_time_is_told_apart_and_ended(unisono, tmp_path):
    mark = tmp_path / "mark"
    script = f'[ "$ACCELERATED" ] && {{ sleep 3; touch {mark}; }}; echo No Errors'
    found = row(script, seconds=1)
    assert accelerator.verdict(found) == "DIFFERS" and found["accelerated"]["end"] == "limit"
    assert not mark.exists()
    assert accelerator.verdict(row("sleep 9", seconds=1)) == "limit"


def test_no_folder_of_this_machine_is_kept(unisono):
    found = row("echo 'at /a/b-1/lib/libmpi.so.40(MPI_Bcast+0x1)[0x7f], (/a/.b/bin/python), /a/t.py, and/or 1/2'; exit 1")
    assert found["alone"]["output"] == "at libmpi.so.40(MPI_Bcast+0x1)[0x7f], (python), t.py, and/or 1/2\n"


def test_accelerated_collectives_are_counted_and_their_absence_is_a_failure(unisono):
    found = row("echo No Errors")
    assert (found["accelerated"]["operations"], found["accelerated"]["accelerated"]) == (3, 2)
    assert not accelerator.failed({"cases": [found]})
    none = json.loads(json.dumps(found))
    none["accelerated"]["accelerated"] = 0
    assert accelerator.failed({"cases": [none]}) and accelerator.unused([none]) == [("coll", "shell", 4)]
    assert not accelerator.unused([none, found])
    assert accelerator.failed({"cases": []})


def test_a_program_of_mpich_passes_with_its_line_and_no_other():
    judge = mpich_suite.judge()
    assert judge(0, " No Errors\n") == []
    assert judge(0, " No Errors\nwarning\n") and judge(0, "") and judge(1, "No Errors") and judge(0, "No Errors\nNo Errors\n")
    warned, fatal = mpich_suite.judge("TestAllowWarnings"), mpich_suite.judge("TestErrFatal")
    assert warned(0, "warning\nNo Errors\n") == [] and warned(0, "warning\n") and warned(1, "No Errors\n")
    assert fatal(1, "Abort\n") == [] and fatal(0, "No Errors\n")


def test_a_module_of_mpi4py_passes_if_it_does_on_every_rank():
    judge = mpi4py_suite.judge(2)
    assert judge(0, "Ran 3 tests in 1s\n\nOK\nRan 3 tests in 1s\n\nOK (skipped=1)\n") == []
    assert judge(0, "Ran 3 tests in 1s\nRan 3 tests in 1s\n\n\nOKOK\n\n") == []
    assert judge(0, "Ran 3 tests in 1s\n\nOK\n") == ["exit status 0, 1 of 2 ranks passed"]
    assert judge(1, "FAIL: testBcast (test_cco_buf.TestCCOBufWorld)\nERROR: testScan (test_cco_buf.TestCCOBufWorld)\n") \
        == ["testBcast (test_cco_buf.TestCCOBufWorld)", "testScan (test_cco_buf.TestCCOBufWorld)"]


def test_the_lists_of_mpich_are_read_whole(tmp_path):
    (tmp_path / "testlist.in").write_text("# a remark\nallred 4 arg=-count=10\n@largetest@big 8 mem=20.1\n\n@spawndir@\n"
                                          "ibarrier 2 timeLimit=30\nself 2 of/it env=A=b=c xfail=t\nend 4 resultTest=TestStatus # why\n")
    assert [(e.title, e.ranks, e.memory, e.seconds, e.result) for e in mpich_suite.entries(tmp_path)] == [
        ("allred -count=10", 4, 0, 0, ""), ("big", 8, 20.1, 0, ""), ("ibarrier", 2, 0, 30, ""), ("self A=b=c", 2, 0, 0, ""),
        ("end", 4, 0, 0, "TestStatus")]
    assert [e.environment for e in mpich_suite.entries(tmp_path)][3] == {"A": "b=c"}
    (tmp_path / "testlist.in").write_text("allred 4 weight=3\n")
    with pytest.raises(RuntimeError, match="weight is not known"):
        list(mpich_suite.entries(tmp_path))


def test_the_programs_of_mpich_are_read_whole(tmp_path):
    (tmp_path / "Makefile.am").write_text("noinst_PROGRAMS = \\\n    a \\\n    nba\nif LARGE\nnoinst_PROGRAMS += \\\n    c\nendif\n"
                                          "nba_SOURCES = a.c\nnba_CPPFLAGS = -DUSE_MTEST_NBC $(AM_CPPFLAGS)\n")
    plain = mpich_suite.Program
    assert mpich_suite.programs(tmp_path) == {"a": plain(["a.c"]), "nba": plain(["a.c"], ["-DUSE_MTEST_NBC"]), "c": plain(["c.c"])}
    (tmp_path / "Makefile.am").write_text("AM_DEFAULT_SOURCE_EXT = .f\nnoinst_PROGRAMS = a b\nb_SOURCES = b.f cc.c\n")
    assert mpich_suite.programs(tmp_path) == {"a": plain(["a.f"]), "b": plain(["b.f", "cc.c"])}
    (tmp_path / "Makefile.am").write_text("noinst_PROGRAMS = a b\na_SOURCES = a.cxx\nnodist_b_SOURCES = b.cxx\nAM_DEFAULT_SOURCE_EXT = .cxx\n")
    assert mpich_suite.programs(tmp_path) == {"a": plain(["a.cxx"]), "b": plain(["b.cxx"])}


def test_cases_of_other_pieces_stay_in_the_file(unisono, tmp_path):
    path, first, second = tmp_path / "results.json", row("echo No Errors"), row("echo No Errors", ranks=2)
    later = {**first, "accelerated": {**first["accelerated"], "operations": 77}}
    for cases in ([first], [second], [later]):
        main.write(accelerator, main.merged({"libraries": {}, "sources": {}, "left_out": [], "cases": cases}, path), path)
    kept = main.read(path)["cases"]
    assert [(case["ranks"], case["accelerated"]["operations"]) for case in kept] == [(2, second["accelerated"]["operations"]), (4, 77)]


def test_the_file_has_what_is_told_and_what_a_fault_has_said(unisono, tmp_path):
    path, good, bad = tmp_path / "results.json", "echo No Errors", "echo Found 3 errors"
    cases = [{**row(script), "name": name} for name, script in (
        ("passes", good), ("differs", f'[ "$ACCELERATED" ] && {bad} || {good}'), ("fails", bad), ("also passes", good))]
    before = {"libraries": {"shell": "a shell"}, "sources": {}, "left_out": [], "cases": cases}
    main.write(accelerator, before, path)
    after = main.read(path)
    assert [case["name"] for case in after["cases"]] == ["passes", "also passes", "differs", "fails"]
    assert accelerator.docs(after) == accelerator.docs(before)
    assert ["output" in case["accelerated"] for case in after["cases"]] == [False, False, True, False]


def test_a_run_without_a_profile_accelerated_nothing(tmp_path):
    empty = tmp_path / "profile"
    empty.touch()
    assert accelerator.profiled(empty) is None and accelerator.profiled(tmp_path / "none") is None


def test_the_documentation_says_what_was_run():
    results = main.read(main.ROOT / "bench/results/epyc-2/mpi-suites.json")
    text = (main.ROOT / "docs/mpi.md").read_text()
    assert fill.filled(text, accelerator.docs(results)) == text
    results["cases"].pop()
    assert fill.filled(text, accelerator.docs(results)) != text
