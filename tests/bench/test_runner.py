"""The runner of bench/: turns, the computed figures, and its file; documents and pictures are those of
bench/results."""

import argparse
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]
BENCH, RESULTS = SOURCE / "bench", SOURCE / "bench/results"
sys.path[:0] = [str(BENCH), str(BENCH / "mpi")]
import keep  # noqa: E402
import runner  # noqa: E402


def test_every_side_has_its_turn_in_every_round_and_each_is_first():
    order = []
    sides = {name: lambda name=name: order.append(name) or {"a": 1, "b": 2, "c": 3}[name] for name in "abc"}
    samples = runner.turns({**sides, "absent": lambda: None}, 4)
    assert samples == {"a": [1] * 4, "b": [2] * 4, "c": [3] * 4} and list(samples) == list("abc")
    assert "".join(order) == "abc" "bca" "cab" "abc"


def test_a_sample_of_several_figures_is_taken_apart():
    assert runner.by_names({"x": [1, 2]}) == {"seconds": {"x": [1, 2]}}
    samples = {"x": [{"each": [1, 2], "both": 3}, {"each": [4, 5], "both": 6}], "y": [{"both": 7}]}
    assert runner.by_names(samples) == {"each": {"x": [1, 2, 4, 5]}, "both": {"x": [3, 6], "y": [7]}}


def test_what_follows():
    seconds = {"own": [1, 2, 4], "a": [3, 4, 8], "b": [2, 6, 4]}
    assert runner.ratios(seconds, "own", "a", "b") == [2, 2, 1]
    assert runner.cell([1e-6, 3e-6, 2e-6], digits=1) == "2.0 (1.0-3.0)"
    assert [runner.quantile(range(100, 0, -1), part) for part in (0, 0.5, 0.99, 1)] == [1, 51, 100, 100]


class Counting:
    """A side whose samples are 1, 2, 3, ... s."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return float(self.count)


def sketch(**more):
    def cases(options):
        for size in (1, 2):
            yield {"size": size}, {"own": Counting(), "other": lambda: 4.0}

    def show(rows):
        yield "seconds", ["own"], [(f"size {row['size']}", {"own": runner.cell(row["seconds"]["own"], 1, 0)}) for row in rows]

    return {"sketch": runner.Benchmark("A sketch.", cases, show, docs=lambda rows: {"sketch": str(len(rows))}, rounds=2, **more),
            "part": runner.Benchmark("A part.", lambda options: [], show)}


def test_figures_are_shown_written_and_shown_again(tmp_path, capsys):
    file, page = tmp_path / "r.json", tmp_path / "page.md"
    page.write_text("<!-- sketch -->\n?\n<!-- end -->\n")
    runner.main("sketch", sketch(), ["--json", str(file), "--docs", str(page)])
    shown = capsys.readouterr().out
    assert shown == "\nseconds\n\n            own\nsize 1  2 (1-2)\nsize 2  2 (1-2)\n"
    assert page.read_text() == "<!-- sketch -->\n2\n<!-- end -->\n"
    figures = json.loads(file.read_text())
    assert figures["rounds"] == 2 and figures["machine"] == runner.machine()
    assert figures["rows"][0] == {"size": 1, "seconds": {"own": [1, 2], "other": [4, 4]}}
    assert file.read_text().count("\n") == 6
    runner.main("sketch", sketch(), ["--from", str(file)])
    assert capsys.readouterr().out == shown
    with pytest.raises(SystemExit, match="nothing to measure"):
        runner.main("sketch", sketch(), ["part"])
    with pytest.raises(SystemExit):
        runner.main("sketch", sketch(), ["--rounds", "0"])
    assert "--rounds is at least 1" in capsys.readouterr().err


def test_what_a_file_has_is_kept(tmp_path):
    file = tmp_path / "r.json"
    joined = {"keep": lambda before, row: {**row, "seconds": {"own": (before or row)["seconds"]["own"] + row["seconds"]["own"]}},
              "arrange": lambda rows: sorted(rows, key=lambda row: -row["size"])}
    runner.main("sketch", sketch(**joined), ["--json", str(file), "--rounds", "1"])
    first = json.loads(file.read_text())
    file.write_text(runner.text(**{**first, "rows": [*first["rows"], {"size": 3, "seconds": {"own": [9.0]}}]}))
    runner.main("sketch", sketch(**joined), ["--json", str(file), "--rounds", "1"])
    rows = json.loads(file.read_text())["rows"]
    assert [(row["size"], row["seconds"]["own"]) for row in rows] == [(3, [9]), (2, [1, 1, 1]), (1, [1, 1, 1])]


def test_the_file_has_each_case_as_soon_as_it_is_measured(tmp_path):
    file, seen = tmp_path / "r.json", []

    def cases(options):
        for size in range(4):
            yield {"size": size}, {"own": lambda: seen.append(json.loads(file.read_text())["rows"] if file.exists() else []) or 1.0}

    part = {"sketch": runner.Benchmark("A sketch.", cases, lambda rows: [], rounds=1)}
    runner.main("sketch", part, ["--json", str(file), "--cases", "3"])
    assert [len(rows) for rows in seen] == [0, 1, 2] and len(json.loads(file.read_text())["rows"]) == 3


def test_what_seems_low_is_measured_again():
    asked = []
    benchmark = sketch(again=3, is_low=lambda rows: asked.append(rows) or len(asked) < 3)["sketch"]
    rows = runner.measure(benchmark, {}, {"own": Counting()}, 2)
    assert rows == [{"seconds": {"own": [1, 2, 3, 4, 5, 6]}}] and len(asked) == 3
    rows = runner.measure(sketch(again=1, is_low=lambda rows: True)["sketch"], {}, {"own": Counting()}, 2)
    assert rows == [{"seconds": {"own": [1, 2, 3, 4]}}]


def test_a_program_that_fails_ends_the_run_with_what_it_said():
    assert runner.launch(["sh", "-c", "echo $WORD"], {"WORD": "yes"}) == "yes\n"
    with pytest.raises(SystemExit, match="exit status 3\nout\nerr"):
        runner.launch(["sh", "-c", "echo out; echo err >&2; exit 3"])


# ---- answers that are wrong


def part_of(name, module):
    """A module of bench/NAME, beside those of other benchmarks that have its name too."""
    spec = importlib.util.spec_from_file_location(f"{name}_{module}", BENCH / name / f"{module}.py")
    found = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(BENCH / name))
    try:
        spec.loader.exec_module(found)
    finally:
        sys.path.remove(str(BENCH / name))
    return found


def test_solvers_that_do_not_agree_end_the_run():
    def rows(residual):
        of_all = {"seconds": 2.0, "switches": 1, "residual": 0.5}
        return mesh.rows({}, {mesh.ALONE: [{**of_all, "residual": 9.0}], mesh.FLOOR: [{"seconds": 1}], "unisono": [of_all],
                              "openmpi": [{**of_all, "residual": residual}], "mpich": [{**of_all, "residual": 7.0}]})

    mesh = part_of("library", "mesh")
    assert rows(0.5)[0][mesh.FLOOR] == [3.0] and set(rows(0.5)[0]["switches"]) == {"unisono", "openmpi", "mpich"}
    with pytest.raises(SystemExit, match="do not agree"):
        rows(0.50001)


def test_a_piece_of_a_file_that_is_wrong_ends_the_run(tmp_path):
    files, file = part_of("files", "benchmark"), tmp_path / "file"
    pieces = [number.to_bytes(8, sys.byteorder) * 2 for number in range(6)]
    file.write_bytes(b"".join(pieces))
    files.check(file, 2, 16, 3)
    for wrong, complaint in ((pieces[:5], "has 80 bytes"), ([*pieces[:5], pieces[0]], "piece 5 of")):
        file.write_bytes(b"".join(wrong))
        with pytest.raises(SystemExit, match=complaint):
            files.check(file, 2, 16, 3)


def test_one_of_two_jobs_that_fails_ends_the_run():
    gang = part_of("gang", "benchmark")
    programs = [["echo", "1.5"], ["sh", "-c", "echo 2.5; exit 1"]]
    gang.start = lambda *_: subprocess.Popen(programs[0], stdout=subprocess.PIPE, text=True)
    assert gang.run(4, 0, [], 2)["each"] == [1.5, 1.5]
    gang.start = lambda *_: subprocess.Popen(programs.pop(), stdout=subprocess.PIPE, text=True)
    with pytest.raises(SystemExit, match="a job has failed"):
        gang.run(4, 0, [], 2)


def test_packets_that_do_not_come_as_they_were_sent_are_told():
    sizes = part_of("chip", "sizes")
    number = sizes.numbers(32)
    sent = {source: list(sizes.packets(source, 0, 40, sizes.BASE, number)) for source in (1, 2)}
    came = [(0, word) for packet in (sent[1][0], sent[2][0], sent[1][1], sent[2][1]) for word in packet]
    sizes.check(came, sent, sizes.BASE)
    for wrong in (came[:-1], came[1:], came[32:64] + came[64:] + came[:32], [*came[:5], came[6], came[5], *came[7:]], came + came[:32],
                  [(1, word) for _, word in came]):
        with pytest.raises(sizes.Wrong):
            sizes.check(wrong, sent, sizes.BASE)


class Saying:
    """A host whose programs say this, on their output or into HPCC's file."""

    key = abi = "openmpi"

    def __init__(self, text):
        self.text = text

    def check(self):
        pass

    def launch(self, ranks, program, folder=None, **_):
        if folder:
            Path(folder, "hpccoutf.txt").write_text(self.text)
        return self.text


HPCC = "HPL_time=1.5\nMPIRandomAccess_time=2.5\nSuccess=1\n"
AMG = "Final Relative Residual Norm = 1e-10\nCum. No. of Iterations = 30\nGMRES Solve:\n  wall clock time = 3.5 seconds\n"


@pytest.mark.parametrize("program, right, seconds, wrong", [
    ("hpcc", HPCC, [1.5, 2.5], [HPCC.replace("Success=1", "Success=0"), HPCC + "PTRANS ... FAILED\n", HPCC.replace("Success=1", "")]),
    ("amg", AMG, [3.5], [AMG.replace("1e-10", "1e-8"), AMG.replace("= 30", "= 5"), AMG.replace("GMRES", "none")])])
def test_a_program_of_others_with_a_wrong_answer_ends_the_run(program, right, seconds, wrong, tmp_path):
    polling = part_of("library", "polling")
    (tmp_path / "openmpi").mkdir()
    (tmp_path / "openmpi/amg").touch(0o755)

    def sample(text):
        _, run, _ = getattr(polling, program)(argparse.Namespace(amg=tmp_path), Saying(text))
        return polling.sample(lambda: run(True), False)

    assert sample(right) == seconds
    for text in wrong:
        with pytest.raises(SystemExit, match="bench-library: "):
            sample(text)


# ---- documents and pictures


@pytest.mark.parametrize("words, file, page", [
    *((["library", part], f"epyc-2/{file}", "mpi-library") for part, file in (
        ("messages", "mpi-library"), ("mesh", "mpi-mesh"), ("ring", "mpi-ring"), ("polling", "mpi-polling"), ("osu", "mpi-library-osu"),
        ("start", "mpi-start"), ("threads", "mpi-library-threads"))),
    (["chip", "units"], "epyc-2/chip-units", "chip"), (["chip", "sizes"], "epyc-2/chip-sizes", "chip"),
    (["files"], "xeon-2/files", "files"), (["gang"], "xeon-2/gang", "gang"), (["sort"], "xeon-2/sort", "exchange")])
def test_the_documentation_says_what_was_measured(words, file, page, tmp_path):
    def filled(source):
        copy = tmp_path / "page.md"
        copy.write_text(text)
        subprocess.run([sys.executable, "-B", BENCH / "bench.py", *words, "--from", source, "--docs", copy], check=True,
                       stdout=subprocess.DEVNULL)
        return copy.read_text()

    text = (SOURCE / f"docs/{page}.md").read_text()
    assert filled(RESULTS / f"{file}.json") == text
    figures = json.loads((RESULTS / f"{file}.json").read_text())
    (tmp_path / "less.json").write_text(json.dumps({**figures, "rows": figures["rows"][1:]}))
    assert filled(tmp_path / "less.json") != text


def test_the_page_of_the_chip_says_what_was_measured(tmp_path):
    def filled(source):
        copy = tmp_path / "page.md"
        copy.write_text(text)
        subprocess.run([sys.executable, "-B", SOURCE / "script/bench-mesh", "--from", source, "--docs", copy], check=True)
        return copy.read_text()

    text, figures = (SOURCE / "docs/chip.md").read_text(), json.loads((RESULTS / "epyc-2/mesh.json").read_text())
    assert filled(RESULTS / "epyc-2/mesh.json") == text and runner.text(**figures) == (RESULTS / "epyc-2/mesh.json").read_text()
    for row in figures["rows"][0], figures["rows"][-1], figures["limits"][0]:
        changed = tmp_path / "changed.json"
        other = {**row, "clocks": {"hand": 1, "mpi": 2}} if "clocks" in row else {**row, "held": not row["held"]}
        changed.write_text(json.dumps({key: [other if one == row else one for one in value] if isinstance(value, list) else value
                                       for key, value in figures.items()}))
        assert filled(changed) != text


@pytest.mark.parametrize("words, file", [(["sort"], "epyc-2/sort"), (["sort", "growth"], "xeon-2/sort-growth")])
def test_other_figures_can_be_shown(words, file):
    shown = subprocess.run([sys.executable, "-B", BENCH / "bench.py", *words, "--from", RESULTS / f"{file}.json"], check=True,
                           capture_output=True, text=True).stdout
    rows = json.loads((RESULTS / f"{file}.json").read_text())["rows"]
    assert shown.count("\n") >= len(rows) + 3


@pytest.mark.parametrize("file", ["xeon-2/exchange", "xeon-2/model", "epyc-2/mpi-layers"])
def test_a_kept_file_has_no_more_than_is_told(file):
    text = (RESULTS / f"{file}.json").read_text()
    assert runner.text(**keep.kept(json.loads(text))) == text


def test_what_no_page_tells_is_left_out():
    row = {"type": "", "pes": 2, "label": "x", "bytes": 8, "equivalent": False, "batches": 1,
           "nanoseconds": {"minimum": 1, "octile": 2, "median": 3}}
    told = [("ring", "mpich"), ("permuteRandom", "unisono"), ("jacobi", "unisono-mpi"), ("piFirst", "bare")]
    untold = [("shift", "schedules"), ("allToAllOwn", "unisono"), ("jacobi", "mpich"), ("sobelFirst", "bare")]
    figures = keep.kept({"date": "today", "limits": [], "results": [{**row, "operation": op, "side": side} for op, side in told + untold]})
    assert [(row["operation"], row["side"]) for row in figures["results"]] == told
    assert figures["results"][0]["nanoseconds"] == {"octile": 2, "median": 3} and figures["date"] == "today"


@pytest.mark.skipif(not importlib.util.find_spec("matplotlib"), reason="there is no matplotlib")
@pytest.mark.parametrize("file, program", [("xeon-2/exchange", "driver/plot_exchange.py"), ("epyc-2/mpi-layers", "driver/plot_mpi.py"),
                                           ("xeon-2/sort-growth", "sort/plot_growth.py"), ("epyc-2/mesh", "driver/plot_mesh.py")])
def test_a_picture_needs_no_more(file, program, tmp_path):
    with open(RESULTS / f"{file}.json") as figures:
        subprocess.run([sys.executable, "-B", BENCH / program, tmp_path / "p.png"], stdin=figures, check=True,
                       env={"PYTHONPATH": str(SOURCE / "src/cli")})
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
