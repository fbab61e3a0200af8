"""The report of programs that do not come to their end, of many ranks, and of more than is recorded apart; and nothing
of it where it is not asked for."""

import pytest
from programs import ABIS, compiled, line, recorded, start


@pytest.fixture(scope="module", name="program")
def program_fixture(tmp_path_factory):
    return compiled(tmp_path_factory.mktemp("ends"), "standard", "ends.c")


def at(calls, place):
    return [site for site in calls["sites"] if site["place"].endswith("/" + place)]


@pytest.mark.parametrize("case, status, options, function, unfinished", [
    ("killed", 128 + 9, (), "MPI_Barrier", {1, 2}),
    ("aborts", 1, (), "MPI_Abort", {1}),
    ("hangs", 125, (), "MPI_Recv", {3}),
    ("sleeps", 124, ("--timeout=1",), "MPI_Barrier", {2}),
])
def test_no_end(program, tmp_path, case, status, options, function, unfinished):
    without = start(3, program, case, options=options)
    assert without.returncode == status, without.stderr
    table, calls = recorded(tmp_path, 3, program, case, status=without.returncode, options=options)
    [site] = at(calls, line("ends.c", case))
    assert site["function"] == function
    assert site["unfinished"] in unfinished
    assert site["calls"] == 0
    assert f"{site['unfinished']} unfinished" in table
    assert [rank["recorded"] for rank in calls["rank"]] == [True] * 3
    # what was called before is there
    assert sum(site["calls"] for site in calls["sites"] if site["function"] == "MPI_Comm_size") == 3


def test_no_window(program, tmp_path):
    said, _ = recorded(tmp_path, 2, program, "fence", status=1)
    assert "MPI_Win_fence: win is no window: MPI_WIN_NULL (MPI_ERR_WIN)" in said


def test_many_ranks(program, tmp_path):
    table, calls = recorded(tmp_path, 64, program, "many")
    assert [rank["recorded"] for rank in calls["rank"]] == [True] * 64
    for k, rank in enumerate(calls["rank"]):
        assert rank["to"] == [{"rank": (k + 1) % 64, "messages": 20, "bytes": 80}]
    assert sum(site["calls"] for site in calls["sites"]) == 64 * (20 + 4)
    assert "64 ranks" in table


def check_sums(calls):
    assert calls["calls"] == sum(site["calls"] for site in calls["sites"]) == sum(rank["calls"] for rank in calls["rank"])
    waited = sum(site["waited_seconds"] for site in calls["sites"])
    assert waited == pytest.approx(calls["waited_seconds"])
    named = sum(wait["seconds"] for wait in calls["waits"])
    assert named + calls["other_waits"]["seconds"] == pytest.approx(waited)


def test_more_places_than_fit(program, tmp_path):
    _, calls = recorded(tmp_path, 2, program, "places")
    check_sums(calls)
    [others] = [site for site in calls["sites"] if site["function"] == "others"]
    assert others["place"] == "more places than fit"
    assert others["calls"] > 2 * 2 * 500
    assert calls["calls"] == 2 * (2 * 3 * 1024 + 4)
    # sends to itself: all messages are counted, wherever they were sent
    for k, rank in enumerate(calls["rank"]):
        assert rank["to"] == [{"rank": k, "messages": 2 * 1024, "bytes": 4 * 2 * 1024}]


def test_more_communicators_than_fit(program, tmp_path):
    _, calls = recorded(tmp_path, 2, program, "communicators")
    check_sums(calls)
    assert calls["calls"] == 2 * (3 * 400 + 4)
    assert 200 < len(calls["communicators"]) < 256
    barriers = [site for site in calls["sites"] if site["function"] == "MPI_Barrier"]
    assert sum(site["calls"] for site in barriers) == 2 * 401


def test_more_waits_than_fit(program, tmp_path):
    _, calls = recorded(tmp_path, 6, program, "waits")
    check_sums(calls)
    assert calls["calls"] == 6 * (6 * 1280 + 4)
    assert calls["other_waits"]["count"] > 0


@pytest.mark.parametrize("abi", ABIS)
def test_off(tmp_path, abi):
    """Only where it is asked for the library that records is loaded."""
    program = compiled(tmp_path, abi, "ends.c")
    for options, there in [((), False), (("--stats",), True)]:
        r = start(1, program, "maps", options=options)
        assert "unisono/mpi/lib" in r.stdout
        assert ("unisono/mpi/observed" in r.stdout) == there, r.stdout
        assert ("unisono-observe" in r.stdout) == there, r.stdout
