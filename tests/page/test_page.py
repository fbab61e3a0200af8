"""--html of `unisono run`, `mpi` and `bench`: the figures in the page are those of the JSON, and a browser shows
them."""

import copy
import json
import os
import re
import shutil
import subprocess

import pytest

from command import MPICH, Place
from launcher import UNISONO, program, run
from pages import embedded, numbers, show

KNOWN, SHARE = os.environ["UNISONO_KNOWN"], os.environ["UNISONO_SHARE"]

PROFILE = {
    "format": 1, "unisono": "0.1.0", "build": "mpich", "library": "MPICH Version: 5.0.2",
    "program": "./p </script><b>&amp;", "ranks": 2, "nodes": 1, "pretended_nodes": False, "fast_math": False,
    "off": None, "check": None, "rank": [{"rank": k, "node": 0, "seconds": 2.0, "inside": 0.5 + k} for k in range(2)],
    "collectives": [
        {"name": "MPI_Barrier", "type": "", "bytes": 0, "ranks": 2, "operations": 30, "accelerated": 5, "calls": 60,
         "seconds": 0.06, "accelerated_seconds": 0.0},
        {"name": "MPI_Allreduce", "type": "MPI_DOUBLE", "bytes": 8, "ranks": 2, "operations": 1234, "accelerated": 30,
         "calls": 2468, "seconds": 0.6, "accelerated_seconds": 0.5}],
    "point_to_point": [{"name": "MPI_Send", "type": "MPI_BYTE", "bytes": 1048576, "calls": 7, "seconds": 0.001}],
}


def profiled(folder, profile, *options):
    """unisono mpi with a job of which rank 0 leaves this profile."""
    place = Place(folder)
    shutil.copytree(SHARE, folder / "installed/share/unisono")
    (folder / "left.json").write_text(json.dumps(profile))
    job = place.launcher(MPICH, f'cat {folder}/left.json >"$UNISONO_MPI_PROFILE"')
    return place.run(*options, job)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of each kind, with the JSON of the same run: {kind: (path of the page, text of the JSON)}."""
    folder = tmp_path_factory.mktemp("pages")
    # as a program of which no calls can be recorded
    unrecorded = ["sh", "-c", f"unset UNISONO_MPI_OBSERVE; exec {KNOWN} 20"]
    done = [run("run", "-n", 3, f"--stats={folder}/stats.json", "--html", folder / "stats.html", *unrecorded),
            profiled(folder, PROFILE, "--profile=profile.json", "--html", "profile.html"),
            run("bench", "--op", "wait,reduceAdd", "--type", "64,d", "-n", "2", "--peers", "none", "--seconds", "1",
                "--repetitions", "1", "--json", folder / "bench.json", "--html", folder / "bench.html")]
    for r in done:
        assert r.returncode == 0 and not r.stderr, r
    return {kind: (folder / f"{kind}.html", (folder / f"{kind}.json").read_text())
            for kind in ("stats", "profile", "bench")}


KINDS = ["stats", "profile", "bench"]


@pytest.mark.parametrize("kind", KINDS)
def test_figures(pages, kind):
    page, text = pages[kind]
    held, figures = embedded(page)
    assert held == kind and figures.replace("\\u003c", "<") == text.rstrip("\n")
    assert json.loads(figures) == json.loads(text)


@pytest.mark.parametrize("kind", KINDS)
def test_page_needs_nothing_else(pages, kind):
    page = pages[kind][0].read_text()
    assert "default-src 'none'" in page
    assert not re.search(r"<(script|link|img|iframe)\b[^>]*\b(src|href)=|@import|url\(", page.split("<script")[0])
    assert page.count("<script") == 3 and page.count("</script>") == 3
    assert "Chart.js v3" in page or "Chart.js" not in page


def test_run_alone(tmp_path):
    r = run("run", "-n", 2, "--html", tmp_path / "a.html", KNOWN, 5)
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    assert json.loads(embedded(tmp_path / "a.html")[1])["all"]["count"] == 2 * (1 + 2 * 5)
    assert os.listdir(tmp_path) == ["a.html"]


def test_mpi_alone(tmp_path):
    r = profiled(tmp_path, PROFILE, "--html", "a.html")
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")
    expected = copy.deepcopy(PROFILE)
    for row in expected["collectives"]:
        row["saved_seconds"] = None
    assert json.loads(embedded(tmp_path / "a.html")[1]) == expected


@pytest.mark.parametrize("command", [("run", "-n", "1"), ("mpi",), ("bench",)])
@pytest.mark.parametrize("where, why", [("nowhere/x.html", "cannot create it: No such file or directory"),
                                        ("", "cannot create it: No such file or directory"),
                                        (".", "not a file that could be replaced")])
def test_path_that_cannot_be_written(tmp_path, command, where, why):
    """Said before anything runs."""
    place = Place(tmp_path)
    shutil.copytree(SHARE, tmp_path / "installed/share/unisono")
    job = [place.launcher(MPICH, f"touch {tmp_path}/ran")] if command[0] != "bench" else []
    unisono = place.unisono if command[0] == "mpi" else UNISONO
    r = subprocess.run([unisono, *command, "--html", where, *job], cwd=tmp_path, env=place.environment, text=True,
                       capture_output=True, timeout=60)
    assert r.returncode == 2 and not r.stdout
    assert r.stderr == f"unisono {command[0]}: --html: {where}: {why}\n"
    assert not (tmp_path / "ran").exists()


def test_page_that_was_there(tmp_path):
    """The old page stays until the new one is whole."""
    page = tmp_path / "a.html"
    page.write_text("before")
    seen = tmp_path / "seen"
    r = run("run", "-n", 1, "--html", page, "sh", "-c", f"cp {page} {seen}")
    assert r.returncode == 0 and seen.read_text() == "before"
    assert embedded(page)[0] == "stats" and sorted(os.listdir(tmp_path)) == ["a.html", "seen"]


def test_job_that_fails(tmp_path):
    """The page of a failed job shows the figures that there are; the exit status stays that of the job."""
    r = run("run", "-n", 2, "--html", tmp_path / "a.html", program("endings"), "exit", 7)
    assert r.returncode != 0 and json.loads(embedded(tmp_path / "a.html")[1])["pes"] == 2


def test_installation_without_the_page(tmp_path):
    place = Place(tmp_path)
    r = place.run("--html", "a.html", place.launcher(MPICH, "exit 0"))
    assert r.returncode == 2 and re.fullmatch(r"unisono mpi: --html: cannot read \S*report.html: .*\n", r.stderr)
    assert not (tmp_path / "a.html").exists()


# ---- in a browser -------------------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def browser(pages, tmp_path_factory):
    """Return a function that shows each page at a width: {kind: (the page as Shown, what LOOK found)}."""
    folder = tmp_path_factory.mktemp("browser")
    return lambda width: {kind: show(page, folder, width=width) for kind, (page, _) in pages.items()}


@pytest.fixture(scope="module")
def shown(browser, pages):
    """Return each page as a desk shows it: {kind: (its tables, its title, what LOOK found, the JSON)}."""
    return {kind: (page.tables, page.title, found, json.loads(pages[kind][1])) for kind, (page, found) in browser(1400).items()}


def test_browser_narrow(browser, shown):
    """On a telephone nothing but tables is wider than the page, and a chart names each operation, in a row of its
    own."""
    pages = {kind: found for kind, (_, found) in browser(500).items()}
    assert all(found["fits"] for found in pages.values())
    assert pages["bench"]["axes"]["chart-operations"] == "y" and shown["bench"][2]["axes"]["chart-operations"] == "x"


def test_browser_stats(shown):
    tables, title, found, figures = shown["stats"]
    assert title == figures["program"]
    pes = [[pe[k] for k in ("pe", "run_seconds", "operations", "waiting_seconds", "waiting_share", "waited_for_seconds")]
           for pe in figures["pe"]]
    assert numbers(tables["pe"][1:]) == numbers(pes)
    operations = [[o[k] for k in ("count", "unfinished", "seconds", "mean_seconds")] for o in figures["operations"]]
    assert numbers(tables["operations"][1:]) == numbers(operations)
    assert found["charts"]["chart-waited-for"] == {
        "labels": ["PE 0", "PE 1", "PE 2"],
        "series": [["others waited for it", [pe["waited_for_seconds"] for pe in figures["pe"]]]]}


def test_browser_recorded_calls_of_pes(tmp_path):
    """Their places as for MPI, in the words for PEs, and their operations."""
    r = run("run", "-n", 3, f"--stats={tmp_path}/stats.json", "--html", tmp_path / "stats.html", KNOWN, 20)
    assert (r.returncode, r.stderr) == (0, "")
    figures = json.loads((tmp_path / "stats.json").read_text())
    for width in 1400, 500:
        shown, found = show(tmp_path / "stats.html", tmp_path, width=width)
        assert len(shown.tables["sites"]) == 1 + len(figures["calls"]["sites"])
        assert len(shown.tables["operations"]) == 1 + len(figures["operations"])
        assert found["charts"]["chart-waited-for"]["labels"] == ["PE 0", "PE 1", "PE 2"] and found["fits"]


def test_browser_profile(shown):
    tables, title, found, figures = shown["profile"]
    assert title == PROFILE["program"]  # markup in a name is text
    rows = {row[0]: row for row in tables["collectives"][1:]}
    assert rows["MPI_Allreduce"] == ["MPI_Allreduce", "MPI_DOUBLE", 8, 2, 1234, 30, 2468, 0.6, 0.6 / 2468, None]
    assert [row[3] for row in tables["ranks"][1:]] == [0.5, 1.5] and tables["messages"][1][3] == 7
    assert found["charts"]["chart-operations"] == {
        "labels": ["MPI_Allreduce", "MPI_Barrier"],
        "series": [["accelerated", [30, 5]], ["by the MPI library", [1204, 25]]]}


def test_browser_bench(shown):
    tables, _, found, figures = shown["bench"]
    quantiles = ("minimum", "octile", "median", "p99")
    assert numbers(row[3:7] for row in tables["results"][1:]) == \
        numbers([r["nanoseconds"][q] for q in quantiles] for r in figures["results"])
    printed = [[cell["microseconds"] and cell["microseconds"] / 1e6, cell["text"]]
               for paper in figures["tables"] for row in paper["rows"] for cell in row["cells"]]
    assert sorted(map(str, printed)) == sorted(str(row[2:4]) for row in tables["paper"][1:])
    chart = found["charts"]["chart-operations"]
    of = {r["operation"]: r["nanoseconds"]["octile"] for r in figures["results"]
          if r["side"] == "unisono" and r["type"] in ("", "64")}
    assert dict(zip(chart["labels"], chart["series"][0][1])) == of and len(of) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_browser_tables_sort_and_charts_are_drawn(shown, kind):
    _, _, found, _ = shown[kind]
    assert found["drawn"] and all(found["drawn"])
    for before, once, twice in found["sorted"].values():
        text = isinstance(before[0], str)  # in the order of a dictionary; figures with the greatest first
        first = sorted(map(str.casefold, before) if text else before, reverse=not text)
        assert [list(map(str.casefold, column)) if text else column for column in (once, twice)] == [first, first[::-1]]
