"""docs/python.md names every public function of C: with its name in Python, or with the reason why it has none."""

import re
import subprocess
from pathlib import Path

import unisono

ROOT = Path(__file__).parents[2]
TYPES = re.compile(r"(1u|8u|16u|32u|64u|8|16|32|64|f|d)$")


def sections():
    text = (ROOT / "docs/python.md").read_text()
    return re.search(r"\n## The functions\n(.*?)\n\| C \| why \|\n(.*?)\n## ", text, re.S).groups()


def test_every_public_function_is_reached_or_listed():
    declared = subprocess.check_output(["sh", ROOT / "tests/interface/declared.sh", "cc", ROOT / "include"], text=True).split()
    reached, not_reached = (set(re.findall(r"`((?:p_|n)[a-zA-Z]+)`", text)) for text in sections())
    assert not reached & not_reached
    plain = {TYPES.sub("", name) if name not in reached | not_reached else name for name in declared if "Bits" not in name}
    assert "the `Bits` forms" in sections()[1]
    assert sorted(plain) == sorted(reached | not_reached)


def test_every_function_of_the_package_is_in_the_guide():
    text = (ROOT / "docs/python.md").read_text()
    missing = [name for name in unisono.__all__ if not re.search(rf"\b{name}\b", text)]
    assert not missing and all(getattr(unisono, name).__doc__ for name in unisono.__all__)


def test_the_binding_calls_what_the_guide_says():
    """By the names in its own symbol table: what it needs of the library."""
    nm = subprocess.check_output(["nm", "-D", "--undefined-only", unisono._core.__file__], text=True)
    needed = set(re.findall(r" U ((?:p_|n)[a-zA-Z0-9]+)@UNISONO", nm))
    reached = set(re.findall(r"`((?:p_|n)[a-zA-Z]+)`", sections()[0]))
    # the forms for wide masks stand for the plain ones
    called = {TYPES.sub("", name) if name not in reached else name for name in needed}
    wide = {name.removesuffix("Wide") for name in called if name.endswith("Wide")}
    assert called >= reached - wide and called - reached <= {"p_init", "p_exit", "p_error", "p_onError", "p_onWait"}
