"""The board: its pins in simulation, its bitstream, and the list of its sources."""

import os
import re
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


@pytest.mark.skipif(not all(map(shutil.which, ("yosys", "nextpnr-ice40", "icepack"))),
                    reason="there is no yosys, nextpnr-ice40 or icepack")
def test_bitstream(tmp_path):
    """The bitstream that script/board makes, taken apart again: that of the chip, with its 26 pins in use."""
    board, asc = tmp_path / "upduino.bin", tmp_path / "upduino.asc"
    subprocess.run([RTL.parent / "script/board", board], check=True)
    subprocess.run(["iceunpack", board, asc], check=True)
    assert ".device 5k" in asc.read_text()
    chip = subprocess.run(["icebox_vlog", "-p", RTL / "board/upduino.pcf", asc], check=True, capture_output=True, text=True).stdout
    pins = re.findall(r"(input|output) \\(\w+)\[(\d+)\]", chip[:chip.index(";")])
    assert sorted(pins) == sorted([("input", "from_pe", str(k)) for k in range(16)] + [("output", "to_pe", str(k)) for k in range(10)])


def test_core():
    """The core of FuseSoC names every source of the units and of the board."""
    named = set(re.findall(r"^ +- (\S+\.v)$", (RTL / "unisono.core").read_text(), re.M))
    assert named == {str(f.relative_to(RTL)) for f in [*RTL.glob("*.v"), *RTL.glob("board/*.v")]}
