"""The command: Table 1, its notes on itself, and its errors."""

import json
import struct
import subprocess

import pytest

from torus import UNISONO, calculate, run

PAPER = {"No phases": (31.1, 41), "Phased": (41.4, 55), "Pattern fix": (46.7, 62), "Router fix": (54.4, 73),
         "Final": (55.5, 74)}


def test_table_1_is_within_5_points():
    table = calculate()
    assert [row["description"] for row in table["rows"]] == list(PAPER)
    for row in table["rows"]:
        rate, percent = PAPER[row["description"]]
        assert (row["paper"]["rate"], row["paper"]["percent"]) == (rate, percent)
        assert row["percent"] == pytest.approx(100 * row["rate"] / 75)
        assert abs(row["percent"] - percent) < 5


def test_reconstruction_is_marked_and_its_assumptions_listed():
    table, text = calculate(), run().stdout
    assert table["reconstruction"] is True and "RECONSTRUCTION" in text.splitlines()[0]
    assert {a["origin"] for a in table["assumptions"]} == {"paper", "print", "inferred", "table"}
    for assumption in table["assumptions"]:
        assert f"\n  {assumption['parameter']} " in text
    assert max(map(len, text.splitlines())) <= 100


def test_assumptions_are_parameters():
    """Each assumption changes the table, here that of a smaller machine: all of them matter."""
    small = ["--sides", "4x4x4"]
    rates = [row["rate"] for row in calculate(*small)["rows"]]
    for option, value in [("sides", "4x4x8"), ("pes", 1), ("link", 200), ("payload", 0.6), ("response", 0.3), ("cap", 40),
                          ("ties", "up"), ("service", "x:2:3"), ("service", "none"), ("others", "changing")]:
        table = calculate(*(small if option != "sides" else []), f"--{option}", value)
        assert [row["rate"] for row in table["rows"]] != rates, option
        shown = {a["parameter"]: a["value"] for a in table["assumptions"]}
        assert shown[option].split(" ")[0] == str(value)


def test_one_schedule():
    result = calculate("--schedule", "balanced", "--ties", "quarters")
    assert result["torus"]["nominal"] == 75 and result["torus"]["pes"] == 512
    assert len(result["phases"]) == 512 and {p["load"] for p in result["phases"]} == {2}
    assert result["rate"] == pytest.approx(69) and result["mean"] == pytest.approx(69)
    assert result["transfers"][-1] == pytest.approx(1) and result["ends"][-1] == pytest.approx(1)
    text = run("--schedule", "balanced", "--ties", "quarters").stdout
    assert "69.0 MB/s, 92%" in text and text.splitlines()[-1].split() == ["2", "512", "69.0"]


def test_one_dimension_and_one_node():
    assert calculate("-s", "shift", "--sides", "5")["torus"]["service"] == "none"
    alone = run("-s", "shift", "--sides", "1", "--pes", "3")
    assert alone.returncode == 0 and "%" not in alone.stdout


BAD = [
    (["--sides", "8x0x8"], "--sides 8x0x8: not 1 to 4 sides of 1 to 64, as 8x4x8"),
    (["--sides", "2x2x2x2x2"], "--sides 2x2x2x2x2: not 1 to 4 sides"),
    (["--sides", "8x"], "--sides 8x: not 1 to 4 sides"),
    (["--sides", "65"], "--sides 65: not 1 to 4 sides"),
    (["--sides", "64x64"], "8192 PEs; at most 2048 are calculated"),
    (["--sides", "64x64x64x64", "--pes", 2048], "34359738368 PEs; at most 2048 are calculated"),
    (["--plot", "/nowhere/x.png"], "--plot /nowhere/x.png: No such file or directory"),
    (["--pes", "0"], "--pes 0: not a whole number from 1 to 2048"),
    (["--pes", "1.5"], "--pes 1.5: not a whole number from 1 to 2048"),
    (["--link", "-1"], "--link -1: not a number from"),
    (["--link", "nan"], "--link nan: not a number from"),
    (["--payload", "2"], "--payload 2: not a number from 0.001 to 1"),
    (["--cap", "x"], "--cap x: not a number from"),
    (["--order", "xxz"], "--order xxz: not the 3 first of the letters xyzw, each once"),
    (["--order", "xy"], "--order xy: not the 3 first"),
    (["--order", "xyw"], "--order xyw: not the 3 first"),
    (["--ties", "down"], "--ties down: there are up, parity, quarters"),
    (["--service", "y:1"], "--service y:1: not none, nor DIMENSION:NODES:RINGS, as y:1:2, for this torus"),
    (["--service", "w:1:1"], "--service w:1:1: not none"),
    (["--schedule", "best"], "--schedule best: there are shift, xor, reflected, quarter, balanced, unphased"),
    (["-s", "xor", "--sides", "3"], "--schedule xor needs a power of 2 PEs, and these are 6"),
    (["--corner", "correct"], "--corner is for --schedule; in Table 1 every row has its own"),
    (["--distance", "short"], "--distance short: there are compute, absolute"),
    (["x"], "x: this command takes options only"),
]


@pytest.mark.parametrize("arguments, message", BAD, ids=lambda a: " ".join(map(str, a)) if type(a) is list else None)
def test_bad(arguments, message):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("unisono torus: " + message) and done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_output_that_cannot_be_written(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run([UNISONO, "torus", *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "unisono torus: cannot write standard output: No space left on device\n"


def test_json_is_one_object():
    done = run("--json", "-s", "unphased", "--sides", "2x3")
    assert set(json.loads(done.stdout)) == {"torus", "schedule", "rate", "percent", "mean", "bin", "transfers", "load"}


@pytest.mark.parametrize("arguments, width", [([], 1210), (["-s", "unphased"], 660)])
def test_plot(arguments, width, tmp_path):
    if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True).returncode:
        pytest.skip("/usr/bin/python3 has no matplotlib")
    picture = tmp_path / "torus.png"
    done = run("--sides", "4x4", *arguments, "--plot", picture)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">I", data[16:20])[0] == width and len(data) > 10000


def test_plot_that_cannot_be_written():
    done = run("--sides", "4x4", "-s", "shift", "--plot", "/dev/full")
    assert done.returncode == 1 and done.stderr.splitlines()[-1].startswith("unisono torus: the plot failed; it needs")
