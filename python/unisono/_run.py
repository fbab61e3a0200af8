"""run(): a function on several PEs, from a script, a prompt or a notebook."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Mapping, Sequence

from ._core import Error
from ._pickled import cloudpickle, pickled

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, TypeVar

    T = TypeVar("T")

TIMED_OUT = 124  # the launcher's exit status

importing: str | None = None  # the script that this PE imports at present


class PEError(RuntimeError):
    """A PE of run() has failed. `pe` is its number, or None if it is not known; `traceback` the text of its traceback,
    or of what else ended it; the exception itself is the cause, if it can be pickled."""

    def __init__(self, message: str, pe: int | None = None, traceback: str = "") -> None:
        super().__init__(message)
        self.pe = pe
        self.traceback = traceback


class PETimeout(PEError, TimeoutError):
    """The PEs of run() took longer than its timeout=. `traceback` says where each was."""


class Unguarded(RuntimeError):
    """A PE that imports the script comes to its call of run()."""


def main_script() -> str | None:
    """The script that calls, whose functions a PE finds by importing it under another name. None: this is an
    interactive session, which no PE can import. The prompt of Python 3.13 is a script as well, a part of Python."""
    if hasattr(sys, "ps1"):
        return None
    sys.modules.setdefault("__mp_main__", sys.modules["__main__"])  # its name at a PE, where objects that come back have it from
    script = getattr(sys.modules["__main__"], "__file__", None)
    return os.path.abspath(script) if script and os.path.exists(script) else None


def check_travels(name: str, function: object, script: str | None) -> None:
    if script is None and getattr(function, "__module__", None) == "__main__" and not cloudpickle():
        raise TypeError(
            f"{name}: {function!r} is of an interactive session, and travels by cloudpickle, which is not installed"
        )


def check_guard(name: str) -> None:
    if importing is not None:
        raise Unguarded(
            f"{name}: the PEs import {importing} for its functions, and came to this call again, "
            'which would start jobs without end: put it under `if __name__ == "__main__":`'
        )


def run(
    function: Callable[..., T],
    args: Sequence[Any] = (),
    n: int = 4,
    *,
    kwargs: Mapping[str, Any] | None = None,
    timeout: float | None = None,
    env: Mapping[str, str | None] | None = None,
    tag: bool = False,
    stats: bool | str | os.PathLike[str] = False,
) -> list[T]:
    """Call function(*args, **kwargs) on n PEs, processes of a job of their own, and return their results in PE order.

    Function, arguments and results travel by pickle; what is defined in a notebook or at the prompt does by
    cloudpickle, where it is installed. A script that calls run() is imported by the PEs, so the call stands under `if
    __name__ == "__main__":`. If a PE raises an exception the others end, and PEError tells its number and has its
    traceback.

    timeout: seconds, after which PETimeout says where each PE was. env: variables of the PEs' environment beside the
    caller's; None takes one away. tag: mark each line of output with its PE. stats: show at the end what was done and
    who was waited for, or write it as JSON into the file of this name.
    """
    import tempfile  # a program that only meets needs none of these, and its start should be quick
    from pathlib import Path

    from ._job import Job

    check_guard("run")
    if n < 1:
        raise ValueError(f"run: {n} PEs; a job has at least one")
    if timeout is not None and not 0 < timeout <= 1e9:
        raise ValueError(f"run: timeout={timeout!r}; it is a number of seconds greater than 0")
    script = main_script()
    check_travels("run", function, script)
    options = [*(["--timeout", repr(float(timeout))] if timeout is not None else []), *(["--tag"] if tag else [])]
    if stats:
        options += ["--stats" if stats is True else f"--stats={os.fspath(stats)}"]
    with tempfile.TemporaryDirectory(prefix="unisono-") as folder:
        here = Path(folder)
        (here / "main").write_bytes(pickle.dumps((script, sys.path)))
        task = (function, tuple(args), dict(kwargs or {}))
        (here / "task").write_bytes(pickled(task, interactive=script is None))
        job = Job(n, ["-m", "unisono._pe", folder], options, env)
        try:
            status = job.wait()
        except BaseException as error:  # Ctrl-C, which a terminal sends to the job as well, and a notebook does not
            job.end()
            raise error from _raised(here, n)
        finally:
            job.close()
        if status:
            raise _failure(here, n, status, timeout, job.said())
        job.repeat()
        return [pickle.loads((here / f"result{pe}").read_bytes()) for pe in range(n)]


def _failure(here: Path, n: int, status: int, timeout: float | None, said: str) -> RuntimeError:
    """The exception that says why the job has failed. A PE that could not say why itself comes before others that
    waited for it."""
    raised = _raised(here, n)
    ended = _ended(n, status, timeout, said)
    if raised is None:
        return ended
    silent = ended.pe is not None and not (here / f"error{ended.pe}").exists()
    if silent and isinstance(raised.__cause__, Error):
        return ended
    return raised


def _ended(n: int, status: int, timeout: float | None, said: str) -> PEError:
    """The exception for a job in which no PE had the chance to say why it failed."""
    if timeout is not None and status == TIMED_OUT:
        return PETimeout(f"the job of {n} PEs took longer than {timeout:g} s:\n{said}", None, said)
    from ._job import first_pe

    return PEError(f"the job of {n} PEs ended with status {status}: {said or 'nothing is known'}", first_pe(said), said)


def _raised(here: Path, n: int) -> RuntimeError | None:
    """The exception that the PEs have left behind in their files, or None if there is none."""
    failures = [(pe, here / f"error{pe}") for pe in range(n)]
    raised = [(pe, *pickle.loads(path.read_bytes())) for pe, path in failures if path.exists()]
    if not raised:
        return None
    # A PE that raised the cause comes before those that only found the job failed.
    pe, _, text, pickled = min(raised, key=lambda failure: (failure[1], failure[0]))
    try:
        cause = pickle.loads(pickled) if pickled else None
    except Exception:  # an exception whose class does not come back as it was
        cause = None
    if isinstance(cause, Unguarded):
        return RuntimeError(*cause.args)
    failure = PEError(f"PE {pe} of {n} raised an exception:\n\n{text}", pe, text)
    failure.__cause__ = cause
    return failure
