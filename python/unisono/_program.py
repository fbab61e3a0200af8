"""The program `unisono`, which lies in the package."""

from __future__ import annotations

import os
import sys


def path_of_program() -> str:
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "unisono")


def main() -> None:
    """Become it."""
    program = path_of_program()
    os.execv(program, [program, *sys.argv[1:]])
