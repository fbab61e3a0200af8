"""LUTs of a part of rtl/ for Lattice's iCE40, by yosys; script/sizes also places it."""

import re
import subprocess
import tempfile
from pathlib import Path

RTL = Path(__file__).resolve().parent.parent.parent / "rtl"


def of(top, *further, **parameters):
    """The LUTs of a module of rtl/, or of further files."""
    chosen = "".join(f"chparam -set {key} {value} {top}; " for key, value in parameters.items())
    with tempfile.NamedTemporaryFile(suffix=".stat") as stat:
        script = (f"read_verilog {' '.join(map(str, [*sorted(RTL.glob('*.v')), *further]))}; {chosen}hierarchy -top {top}; "
                  f"synth_ice40 -abc2 -top {top}; tee -q -o {stat.name} stat")
        subprocess.run(["yosys", "-qq", "-p", script], check=True, stderr=subprocess.DEVNULL)
        return int(re.search(r"^ +SB_LUT4 +(\d+)$", Path(stat.name).read_text(), re.M).group(1))
