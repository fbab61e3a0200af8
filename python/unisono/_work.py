"""The work of a pool: calls of submit(), map() and run(), and the parts of them that a worker has."""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

ENOUGH_NS = 10_000_000  # a message is to take so long: a hundred times as long as to send it
LONG_NS = 100_000_000  # one of a map that has much left may take so long, since the pool's own work takes time from the workers
ENOUGH_BYTES = 1 << 20  # and to have so many at most

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

    Told = tuple[bytes, str] | None  # an exception, as the worker's failure() makes it
    Finished = list[tuple[Callable[[Any], None], Any]]  # what to call once the pool's lock is free


class _Traceback(Exception):
    """The cause of an exception of a worker's: the text of its traceback."""

    def __str__(self) -> str:
        return "\n" + str(self.args[0])


def exception(told: tuple[bytes, str]) -> BaseException:
    pickled, text = told
    try:
        error = pickle.loads(pickled)
        error.__cause__ = _Traceback(text)
    except Exception:  # its class does not come back as it was
        error = RuntimeError(f"an exception of a worker:\n\n{text}")
    return error  # type: ignore[no-any-return]


class Pace:
    """How many calls a message should have."""

    def __init__(self) -> None:
        self._ns = 0.0  # of one, on the average of the last ones; 0: not known
        self._bytes = 0.0

    def sent(self, count: int, bytes: int) -> None:
        self._bytes = max(self._bytes / 2, bytes / count)

    def took(self, count: int, ns: int) -> None:
        if count:
            each = max(ns / count, 1)
            self._ns = (self._ns + each) / 2 if self._ns else each

    def count(self, waiting: int, workers: int, long_ns: int = ENOUGH_NS) -> int:
        """How many of the waiting calls go into the next message: enough, or a sixteenth of a worker's share up to
        long_ns."""
        if not self._ns:
            return 1
        enough = max(ENOUGH_NS / self._ns, min(long_ns / self._ns, waiting / (16 * workers)))
        most = min(enough, ENOUGH_BYTES / max(self._bytes, 1), waiting / (2 * workers))
        return max(int(most), 1)


class Call:
    """One of submit()."""

    def __init__(self, call: tuple[Any, Any, Any]) -> None:
        self.future: Future[Any] = Future()
        self.call = call


class Calls:
    """Some of them, which a worker has."""

    kind = "calls"

    def __init__(self, pace: Pace, calls: list[Call]) -> None:
        self.pace, self.left = pace, deque(calls)

    def answered(self, results: list[Any], told: Told) -> Finished:
        finished: Finished = [(self.left.popleft().future.set_result, result) for result in results]
        if told:
            finished.append((self.left.popleft().future.set_exception, exception(told)))
        return finished

    def failed(self, error: BaseException) -> Finished:
        return [(call.future.set_exception, error) for call in self.left]


class Mapped:
    """One call of map(): what is given out, and what has come."""

    def __init__(self, function: Any, all: list[Any], size: int | None, lock: threading.Lock) -> None:
        self.function, self.all, self.size = function, all, size
        self.pace = Pace()
        self.next = 0  # of those that are not given out yet
        self.came = threading.Condition(lock)
        self.results: dict[int, list[Any]] = {}  # by the place of the first one
        self.errors: dict[int, BaseException] = {}
        self.broken: BaseException | None = None  # why no more will come

    def count(self, workers: int) -> int:
        return self.size or self.pace.count(len(self.all) - self.next, workers, LONG_NS)

    def failed(self, error: BaseException) -> Finished:
        self.broken = error
        self.came.notify_all()
        return []


class Chunk:
    """A part of it, which a worker has."""

    kind = "map"
    left = ()

    def __init__(self, mapped: Mapped, at: int) -> None:
        self._mapped, self._at, self.pace = mapped, at, mapped.pace

    def answered(self, results: list[Any], told: Told) -> Finished:
        if results:
            self._mapped.results[self._at] = results
            self._at += len(results)
        if told:
            self._mapped.errors[self._at] = exception(told)
            self._at += 1
        self._mapped.came.notify_all()
        return []

    def failed(self, error: BaseException) -> Finished:
        return self._mapped.failed(error)


class Run:
    """One call of run(), of which every worker has a part."""

    kind = "run"
    left = ()

    def __init__(self, call: tuple[Any, Any, Any], n: int) -> None:
        self.call, self._n, self.pace = call, n, Pace()
        self.future: Future[Any] = Future()
        self._results: dict[int, Any] = {}

    def answered(self, results: list[Any], told: Told) -> Finished:
        self._results.update(results)
        if told:
            return self.failed(exception(told))
        if len(self._results) < self._n:
            return []
        return [(self.future.set_result, [self._results[pe] for pe in range(self._n)])]

    def failed(self, error: BaseException) -> Finished:
        return [] if self.future.done() else [(self._fail, error)]

    def _fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)
