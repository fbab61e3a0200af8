"""unisono.run() at a prompt, whose functions no PE can import."""

import os
import subprocess
import sys

import pytest
import versions
from patience import HANGS
from terminal import Terminal


@pytest.fixture
def cloudpickle(tmp_path):
    """A folder that has it alone, for any Python: it is pure Python."""
    module = pytest.importorskip("cloudpickle")
    (tmp_path / "cloudpickle").symlink_to(os.path.dirname(module.__file__))
    return str(tmp_path)


def typed(command, lines, path):
    """Return the text that a command printed at a terminal of its own into which these lines were typed."""
    folders = os.pathsep.join([os.environ["PYTHONPATH"], path])
    with Terminal(command, {**os.environ, "PYTHONPATH": folders, "TERM": "xterm", "PYTHONSTARTUP": "", "HOME": path}) as terminal:
        assert terminal.shows(">>> "), terminal.text()
        terminal.type("".join(line + "\n" for line in lines))
        assert terminal.to_end(), terminal.text()
        return terminal.text()


LINES = [
    "import unisono",
    "from unisono import rank",
    "print('own', *unisono.run(rank, n=2))",
    "def double(x): return 2 * x + rank()",
    "",
    "print('defined', *unisono.run(double, (20,), n=2))",
    "exit()",
]


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_at_the_prompt(version, cloudpickle):
    python = versions.needed(version)
    works = "import cloudpickle, pickle; pickle.loads(cloudpickle.dumps(lambda: 1))()"
    if subprocess.run([python, "-B", "-c", works], env={"PYTHONPATH": cloudpickle}, capture_output=True, check=False).returncode:
        pytest.skip(f"this cloudpickle is too old for Python {version}")
    said = typed([python, "-B"], LINES, cloudpickle)
    assert "own 0 1" in said and "defined 40 41" in said, said


def test_at_the_prompt_after_a_script(tmp_path, cloudpickle):
    """`python -i script.py`: what is typed comes after the script, which cannot be imported for it."""
    script = tmp_path / "before.py"
    script.write_text("import unisono\nprint('in the script', *unisono.run(unisono.rank, n=2)) if __name__ == '__main__' else None\n")
    said = typed([sys.executable, "-B", "-i", str(script)], LINES, cloudpickle)
    assert said.count("in the script 0 1") == 1 and "own 0 1" in said and "defined 40 41" in said, said


def test_in_ipython(tmp_path, cloudpickle):
    """As in Jupyter, whose kernel runs each cell so."""
    pytest.importorskip("IPython")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.environ["PYTHONPATH"], cloudpickle]), "HOME": str(tmp_path)}
    lines = ["import unisono", "def double(x): return 2 * x + unisono.rank()", "", "print('defined', *unisono.run(double, (20,), n=2))"]
    done = subprocess.run([sys.executable, "-B", "-m", "IPython", "--simple-prompt", "--no-banner"], capture_output=True, text=True,
                          timeout=HANGS, env=environment, input="\n".join(lines) + "\n")  # fmt: skip
    assert "defined 40 41" in done.stdout, done.stdout + done.stderr
