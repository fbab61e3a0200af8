"""The program that each PE of run() is: `python -m unisono._pe FOLDER`, started by the launcher."""

from __future__ import annotations

import os
import pickle
import runpy
import sys
import traceback
from pathlib import Path

from . import _core, _run
from ._pickled import pickled


def _write(path: Path, content: bytes) -> None:
    """Write the whole file or nothing, since this process may be ended at any moment."""
    whole = path.with_suffix(".new")
    whole.write_bytes(content)
    whole.rename(path)


def import_script(script: str) -> None:
    """Import the caller's script under a name that is not __main__, as multiprocessing does."""
    main = type(sys)("__mp_main__")
    _run.importing = script
    main.__dict__.update(runpy.run_path(script, run_name="__mp_main__"))
    _run.importing = None
    sys.modules["__main__"] = sys.modules["__mp_main__"] = main


def _failure(error: BaseException) -> bytes:
    try:
        pickled = pickle.dumps(error)
    except Exception:  # an exception may hold anything
        pickled = b""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    return pickle.dumps((isinstance(error, _core.Error), text, pickled))


def main() -> None:
    here = Path(sys.argv[1])
    pe = _core.rank()
    try:
        script, path = pickle.loads((here / "main").read_bytes())
        sys.path[:] = path + [entry for entry in sys.path if entry not in path]
        if script:
            import_script(script)
        function, args, kwargs = pickle.loads((here / "task").read_bytes())
        _write(here / f"result{pe}", pickled(function(*args, **kwargs), interactive=script is None))
    except BaseException as error:
        _write(here / f"error{pe}", _failure(error))
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)  # without checking out, so that nobody waits for this PE


if __name__ == "__main__":
    main()
