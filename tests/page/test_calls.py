"""The page of `unisono run --html` for a program of MPI: what a browser shows is what the JSON says, with few ranks
and many."""

import json

import pytest

from calls import compiled, figures, page, ran, site, wait
from pages import embedded, numbers, show

ROUNDS, LATE = 20, 2


@pytest.fixture(scope="module")
def late(tmp_path_factory):
    """A run of 4 ranks in which one comes late: (its folder, its figures)."""
    folder = tmp_path_factory.mktemp("late")
    return folder, ran(folder, compiled(folder), ROUNDS, LATE, 20)


def matrix(c, what):
    """Return what each rank sent to each other one."""
    made = [[0] * c["ranks"] for _ in range(c["ranks"])]
    for sender in c["rank"]:
        for to in sender["to"]:
            made[sender["rank"]][to["rank"]] = to[what]
    return made


def test_figures_are_those_of_the_json(late):
    folder, made = late
    kind, text = embedded(folder / "stats.html")
    assert kind == "stats" and json.loads(text) == made
    assert made["calls"]["ranks"] == 4 and matrix(made["calls"], "messages")[0] == [0, ROUNDS, 0, 0]


def test_run(late):
    """Each table and map shows the figures of a run in which rank 2 is late."""
    folder, made = late
    c = made["calls"]
    shown, found = show(folder / "stats.html", folder)
    assert shown.title == made["program"]
    assert shown.look_at.lower() == c["look_at"].lower() + "." and f"rank {LATE}" in c["look_at"]
    rows = shown.tables["sites"][1:]
    assert {tuple(row[:3]) for row in rows} == {(s["function"], s["place"], s["waited_seconds"]) for s in c["sites"]}
    barrier = next(row for row in rows if row[0] == "MPI_Barrier")
    assert barrier[4] == LATE and barrier[5] > 0.5 and barrier[6] == 4 * ROUNDS
    assert numbers(row[3:4] for row in shown.tables["waits"][1:]) == sorted(w["seconds"] for w in c["waits"])
    assert numbers(row[1:2] for row in shown.tables["waits"][1:]) == sorted(w["ranks"] for w in c["waits"])
    assert found["maps"]["heat-messages"] == matrix(c, "bytes") and matrix(c, "bytes")[3][0] == 1000 * ROUNDS
    assert found["charts"]["chart-waited-for"] == {"labels": [f"rank {k}" for k in range(4)], "series": [
        ["others waited for it", [r["waited_for_seconds"] for r in c["rank"]]]]}
    series = dict(found["charts"]["chart-time"]["series"])
    for k, r in enumerate(c["rank"]):
        assert sum(data[k] for data in series.values()) == pytest.approx(r["seconds"])
        assert series["waiting"][k] == r["waited_seconds"]
    sizes = found["charts"]["chart-sizes"]
    assert sizes == {"labels": ["512"], "series": [["messages", [4 * ROUNDS]]]}
    assert {row[0] for row in shown.tables["communicators"][1:]} == {m["name"] for m in c["communicators"]}
    assert found["drawn"] and all(found["drawn"])


def test_waiting_over_time(tmp_path):
    """Ranks whose moments have different lengths are put together in the longer ones."""
    made = figures(2, [site("MPI_Barrier", "/x/a.c:1", 2)], [])
    made["calls"]["rank"][0]["moments"] = {"seconds": 2.0, "inside": [2.0, 1.0, 0.0, 0.0], "waited": [1.0, 0.0, 0.0, 0.0]}
    made["calls"]["rank"][1]["moments"] = {"seconds": 1.0, "inside": [1.0, 1.0, 0.0, 1.0], "waited": [1.0, 0.0, 0.0, 1.0]}
    made["calls"]["rank"][1]["seconds"] = 4.0
    _, found = show(page(tmp_path, made), tmp_path)
    series = dict(found["charts"]["chart-moments"]["series"])
    assert series == {"in calls": [1.0, 0.5, 0.0, 0.0], "waiting": [0.5, 0.25, 0.0, 0.0]}
    assert found["maps"]["heat-moments"] == [[0.5, 0, 0, 0], [0.5, 0.5, 0, 0]]


def test_places(tmp_path):
    """Only as much of a path is shown as tells its file from the others; the whole is where the pointer rests."""
    places = ["/x/one/a.c:1", "/x/two/a.c:2", "/x/two/b.c:3", "work at /x/two/run.py:4", "solve of ./p", "more places than fit"]
    sites = [site("MPI_Send", place, 2) for place in places]
    steps = """
    for (const row of document.querySelectorAll("#sites tbody tr")) found.steps.push([row.cells[1].title, row.cells[1].textContent]);
    """
    shown, found = show(page(tmp_path, figures(2, sites, [])), tmp_path, steps)
    assert dict(found["steps"]) == dict(zip(places, ["one/a.c:1", "two/a.c:2", "b.c:3", "work at run.py:4", "solve of ./p",
                                                     "more places than fit"]))
    assert shown.title == "./many </script><b>" and "<b> is late" in shown.look_at  # markup is text


def test_mostly_for(tmp_path):
    """The rank for which a place waited longest, over all reasons and calls at which that came."""
    sites = [site("MPI_Recv", "/a.c:1", 4, seconds=9.0, waited=8.0), site("MPI_Send", "/a.c:2", 4)]
    waits = [wait(0, 3, 3.0, 1), wait(0, 1, 2.5, 1), wait(0, 1, 2.5)]
    made = figures(4, sites, waits)
    made["calls"]["other_waits"] = {"count": 7, "seconds": 0.8}
    steps = 'found.steps.push(document.body.textContent.includes("7 waits, 10.0 % of all waiting, found no room"));'
    shown, found = show(page(tmp_path, made), tmp_path, steps)
    assert found["steps"] == [True]
    assert sorted(shown.tables["sites"][1:], key=str)[0][4:6] == [1, 5.0 / 8.0]
    assert [row[-1] for row in shown.tables["waits"][1:]].count(None) == 1


@pytest.mark.parametrize("n", [256, 1000])
def test_many(tmp_path, n):
    """With many ranks: the bars of those that matter, and maps in blocks, which a click shows one by one."""
    sites = [site("MPI_Recv", f"/a.c:{k}", n, waited=1.0) for k in range(300)]
    made = figures(n, sites, [wait(k, k % n, 1.0 / (k + 1), 0) for k in range(300)])
    steps = """
    const canvas = document.getElementById("heat-messages"), box = canvas.getBoundingClientRect();
    const [senders, receivers] = [...canvas.closest(".card").querySelectorAll("select")].slice(1);
    canvas.dispatchEvent(new MouseEvent("click", {clientX: box.right - 3, clientY: box.top + 30}));
    found.steps.push(senders.value, receivers.value, map(canvas));
    """
    shown, found = show(page(tmp_path, made), tmp_path, steps)
    c = made["calls"]
    bars = found["charts"]["chart-waited-for"]
    most = sorted(c["rank"], key=lambda r: -r["waited_for_seconds"])[:32]
    assert bars["labels"] == [f"rank {r['rank']}" for r in most] + [f"{n - 32} others, mean"]
    mean = (sum(r["waited_for_seconds"] for r in c["rank"]) - sum(r["waited_for_seconds"] for r in most)) / (n - 32)
    assert bars["series"][0][1] == pytest.approx([r["waited_for_seconds"] for r in most] + [mean])
    assert len(shown.tables["ranks"]) == n + 1 and len(shown.tables["waits"]) == 1 + 100 and len(shown.tables["sites"]) == 301
    blocks, whole, size = found["maps"]["heat-messages"], matrix(c, "bytes"), -(-n // 64)
    assert len(blocks) == len(blocks[0]) == -(-n // size) <= 64
    for i, row in enumerate(blocks):
        for k, value in enumerate(row):
            assert value == sum(sum(line[size * k:size * (k + 1)]) for line in whole[size * i:size * (i + 1)])
    last = (n - 1) // 64 * 64
    assert found["steps"][:2] == ["0 to 63", f"{last} to {n - 1}"]
    assert found["steps"][2] == [line[last:] for line in whole[:64]]
    assert all(found["drawn"])


@pytest.mark.parametrize("n", [4, 256])
@pytest.mark.parametrize("width", [500, 1400])
def test_fits_the_window(tmp_path, n, width):
    """Nothing but the tables, each in its own box, is wider than the window."""
    sites = [site("MPI_Reduce_scatter_block", f"/a/long/folder/with-a-long-name/and-a-long-file-name.c:{k}", n, waited=1.0) for k in range(3)]
    _, found = show(page(tmp_path, figures(n, sites, [wait(k, k, 1.0, 0) for k in range(3)])), tmp_path, width=width)
    assert found["fits"]


def test_nothing_sent(tmp_path):
    """A program that only calls collectives has no messages to show."""
    made = figures(4, [site("MPI_Barrier", "/a.c:1", 4)], [])
    for r in made["calls"]["rank"]:
        r.update(to=[], sizes=[])
    shown, found = show(page(tmp_path, made), tmp_path)
    assert "heat-messages" not in found["maps"] and "chart-sizes" not in found["charts"] and "waits" not in shown.tables
