import os
import subprocess
import sys

import pytest


@pytest.fixture
def on_pes(tmp_path):
    """Run a script on n PEs: its standard output; or with `fails`, which must be so, its standard error."""

    def start(n, text, fails=False, python=sys.executable, **environment):
        script = tmp_path / "script.py"
        script.write_text(text)
        done = subprocess.run(
            [os.environ["UNISONO"], "run", "-n", str(n), python, str(script)],
            capture_output=True, text=True, timeout=60, env={**os.environ, **environment},
        )  # fmt: skip
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stderr if fails else done.stdout

    return start
