"""unisono compare: which place of one run is which of the other, what differs, the page, and files that are none of
ours."""

import json
import os
import re

import pytest

from calls import compiled, figures, ran, site, wait
from launcher import run
from pages import embedded, show

KNOWN = os.environ["UNISONO_KNOWN"]


def saved(folder, name, made):
    path = folder / name
    path.write_text(json.dumps(made))
    return path


def compared(folder, before, after):
    """Return the JSON of unisono compare for two runs of 4 ranks with these sites, given as those of site()."""
    r = run("compare", "--json", saved(folder, "a.json", figures(4, before, [])), saved(folder, "b.json", figures(4, after, [])))
    assert r.returncode == 0, r
    return json.loads(r.stdout)


def places(result):
    """Return where each place was and is: {(before, after)}."""
    return {tuple(row[k] and row[k]["place"] for k in ("before", "after")) for row in result["rows"]}


def sends(*where):
    return [site("MPI_Send", place, 4) for place in where]


@pytest.mark.parametrize("before, after, pairs", [
    # the same lines
    (["/p/a.c:1", "/p/a.c:5"], ["/p/a.c:1", "/p/a.c:5"], {("/p/a.c:1", "/p/a.c:1"), ("/p/a.c:5", "/p/a.c:5")}),
    # all moved by one, onto each other's lines
    (["/p/a.c:1", "/p/a.c:2"], ["/p/a.c:2", "/p/a.c:3"], {("/p/a.c:1", "/p/a.c:2"), ("/p/a.c:2", "/p/a.c:3")}),
    # lines count as numbers, and not as texts
    (["/p/a.c:9", "/p/a.c:10"], ["/p/a.c:10", "/p/a.c:11"], {("/p/a.c:9", "/p/a.c:10"), ("/p/a.c:10", "/p/a.c:11")}),
    # one more: those on the same line, and what is left has one candidate
    (["/p/a.c:1"], ["/p/a.c:1", "/p/a.c:5"], {("/p/a.c:1", "/p/a.c:1"), (None, "/p/a.c:5")}),
    (["/p/a.c:1", "/p/a.c:4", "/p/a.c:9"], ["/p/a.c:4", "/p/a.c:7"],
     {("/p/a.c:4", "/p/a.c:4"), ("/p/a.c:1", None), ("/p/a.c:9", None), (None, "/p/a.c:7")}),
    (["/p/a.c:1", "/p/a.c:4"], ["/p/a.c:4"], {("/p/a.c:4", "/p/a.c:4"), ("/p/a.c:1", None)}),
    # another folder, unless the file is also in its own
    (["/old/a.c:1"], ["/new/a.c:3"], {("/old/a.c:1", "/new/a.c:3")}),
    (["/p/a.c:1", "/q/a.c:1"], ["/q/a.c:1", "/r/a.c:2"], {("/q/a.c:1", "/q/a.c:1"), ("/p/a.c:1", "/r/a.c:2")}),
    # no line is known
    (["solve of ./cg"], ["solve of /x/cg"], {("solve of ./cg", "solve of /x/cg")}),
    # another file
    (["/p/a.c:1"], ["/p/b.c:1"], {("/p/a.c:1", None), (None, "/p/b.c:1")}),
], ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else "")
def test_places(tmp_path, before, after, pairs):
    assert places(compared(tmp_path, sends(*before), sends(*after))) == pairs


def test_functions_are_kept_apart(tmp_path):
    result = compared(tmp_path, sends("/p/a.c:1"), [site("MPI_Recv", "/p/a.c:1", 4)])
    assert places(result) == {("/p/a.c:1", None), (None, "/p/a.c:1")}


def test_times_are_of_a_rank(tmp_path):
    """Runs of 2 and of 4 ranks: the same time of each rank is no difference."""
    r = run("compare", "--json", saved(tmp_path, "a.json", figures(2, [site("MPI_Send", "/a.c:1", 2, seconds=2.0)], [])),
            saved(tmp_path, "b.json", figures(4, [site("MPI_Send", "/a.c:1", 4, seconds=4.0, waited=1.0)], [])))
    row, = json.loads(r.stdout)["rows"]
    assert row["more_seconds"] == 0 and row["more_waited_seconds"] == 0.25
    assert row["before"]["seconds"] == row["after"]["seconds"] == 1.0


@pytest.mark.parametrize("after, waits, says", [
    (site("MPI_Recv", "/p/a.c:3", 4, seconds=8.0, waited=7.0), [wait(0, 3, 5.0), wait(0, 1, 2.0)],
     "MPI_Recv at a.c:3 takes each rank 1.75 s longer on average: it waits 1.75 s longer, mostly for rank 3"),
    (site("MPI_Recv", "/p/a.c:3", 4, calls=80, seconds=8.0), [],
     "MPI_Recv at a.c:3 takes each rank 1.75 s longer on average: it is called 80 times, and was 10 times"),
    (site("MPI_Recv", "/p/a.c:3", 4, seconds=8.0), [],
     "MPI_Recv at a.c:3 takes each rank 1.75 s longer on average: a call takes 800 ms, and took 100 ms"),
    (site("MPI_Recv", "/p/a.c:3", 4, seconds=1.01), [], "no call became slower by more than 1 % of the time of the run"),
])
def test_what_to_look_at(tmp_path, after, waits, says):
    before = figures(4, [site("MPI_Recv", "/p/a.c:1", 4)], [])
    r = run("compare", saved(tmp_path, "a.json", before), saved(tmp_path, "b.json", figures(4, [after], waits)))
    assert r.returncode == 0 and r.stdout.splitlines()[-1] == f"  {says}"
    assert "MPI_Recv at a.c:3, was a.c:1\n" in r.stdout


@pytest.mark.parametrize("late, says", [(None, ""), (2, ", most of all rank 2: 8.00 s, and 4.00 s before")])
def test_program_became_slower(tmp_path, late, says):
    made = figures(4, sends("/p/a.c:1"), [])
    slower = json.loads(json.dumps(made))
    slower["calls"]["seconds"] += 4.0
    for r in slower["calls"]["rank"]:
        r["seconds"] += 1.0 if late is None else 4.0 if r["rank"] == late else 0.0
    r = run("compare", saved(tmp_path, "a.json", made), saved(tmp_path, "b.json", slower))
    assert r.stdout.endswith(
        f"\n  the program itself became slower: each rank spends 1.00 s more on average outside of calls{says}\n")


def test_table_has_the_ten_greatest_differences(tmp_path):
    """The greatest first, of either sign; a place that is new or gone says so."""
    before = [site("MPI_Send", f"/p/f{k}.c:1", 4, seconds=4.0 * (20 - k)) for k in range(14)]
    after = [site("MPI_Send", f"/p/f{k}.c:1", 4, seconds=4.0) for k in range(1, 14)] + [site("MPI_Bcast", "/p/g.c:9", 4, seconds=400.0)]
    r = run("compare", saved(tmp_path, "a.json", figures(4, before, [])), saved(tmp_path, "b.json", figures(4, after, [])))
    rows = [line.split() for line in r.stdout.splitlines() if " at " in line and line.startswith("   ")]
    assert len(rows) == 10 and rows[0][:2] == ["+100", "s"] and rows[0][-1] == "new"
    assert rows[1][0] == "-20.0" and rows[1][-1] == "gone" and [row[-1] for row in rows[2:]] == [f"f{k}.c:1" for k in range(1, 9)]
    assert "\n  and 5 more\n" in r.stdout


def test_runs_of_a_program(tmp_path):
    """Two runs of one program, in the second of which rank 1 is late, are compared as table, JSON and page."""
    program = compiled(tmp_path)
    ran(tmp_path, program, 10, name="a")
    ran(tmp_path, program, 10, 1, 30, name="b")
    files = tmp_path / "a.json", tmp_path / "b.json"
    r = run("compare", *files)
    assert r.returncode == 0 and not r.stderr and "mostly for rank 1" in r.stdout.splitlines()[-1]
    r = run("compare", *files, "--json", "--html", tmp_path / "c.html")
    result = json.loads(r.stdout)
    kind, text = embedded(tmp_path / "c.html")
    assert kind == "compare" and json.loads(text) == result
    assert result["rows"][0]["function"] == "MPI_Barrier" and result["rows"][0]["after"]["mostly_for_rank"] == 1
    shown, found = show(tmp_path / "c.html", tmp_path)
    assert shown.look_at.lower() == result["look_at"].lower() + "." and found["fits"] and all(found["drawn"])
    assert sorted(row[2] for row in shown.tables["rows"][1:]) == sorted(row["more_seconds"] for row in result["rows"])
    labels = found["charts"]["chart-differences"]["labels"]
    assert labels[0].startswith("MPI_Barrier at rounds.c:") and len(labels) == len(result["rows"])


def test_file_of_unisono_mpi(tmp_path):
    """It has the calls alone: the job was another launcher's."""
    made = figures(4, sends("/p/a.c:1"), [])
    own = saved(tmp_path, "mpi.json", {"program": "./p", "calls": made["calls"]})
    r = run("compare", "--json", own, saved(tmp_path, "run.json", made))
    result = json.loads(r.stdout)
    assert r.returncode == 0 and places(result) == {("/p/a.c:1", "/p/a.c:1")} and result["rows"][0]["more_seconds"] == 0
    assert result["before"]["ranks"] == 4 and result["before"]["seconds"] == 8.0 and result["after"]["seconds"] == 8.5


def test_places_of_papers(tmp_path):
    """Programs of <papers.h> are compared by place, and their ranks are PEs."""
    for name, late in ("a", []), ("b", [2, 20000]):
        assert run("run", "-n", 3, f"--stats={tmp_path}/{name}.json", KNOWN, 10, *late).returncode == 0
    r = run("compare", tmp_path / "a.json", tmp_path / "b.json")
    assert r.returncode == 0 and re.search(r"p_reduceAdd at known.c:\d+.*mostly for PE 2", r.stdout.splitlines()[-1])


def test_runs_before_the_word_for_a_rank(tmp_path):
    """Files of earlier versions do not tell what a rank is called."""
    old = figures(2, sends("/a.c:1"), [])
    del old["calls"]["member"]
    r = run("compare", saved(tmp_path, "a.json", old), saved(tmp_path, "b.json", old))
    assert r.returncode == 0 and "2 ranks" in r.stdout


def operations(tmp_path, name, *arguments):
    """Save a run of known.c of which no calls were recorded, as of a static program."""
    path = tmp_path / f"{name}.json"
    assert run("run", "-n", 3, f"--stats={path}", KNOWN, *arguments).returncode == 0
    path.write_text(json.dumps(json.loads(path.read_text()) | {"calls": None}))
    return path


def test_operations(tmp_path):
    """Programs of <papers.h> whose calls were not recorded are compared by operation."""
    for name, late in ("a", []), ("b", [2, 20000]):
        operations(tmp_path, name, 10, *late)
    r = run("compare", tmp_path / "a.json", tmp_path / "b.json", "--html", tmp_path / "c.html")
    assert r.returncode == 0 and not r.stdout
    result = json.loads(embedded(tmp_path / "c.html")[1])
    assert result["placed"] is False and result["member"] == "PE" and result["rows"][0]["function"] == "p_reduceAdd"
    assert {row["function"]: row["after"]["calls"] for row in result["rows"]} == {"p_wait": 3, "p_reduceAdd": 30, "p_bcast": 30}
    shown, found = show(tmp_path / "c.html", tmp_path, width=500)
    assert len(shown.tables["rows"]) == 4 and found["fits"]
    r = run("compare", tmp_path / "a.json", tmp_path / "b.json")
    assert "p_reduceAdd takes each PE" in r.stdout.splitlines()[-1]
    assert run("compare", tmp_path / "b.json", tmp_path / "a.json").returncode == 0


OURS = "this is no file of --stats=FILE"


@pytest.mark.parametrize("text, says", [
    (None, "No such file or directory"), ("", f"{OURS}, nor JSON at all: line 1: "), ("<html>", f"{OURS}, nor JSON at all: line 1: "),
    ("[1]", OURS), ("{}", OURS), ('{"program": "p", "pes": 0, "operations": [], "pe": []}', OURS),
    ('{"program": "p", "pes": 2, "operations": 3, "pe": []}', OURS),
    ('{"program": "p", "pes": 2, "operations": [{}], "pe": [], "calls": null}', OURS),
    ('{"program": "p", "pes": 2, "operations": [], "pe": [], "calls": {}}', OURS),
    ('{"program": "p", "pes": 2, "operations": [], "pe": [], "calls": {"sites": [{"function": 1}]}}', OURS),
    ('{"program": "p", "pes": 2, "operations": [], "pe": [], "calls": {"sites": [3], "waits": 5}}', OURS),
    ('{"program": "p", "pes": 2, "operations": [], "pe": [], "calls": null}', "this run has neither a call of MPI nor an operation"),
])
@pytest.mark.parametrize("turned", [False, True])
def test_files_that_are_none_of_ours(tmp_path, text, says, turned):
    good, bad = saved(tmp_path, "good.json", figures(2, sends("/a.c:1"), [])), tmp_path / "bad.json"
    if text is not None:
        bad.write_text(text)
    r = run("compare", "--html", tmp_path / "c.html", *[bad, good][::-1 if turned else 1])
    assert (r.returncode, r.stdout, r.stderr.count("\n")) == (1, "", 1)
    assert r.stderr.startswith(f"unisono compare: {bad}: {says}") and not (tmp_path / "c.html").exists()


def test_runs_of_different_kinds(tmp_path):
    mpi, papers = saved(tmp_path, "mpi.json", figures(2, sends("/a.c:1"), [])), operations(tmp_path, "papers", 5)
    for files in (mpi, papers), (papers, mpi):
        r = run("compare", *files)
        assert (r.returncode, r.stdout) == (1, "")
        assert r.stderr == f"unisono compare: {mpi} has calls by their places, and {papers} only operations: they have nothing in common\n"


@pytest.mark.parametrize("arguments, says", [
    ([], "which two runs? Name the files of `unisono run --stats=FILE`, the older one first"),
    (["a"], "which two runs? Name the files of `unisono run --stats=FILE`, the older one first"),
    (["a", "b", "c"], "c: there are two files to compare, not more"), (["--jsn", "a", "b"], "unrecognized option '--jsn'; did you mean --json?"),
])
def test_command_line(arguments, says):
    r = run("compare", *arguments)
    assert (r.returncode, r.stdout) == (2, "") and r.stderr.startswith(f"unisono compare: {says}")


def test_page_that_cannot_be_written(tmp_path):
    made = saved(tmp_path, "a.json", figures(2, sends("/a.c:1"), []))
    r = run("compare", made, made, "--html", tmp_path / "nowhere/c.html")
    assert r.returncode == 2 and r.stderr.startswith("unisono compare: --html: ") and r.stderr.count("\n") == 1
