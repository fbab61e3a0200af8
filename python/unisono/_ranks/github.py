"""Failures as GitHub's annotations, which stand beside the lines of the code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from . import told


def escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


class Annotations:
    """The annotations of all failures, or only of those in jobs if another plugin annotates those of pytest's own
    process."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.root = Path(os.environ.get("GITHUB_WORKSPACE") or config.rootpath)
        self.lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ours = isinstance(report.longrepr, told.Told)
        if report.failed and (ours or not self.config.pluginmanager.hasplugin("pytest_github_actions_annotate_failures")):
            self.lines.append(self.line(report))

    def line(self, report: Any) -> str:
        path, line = report.fspath, (report.location[1] or 0) + 1
        crash = getattr(report.longrepr, "reprcrash", None)
        path = self.config.rootpath / path
        if crash and Path(crash.path).is_absolute() and self.root in Path(crash.path).parents:
            path, line = Path(crash.path), crash.lineno
        if self.root in path.parents:
            path = path.relative_to(self.root)
        name = f"file={escaped(str(path), ':,')},line={line},title={escaped(report.nodeid, ':,')}"
        return f"::error {name}::{escaped(str(report.longrepr))}"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.lines:
            terminalreporter.ensure_newline()
        for line in self.lines:
            terminalreporter.write_line(line)
