"""How functions, arguments and results of run() travel."""

from __future__ import annotations

import importlib
import pickle

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any


def cloudpickle() -> Any:
    """The module; None: it is not installed."""
    try:
        return importlib.import_module("cloudpickle")
    except ImportError:
        return None


def pickled(x: object, interactive: bool) -> bytes:
    """Return x as bytes by pickle. cloudpickle, where it is installed, takes over what pickle cannot, and all of an
    interactive session, which no PE can import."""
    by_value = cloudpickle()
    if interactive and by_value:
        return bytes(by_value.dumps(x))
    try:
        return pickle.dumps(x)
    except Exception:  # an object's own methods may raise anything
        if not by_value:
            raise
        return bytes(by_value.dumps(x))
