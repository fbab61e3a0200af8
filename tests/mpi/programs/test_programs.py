"""script/mpi-programs: the text that it takes for a program's answer, and the answers that count as different."""

import json
import os
import sys
from types import SimpleNamespace

sys.path[:0] = [os.environ[name] for name in ("PROGRAMS", "SUITES", "BENCH_MPI")]
import answers  # noqa: E402
import fill  # noqa: E402
import main  # noqa: E402
import packages  # noqa: E402
import programs  # noqa: E402
import table  # noqa: E402
from hosts import HOSTS, Missing  # noqa: E402

OSU = """
# OSU MPI Allreduce Latency Test v7.4
# Size       Avg Latency(us)        Validation
1                       2.65              Pass
2                       0.41              %s
"""
IMB = """# Benchmarking Allreduce
# #processes = 2
#       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects
             0           10         0.02         0.02         0.02         0.00
             4           %d         0.40         0.40         0.40         %s
# Benchmarking Barrier
# #processes = 2
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
           10         0.20         0.20         0.20
"""
HPCG = """Global Problem Dimensions::Global nx=32
DDOT Timing Variations::Min DDOT MPI_Allreduce time=%s
Reproducibility Information::Scaled residual mean=%s
Final Summary::HPCG result is VALID with a GFLOP/s rating of=%s
"""


def test_answers_are_without_times():
    assert answers.osu(OSU % "Pass") == "1 Pass\n2 Pass"
    assert answers.osu("# Avg Latency(us)\n    0.29\n") == answers.osu("# Overall(us)\n   1.46   1.19   0.81   29.03\n") == "once measured"
    assert answers.imb(IMB % (10, "0.00")) == answers.imb(IMB % (9, "0.00")) != answers.imb(IMB % (10, "1.00"))
    assert answers.imb(IMB % (10, "0.00")).splitlines()[-3:] == ["Barrier", "2 ranks", "measured"]
    assert answers.hpcg(HPCG % (0.1, "0.05", 1)) == answers.hpcg(HPCG % (0.2, "0.05", 3)) != answers.hpcg(HPCG % (0.1, "0.06", 1))
    assert "VALID" in answers.hpcg(HPCG % (1, 2, 3)).splitlines()
    assert answers.fftw("ofc360 4e-16 5e-16 6e-16\nobc8 1e-16 0.5 1e-16\n") == "ofc360 right\nobc8 ['1e-16', '0.5', '1e-16']"


class Shell:
    """A host whose programs are shell scripts."""

    key = name = "shell"

    def check(self):
        pass

    def accelerator(self):
        return "accelerator"

    def launch(self, _ranks, words, preload, _environment, _folder, _seconds, library):
        script = words[0].split("|")
        text = script[2 if library else 1 if preload else 0]
        if text == "fails":
            raise RuntimeError("exit status 1")
        return text


def run(monkeypatch, script):
    case = table.Case("shell", "case", 2, [script], answers.whole)
    monkeypatch.setitem(main.PROGRAMS, "shell", (lambda *_: [case], "a script"))
    options = SimpleNamespace(sides=main.SIDES, only=None, limit=9)
    return main.run_program("shell", Shell(), options)[0][0]


def test_another_answer_is_wrong(monkeypatch):
    assert not main.is_wrong(run(monkeypatch, "residual 1.0|residual 1.0|residual 1.0000000001"))
    assert main.is_wrong(run(monkeypatch, "residual 1.0|residual 1.0|residual 1.1"))
    assert main.is_wrong(run(monkeypatch, "residual 1.0|residual 1.1|residual 1.0"))
    assert main.is_wrong(run(monkeypatch, "residual 1.0|residual 1.0|residual 1.0 residual 1.0"))
    assert main.is_wrong(run(monkeypatch, "1|1|fails")) and main.is_wrong(run(monkeypatch, "1|1|"))
    assert not main.is_wrong(run(monkeypatch, "fails|fails|fails"))


def test_what_cannot_be_had_is_skipped_with_its_reason(monkeypatch, capsys):
    def none(*_):
        raise Missing("it is nowhere")
    monkeypatch.setitem(main.PROGRAMS, "none", (none, "nothing"))
    assert main.run_program("none", Shell(), SimpleNamespace(sides=main.SIDES, only=None)) == ([], "it is nowhere")
    assert capsys.readouterr().out == "skipped: none, shell: it is nowhere\n"


def test_a_package_has_the_lines_that_its_row_names():
    package = packages.Package("p", "a sum", "sum", answer=(r"(energy) = (\S+) after", r"(PASSED)"))
    output = "energy = 1.5 after 3 s\ntook 9 s\n it has PASSED\n"
    assert packages.lines(package)(output) == "energy 1.5\nPASSED"
    package.ordered = False
    assert packages.lines(package)(output) == "PASSED\nenergy 1.5"


def test_a_package_is_made_once_and_runs_where_its_files_are(monkeypatch, tmp_path):
    monkeypatch.setattr(programs, "WORK", tmp_path)
    monkeypatch.setattr(packages, "check_installed", lambda package: None)
    package = packages.Package("p", "a file", "write {}", ("one", "two"), make="echo made >>input", after="cat input", ranks=(2,))
    monkeypatch.setitem(packages.PACKAGES, "p", package)
    for _ in range(2):
        cases = list(packages.cases("p")(SimpleNamespace(ranks=None), Shell()))
    assert [(case.name, case.words[-1]) for case in cases] == [("one", "write one"), ("two", "write two")]
    assert (cases[0].folder / "input").read_text() == "made\n"
    monkeypatch.setattr(Shell, "launch", lambda *_: "wrote\n")
    row, said = main.compare(cases[0], Shell(), SimpleNamespace(sides=main.SIDES, limit=9))
    assert (row["alone"], row["library"], "accelerated" in row, said) == ("answers", "same", False, [])
    assert main.answer(cases[0], Shell(), "library", 9)[0] == "wrote\nmade"


def test_a_package_that_is_not_installed_is_skipped_with_its_name(monkeypatch):
    def none(*_):
        raise Missing("no packages found")
    monkeypatch.setattr(packages, "command", none)
    rows, why = main.run_program("h5py", Shell(), SimpleNamespace(sides=main.SIDES, only=None, ranks=None))
    assert not rows and "python3-h5py-mpi is not installed" in why


def test_the_table_of_packages_counts_answers_and_adds_up_seconds(monkeypatch):
    monkeypatch.setattr(packages, "PACKAGES", {name: packages.Package(name, "a sum", "sum") for name in ("p", "q", "r")})
    times = {"alone": 2.0, "library": 0.5}
    rows = [{"program": "p", "ranks": 2, "alone": "answers", "library": "same", "seconds": times},
            {"program": "p", "ranks": 2, "alone": "answers", "library": "another", "seconds": times},
            {"program": "q", "ranks": 4, "alone": "none", "library": "same", "seconds": {"library": 0.5}}]
    lines = packages.table({"skipped": {"r openmpi-4": "it is nowhere"}, "rows": rows}).splitlines()[2:]
    assert lines == ["| p | a sum | 1 of 2 | 4.0 | 1.0 | - | - |", "| q | a sum | no answer under its own library, one here | - | - | - | - |",
                     "| r | a sum | it is nowhere | - | - | - | - |"]


def test_the_other_packages_are_no_libraries_and_have_no_row(monkeypatch):
    said = {"rdepends": "libopenmpi3\n  tool\n  libtool1\n  h5\n", "dumpavail": "".join(
        f"Package: {name}\nSize: 3\nSection: {kind}\n\n" for name, kind in
        (("tool", "science"), ("libtool1", "libs"), ("h5", "python"), ("no", "math")))}
    monkeypatch.setattr(packages, "command", lambda _, what, *__: said[what])
    monkeypatch.setattr(packages, "PACKAGES", {"h5": packages.Package("h5", "", "")})
    assert packages.others.__wrapped__() == ["tool"]


def test_the_names_of_packages_are_no_other_programs():
    assert not set(packages.PACKAGES) & set(table.PROGRAMS)


def test_the_documentation_says_what_was_run():
    results = json.loads((main.ROOT / "bench/results/epyc-2/mpi-programs.json").read_text())
    text = (main.ROOT / "docs/mpi-library.md").read_text()
    assert fill.filled(text, {"programs": main.table(results)}) == text
    of_packages = json.loads((main.ROOT / "bench/results/epyc-2/mpi-packages.json").read_text())
    assert fill.filled(text, main.tables(of_packages)) == text
    results["rows"] = [row for row in results["rows"] if row["host"] != HOSTS[0].key]
    assert fill.filled(text, {"programs": main.table(results)}) != text
