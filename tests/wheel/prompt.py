"""unisono.run at the prompt of a Python in which the wheel is installed: prompt.py PYTHON. A function that is typed
there travels by cloudpickle; without it an error names cloudpickle."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from terminal import Terminal  # noqa: E402

LINES = [
    "import unisono",
    "print('own', *unisono.run(unisono.rank, n=2))",
    "def double(x): return 2 * x + unisono.rank()",
    "",
    "print('defined', *unisono.run(double, (20,), n=2))",
    "exit()",
]


def typed(command):
    """Return the text that a Python shows at a terminal into which the lines are typed, in a folder with none of the
    settings of its user."""
    with tempfile.TemporaryDirectory() as home:
        settings = {**os.environ, "TERM": "xterm", "HOME": home, "PYTHONSTARTUP": ""}
        settings.pop("PYTHONPATH", None)
        with Terminal(command, settings) as terminal:
            assert terminal.shows(">>> "), terminal.text()
            terminal.type("".join(f"{line}\n" for line in LINES))
            assert terminal.to_end(), terminal.text()
            return terminal.text()


def main():
    python = sys.argv[1]
    there = subprocess.run([python, "-c", "import cloudpickle"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    expected = "defined 40 41" if there else "travels by cloudpickle, which is not installed"
    for command in [[python], [python, "-i", "-c", "before = 1"]]:
        said = typed(command)
        assert "own 0 1" in said and expected in said, f"{command}: {said}"


main()
