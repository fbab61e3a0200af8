"""The board: its pins in simulation, and whether it can be placed with its constraints."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

RTL = Path(os.environ["RTL"])
SOURCES = [str(f) for f in RTL.glob("*.v")]


@pytest.mark.parametrize("skew", [0, 11, 70])
def test_pins(tmp_path, skew):
    """The lines of a port follow within so many ns; a clock is 10 ns, and lines may differ by seven of them."""
    here = Path(__file__).parent
    subprocess.run(["iverilog", "-g2012", "-s", "pins", "-o", tmp_path / "pins", here / "pins.v", RTL / "board/papers_pins.v",
                    RTL / "board/papers_steady.v", *SOURCES], check=True)
    assert subprocess.check_output(["vvp", "-n", tmp_path / "pins", f"+skew={skew}"], text=True).startswith("pins: all as expected")


@pytest.mark.skipif(not (shutil.which("yosys") and shutil.which("nextpnr-ice40")), reason="there is no yosys or no nextpnr-ice40")
def test_placement(tmp_path):
    board = RTL / "board"
    subprocess.run(["yosys", "-qq", "-p", f"read_verilog {' '.join(SOURCES)} {board}/papers_pins.v {board}/papers_steady.v {board}/upduino.v; "
                    f"synth_ice40 -top upduino -json {tmp_path}/board.json"], check=True, stderr=subprocess.DEVNULL)
    log = subprocess.run(["nextpnr-ice40", "--up5k", "--package", "sg48", "--json", tmp_path / "board.json", "--pcf",
                          board / "upduino.pcf", "--freq", "24"], check=True, capture_output=True, text=True).stderr
    assert "SB_IO:    26/" in log and "PASS at 24.00 MHz" in log
