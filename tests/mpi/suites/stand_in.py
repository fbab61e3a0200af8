"""Replacements for a host and for `unisono` in the tests of the suites themselves."""

import os

import hosts


class Shell:
    """A host whose programs are shell scripts."""

    key = name = "shell"

    def version(self):
        return "1"

    def command(self, ranks, program):
        return ["sh", "-c", *program], dict(os.environ)


def as_unisono(script, folder, monkeypatch):
    """Make that shell script the program `unisono`."""
    path = folder / "unisono"
    path.write_text(script)
    path.chmod(0o755)
    monkeypatch.setattr(hosts, "UNISONO", path)
