"""How many ranks a test asks for: by the marks of this plugin, of mpi-pytest and of pytest-mpi."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import pytest

MARKS = (
    "ranks(*numbers): run the test in a job of each of these numbers of ranks; without numbers, of those of --ranks",
    "parallel(nprocs=3): of mpi-pytest, run the test in a job of so many ranks, or of each of a list of numbers",
    "mpi(min_size=1): of pytest-mpi, run the test in jobs of the numbers of --ranks that are not below min_size",
    "mpi_skip: of pytest-mpi, skip the test in jobs",
    "mpi_break: of pytest-mpi, skip the test in jobs, as mpi_skip does, because it would break the job",
    "mpi_xfail: of pytest-mpi, the test is expected to fail in jobs",
)


@dataclass
class Asked:
    """The numbers of ranks of a test, and a number below which it is skipped. `label` begins what stands behind the
    test's name in brackets, and is empty where nothing does."""

    numbers: tuple[int, ...]
    least: int = 1
    label: str = "ranks"


def _checked(mark: pytest.Mark, numbers: Iterable[object]) -> tuple[int, ...]:
    checked = tuple(n for n in numbers if isinstance(n, int) and not isinstance(n, bool) and n > 0)
    if not checked or len(checked) != len(tuple(numbers)):
        raise pytest.UsageError(f"@pytest.mark.{mark.name} takes numbers of ranks, from 1, and was given {mark.args} {mark.kwargs}")
    return checked


def _ranks(mark: pytest.Mark, given: tuple[int, ...]) -> Asked:
    if mark.kwargs:
        raise pytest.UsageError(f"@pytest.mark.ranks takes numbers, as in ranks(2, 3), and was given {mark.kwargs}")
    return Asked(_checked(mark, mark.args) if mark.args else given)


def _parallel(mark: pytest.Mark, given: tuple[int, ...]) -> Asked:
    del given
    values = [*mark.args, *mark.kwargs.values()] or [3]
    if len(values) > 1 or set(mark.kwargs) - {"nprocs"}:
        raise pytest.UsageError(f"@pytest.mark.parallel takes nprocs, and was given {mark.args} {mark.kwargs}")
    numbers = _checked(mark, values[0] if isinstance(values[0], Sequence) else values)
    return Asked(numbers, label="nprocs" if len(numbers) > 1 else "")


def _mpi(mark: pytest.Mark, given: tuple[int, ...]) -> Asked:
    if mark.args or set(mark.kwargs) - {"min_size"}:
        raise pytest.UsageError(f"@pytest.mark.mpi takes min_size, and was given {mark.args} {mark.kwargs}")
    least = mark.kwargs.get("min_size")
    return Asked(given, 1 if least is None else _checked(mark, [least])[0])


READERS: dict[str, Callable[[pytest.Mark, tuple[int, ...]], Asked]] = {"ranks": _ranks, "parallel": _parallel, "mpi": _mpi}


def asked(node: pytest.Item, given: tuple[int, ...]) -> Asked | None:
    """The numbers of ranks that the test asks for, or None for a test of one process. `given` are the numbers of
    --ranks."""
    for name, read in READERS.items():
        mark = node.get_closest_marker(name)
        if mark:
            return read(mark, given)
    return None


def too_few(least: int, n: int) -> str:
    return f"asks for {least} ranks or more, and this job has {n}"


def in_jobs(node: pytest.Item) -> list[pytest.MarkDecorator]:
    """The marks of pytest's own that mean for this test what its marks for jobs mean."""
    marks = []
    for name in ("mpi_skip", "mpi_break"):
        if node.get_closest_marker(name):
            marks.append(pytest.mark.skip(reason=f"does not work in a job of ranks ({name})"))
    if node.get_closest_marker("mpi_xfail"):
        marks.append(pytest.mark.xfail(reason="fails in a job of ranks (mpi_xfail)"))
    return marks
