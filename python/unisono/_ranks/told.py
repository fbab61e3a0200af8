"""The report of a test that failed in a job: the failure of the rank that failed first, those of the others, once if
they are the same, and the words of the launcher, which say who waited for whom."""

from __future__ import annotations

import pickle
import re
import warnings
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from .job import Outcome, Written

ENDS = re.compile(r"unisono run: PE \d+ ended with exit status 1$")  # the launcher's word on a rank whose failure is reported


@dataclass
class Failure:
    rank: int
    moment: float
    follows: bool
    longrepr: Any

    def crash(self) -> Any:
        return getattr(self.longrepr, "reprcrash", None)

    def place(self) -> tuple[str, int] | None:
        crash = self.crash()
        return (crash.path, crash.lineno) if crash else None

    def masked(self, text: str) -> str:
        """The text without the rank's own number, so that it is the same for ranks that differ only in that."""
        return re.sub(rf"\b(PE|[Rr]ank) {self.rank}\b", r"\1 #", text)

    def message(self) -> str:
        crash = self.crash()
        return "\n".join(f"E   {line}" for line in crash.message.splitlines()) if crash else str(self.longrepr)

    def key(self) -> object:
        """The key of failures that are reported once. For ranks that only found the job failed it is the place, since
        they differ in whom they waited for."""
        return self.place() if self.follows and self.place() else self.masked(str(self.longrepr))


def names(ranks: list[int]) -> str:
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    return f"ranks {', '.join(map(str, ranks[:-1]))} and {ranks[-1]}"


class Told:
    """The text in pytest's report: for a terminal, with colours, and without."""

    def __init__(self, item: pytest.Item, n: int, groups: list[list[Failure]], said: str) -> None:
        self.n = n
        self.groups = groups
        self.said = said
        here = SimpleNamespace(path=str(item.path), lineno=(item.location[1] or 0) + 1, message=said.partition("\n")[0])
        self.reprcrash = groups[0][0].crash() if groups and groups[0][0].crash() else here

    def head(self, k: int) -> str:
        ranks = names([failure.rank for failure in self.groups[k]])
        if k == 0:
            return f"{ranks} of {self.n} failed first:" if len(self.groups) > 1 else f"{ranks} of {self.n} failed:"
        return f"{ranks}:"

    def whole(self, k: int) -> bool:
        """Return true if the failure's place has not been shown yet; otherwise its message is enough."""
        place = self.groups[k][0].place()
        return place is None or place not in [group[0].place() for group in self.groups[:k]]

    def messages(self, k: int) -> list[str]:
        """The messages of a group, each once, without that of the failure which is shown as a whole."""
        shown = [self.groups[k][0].masked(self.groups[k][0].message())] if self.whole(k) else []
        told = {failure.masked(failure.message()): failure.message() for failure in self.groups[k]}
        return [message for masked, message in told.items() if masked not in shown]

    def toterminal(self, tw: Any) -> None:
        for k, group in enumerate(self.groups):
            if k:
                tw.line()
            tw.line(self.head(k), bold=True)
            if self.whole(k) and hasattr(group[0].longrepr, "toterminal"):
                group[0].longrepr.toterminal(tw)
            elif self.whole(k):
                tw.line(str(group[0].longrepr))
            for message in self.messages(k):
                tw.line(message, red=True)
        if self.said:
            if self.groups:
                tw.line()
            tw.line("the job:", bold=True)
            tw.line(self.said)

    def __str__(self) -> str:
        parts = []
        for k, group in enumerate(self.groups):
            parts.append("\n".join([self.head(k), *([str(group[0].longrepr)] if self.whole(k) else []), *self.messages(k)]))
        if self.said:
            parts.append(f"the job:\n{self.said}")
        return "\n\n".join(parts)


class RanksFailed(Exception):
    def __init__(self, told: Told) -> None:
        super().__init__(told.reprcrash.message)
        self.told = told


def _grouped(failures: list[Failure]) -> list[list[Failure]]:
    """The failures in groups that say the same. The cause comes first: failures that only say that the job has failed
    stand behind it."""
    groups: dict[object, list[Failure]] = {}
    for failure in sorted(failures, key=lambda failure: (failure.follows, failure.moment)):
        groups.setdefault(failure.key(), []).append(failure)
    return [sorted(group, key=lambda failure: failure.rank) for group in groups.values()]


def _sections(item: pytest.Item, outcome: Outcome, reports: list[list[Any]]) -> None:
    """Add the output of the ranks to the report, once if it is the same."""
    printed: dict[tuple[str, str], list[int]] = {}
    for rank, of_rank in enumerate(reports):
        for title, text in of_rank[-1].sections if of_rank else []:
            printed.setdefault((title, text), []).append(rank)
    for (title, text), ranks in printed.items():
        _, stream, when = title.split(" ", 2)
        item.add_report_section(when, f"{stream} of {names(ranks)}", text)
    if outcome.printed:
        item.add_report_section("call", "stdout of the job", outcome.printed)


def _warn(outcome: Outcome) -> None:
    seen = {written.value for written in sum(outcome.ranks, []) if written.kind == "warning"}
    for pickled, text, filename, line in sorted(seen, key=lambda value: (value[2], value[3], value[1])):
        try:
            category = pickle.loads(pickled)
        except Exception:  # a class that a rank can import, or has made, and this process cannot
            category = UserWarning
        warnings.warn_explicit(text, category, filename, line)


def _failure(rank: int, written: Written, report: Any) -> Failure:
    return Failure(rank, written.moment, written.follows, report.longrepr if report else written.value)


def judge(item: pytest.Item, n: int, outcome: Outcome) -> None:
    """Raise the exception that stands for the outcome of the test in the job, or return if it has passed."""
    hook = item.config.hook
    reports: list[list[Any]] = [[] for _ in range(n)]
    failures: list[Failure] = []
    expected: list[Any] = []
    skipped: list[Any] = []
    for rank, all_written in enumerate(outcome.ranks):
        for written in all_written:
            report = None
            if written.kind == "report":
                report = hook.pytest_report_from_serializable(config=item.config, data=written.value)
                reports[rank].append(report)
            if written.kind == "error" or (report and report.failed):
                failures.append(_failure(rank, written, report))
            elif report and report.skipped:
                (expected if hasattr(report, "wasxfail") else skipped).append(report)
    _sections(item, outcome, reports)
    _warn(outcome)
    item.user_properties.extend(reports[0][-1].user_properties if reports[0] else [])
    silent = [rank for rank, all_written in enumerate(outcome.ranks) if not any(w.kind in ("end", "error") for w in all_written)
              and not any(report.failed for report in reports[rank])]  # fmt: skip
    if expected and not [failure for failure in failures if not failure.follows]:
        raise pytest.xfail.Exception(expected[0].wasxfail)
    if failures or silent or outcome.status:
        raise RanksFailed(Told(item, n, _grouped(failures), _said(outcome, n, silent, bool(failures))))
    if skipped and len(skipped) == n:
        raise pytest.skip.Exception(str(skipped[0].longrepr[2]).removeprefix("Skipped: "), _use_item_location=True)


def _said(outcome: Outcome, n: int, silent: list[int], failed: bool) -> str:
    lines = [line for line in outcome.said.rstrip().splitlines() if not (failed and ENDS.match(line))]
    if not failed and not (lines and outcome.status):
        lines.insert(0, f"{names(silent)} of {n} ended before the test did, with status {outcome.status}" if silent else
                     f"every rank of {n} passed, and the job ended with status {outcome.status}")  # fmt: skip
    return "\n".join(lines)
