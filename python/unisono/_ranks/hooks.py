"""The decorator pytest.hookimpl, with types also where pytest's own has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import pytest

Hook = TypeVar("Hook", bound=Callable[..., Any])


def hook(**options: bool) -> Callable[[Hook], Hook]:
    return cast(Callable[[Hook], Hook], pytest.hookimpl(**options))
