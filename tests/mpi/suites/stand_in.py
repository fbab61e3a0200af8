"""What stands in for a host and for `unisono` where the suites themselves are tested."""

import os

import hosts


class Shell:
    """A host whose programs are shell scripts."""

    key = name = "shell"

    def command(self, ranks, program):
        return ["sh", "-c", *program], dict(os.environ)


def as_unisono(script, folder, monkeypatch):
    """Let that shell script be the program `unisono`."""
    path = folder / "unisono"
    path.write_text(script)
    path.chmod(0o755)
    monkeypatch.setattr(hosts, "UNISONO", path)
