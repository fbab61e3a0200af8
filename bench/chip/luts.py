"""LUTs and block RAMs of a part of rtl/ for Lattice's iCE40, by yosys; script/sizes also places it."""

import re
import subprocess
import tempfile
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent.parent / "rtl"


def cells(top, *further, **parameters):
    """The LUTs and block RAMs of a module of rtl/, or of further files."""
    chosen = "".join(f"chparam -set {key} {value} {top}; " for key, value in parameters.items())
    with tempfile.NamedTemporaryFile(suffix=".stat") as stat:
        script = (f"read_verilog {' '.join(map(str, [*sorted(RTL.glob('*.v')), *further]))}; {chosen}hierarchy -top {top}; "
                  f"synth_ice40 -abc2 -top {top}; tee -q -o {stat.name} stat")
        subprocess.run(["yosys", "-qq", "-p", script], check=True, stderr=subprocess.DEVNULL)
        counts = dict(re.findall(r"^ +(SB_\w+) +(\d+)$", Path(stat.name).read_text(), re.M))
    return {"luts": int(counts["SB_LUT4"]), "rams": sum(int(count) for kind, count in counts.items() if kind.startswith("SB_RAM40"))}


def of(top, **parameters):
    """The LUTs of a module of rtl/."""
    return cells(top, **parameters)["luts"]
