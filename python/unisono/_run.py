"""run(): a function on several PEs, from a script or a notebook."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from ._pickled import cloudpickle, pickled
from ._program import path_of_program

T = TypeVar("T")


class PEError(RuntimeError):
    """A PE of run() has failed. `pe` is its number, or None if no PE had the chance to say why; `traceback` the text of
    its traceback; the exception itself is the cause, if it can be pickled."""

    def __init__(self, message: str, pe: int | None = None, traceback: str = "") -> None:
        super().__init__(message)
        self.pe = pe
        self.traceback = traceback


def _main_script() -> str | None:
    """The script that calls, whose functions a PE finds by importing it under another name."""
    main = sys.modules["__main__"]
    script = getattr(main, "__file__", None)
    return os.path.abspath(script) if script and os.path.exists(script) else None


def run(function: Callable[..., T], args: Sequence[Any] = (), n: int = 4) -> list[T]:
    """Call function(*args) on n PEs, processes of a job of their own, and return their results in PE order.

    Function, arguments and results travel by pickle; what is defined in a notebook does by cloudpickle, where it is installed. A
    script that calls run() is imported by the PEs, so the call stands under `if __name__ == "__main__":`. If a PE
    raises an exception the others end, and PEError tells its number and has its traceback.
    """
    if n < 1:
        raise ValueError(f"run: {n} PEs; a job has at least one")
    script = _main_script()
    if script is None and getattr(function, "__module__", None) == "__main__" and not cloudpickle():
        raise TypeError(f"run: {function!r} is of an interactive session, and travels by cloudpickle, which is not installed")
    with tempfile.TemporaryDirectory(prefix="unisono-") as folder:
        here = Path(folder)
        (here / "main").write_bytes(pickle.dumps((script, sys.path)))
        (here / "task").write_bytes(pickled((function, tuple(args)), interactive=script is None))
        command = [path_of_program(), "run", "-n", str(n), sys.executable, "-m", "unisono._pe", folder]
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
        with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, stdin=subprocess.DEVNULL) as job:
            try:
                status = job.wait()
            except BaseException as error:  # Ctrl-C, which a terminal sends to the job as well, and a notebook does not
                _end(job)
                raise error from _failure(here, n)
        failure = _failure(here, n)
        if failure:
            raise failure
        if status:
            raise PEError(f"the job of {n} PEs ended with status {status}; its messages are on standard error")
        return [pickle.loads((here / f"result{pe}").read_bytes()) for pe in range(n)]


def _end(job: subprocess.Popen[bytes]) -> None:
    """As Ctrl-C does. The launcher gives the PEs a second."""
    try:
        job.wait(0.2)
    except subprocess.TimeoutExpired:
        job.send_signal(signal.SIGINT)
        job.wait()


def _failure(here: Path, n: int) -> PEError | None:
    """What the PEs have left behind about an exception."""
    failures = [(pe, here / f"error{pe}") for pe in range(n)]
    raised = [(pe, *pickle.loads(path.read_bytes())) for pe, path in failures if path.exists()]
    if not raised:
        return None
    # That the job has failed is what the others raise: the cause comes first.
    pe, _, text, pickled = min(raised, key=lambda failure: (failure[1], failure[0]))
    failure = PEError(f"PE {pe} of {n} raised an exception:\n\n{text}", pe, text)
    try:
        failure.__cause__ = pickle.loads(pickled) if pickled else None
    except Exception:  # an exception whose class does not come back as it was
        pass
    return failure
