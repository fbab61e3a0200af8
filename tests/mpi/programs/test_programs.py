"""script/mpi-programs: the text that it takes for a program's answer, and the answers that count as different."""

import json
import os
import sys
from types import SimpleNamespace

sys.path[:0] = [os.environ[name] for name in ("PROGRAMS", "SUITES", "BENCH_MPI")]
import answers  # noqa: E402
import fill  # noqa: E402
import main  # noqa: E402
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


def test_the_documentation_says_what_was_run():
    results = json.loads((main.ROOT / "bench/results/epyc-2/mpi-programs.json").read_text())
    text = (main.ROOT / "docs/mpi-library.md").read_text()
    assert fill.filled(text, {"programs": main.table(results)}) == text
    results["rows"] = [row for row in results["rows"] if row["host"] != HOSTS[0].key]
    assert fill.filled(text, {"programs": main.table(results)}) != text
