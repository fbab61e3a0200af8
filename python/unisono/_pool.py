"""The class Pool, an executor as those of concurrent.futures are, whose workers stay until it is shut down."""

from __future__ import annotations

import atexit
import os
import pickle
import select
import socket
import struct
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, TimeoutError

from ._arena import Arena, create
from ._frames import Inbox, Message, Parcel
from ._job import Job
from ._pickled import pickled
from ._run import check_guard, check_travels, main_script
from ._work import Call, Calls, Chunk, Mapped, Pace, Run

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from ._work import Finished

    T = TypeVar("T")

AHEAD = 2  # messages that a worker is given at a time, so that it need not wait for the next one


class BrokenPool(BrokenExecutor):
    """A worker has ended, and with it the pool."""


def _is_ours(connection: socket.socket) -> bool:
    """Return true if a process of the same user is at the other side: every user may connect."""
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(user == os.geteuid())


class _Worker:
    """A worker as the pool sees it: its connection, the memory that it shares, and the messages that it has not
    answered."""

    def __init__(self, connection: socket.socket, greeting: Callable[[int], bytes]) -> None:
        descriptor = create()
        self.socket, self.arena = connection, Arena(descriptor)
        hello = greeting(self.arena.size)
        try:
            socket.send_fds(connection, [len(hello).to_bytes(8, "little") + hello], [descriptor])
        finally:
            os.close(descriptor)
        connection.setblocking(False)
        self.inbox = Inbox(connection, self.arena, pickle.Unpickler)
        self.has: dict[int, Any] = {}  # messages that it has not answered, by their numbers
        self._out = b""  # bytes that could not be sent yet

    def send(self, data: bytes) -> None:
        self._out += data
        self.flush()

    def flush(self) -> None:
        try:
            while self._out:
                self._out = self._out[self.socket.send(self._out) :]
        except BlockingIOError:
            pass
        except OSError:  # the worker has ended, which is noticed when its socket is read
            self._out = b""

    def late(self) -> bool:
        return bool(self._out)

    def waits(self) -> int:
        return select.POLLIN | (select.POLLOUT if self._out else 0)


class Pool(Executor):
    """n workers, processes that stay and call the functions that they are given. The pool is an executor as those of
    concurrent.futures, whose functions as_completed() and wait() take its futures. Without n there are as many workers
    as processors.

    Functions and their arguments travel by pickle, as with run(), and large arrays by memory that both sides share.
    Short calls travel several at a time. Each worker calls initializer(*initargs) first. `env` is as for run().
    """

    def __init__(
        self,
        n: int | None = None,
        *,
        initializer: Callable[..., Any] | None = None,
        initargs: Sequence[Any] = (),
        env: Mapping[str, str | None] | None = None,
    ) -> None:
        check_guard("Pool")
        self.n = len(os.sched_getaffinity(0)) if n is None else n
        if self.n < 1:
            raise ValueError(f"Pool: {n} workers; a pool has at least one")
        self._script = main_script()
        self._initializer = initializer and pickled((initializer, tuple(initargs)), interactive=self._script is None)
        self._lock = threading.Lock()
        self._queue: deque[Call | Mapped | Run] = deque()
        self._pace = Pace()
        self._workers: dict[int, _Worker] = {}  # by their descriptors
        self._number = 0
        self._finished: Finished = []
        self._interrupted = False  # by Ctrl-C, while it pickled
        self._closing = False
        self._broken: BrokenPool | None = None
        name = f"unisono-pool-{os.getpid()}-{os.urandom(8).hex()}"  # an abstract address: no file is left over
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"\0{name}")
        self._listener.listen(self.n)
        self._wake = socket.socketpair()
        start = ["-c", "from unisono._worker import main; main()", name]
        self._job = Job(self.n, start, env=env)
        atexit.register(self._leave)
        self._manager = threading.Thread(target=self._manage, name="unisono-pool", daemon=True)
        self._manager.start()

    # ---- calls of the program

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call fn(*args, **kwargs) at some worker. Returns a future of concurrent.futures."""
        check_travels("Pool.submit", fn, self._script)
        call = Call((fn, args, kwargs))
        self._ask(call)
        return call.future

    def map(
        self, fn: Callable[..., T], *iterables: Iterable[Any], timeout: float | None = None, chunksize: int | None = None
    ) -> Iterator[T]:
        """Return an iterator over the results of fn for the elements of the iterables, as the built-in map does, in
        their order.

        How many calls go to a worker at a time follows from how long they take, unless chunksize tells."""
        if chunksize is not None and chunksize < 1:
            raise ValueError(f"Pool.map: chunksize={chunksize}; it is at least 1")
        check_travels("Pool.map", fn, self._script)
        mapped = Mapped(fn, list(zip(*iterables)), chunksize, self._lock)
        self._ask(mapped)
        return self._results(mapped, None if timeout is None else time.monotonic() + timeout)

    def _results(self, mapped: Mapped, end: float | None) -> Iterator[Any]:
        at = 0
        try:
            while at < len(mapped.all):
                with self._lock:
                    while at not in mapped.results and at not in mapped.errors and not mapped.broken:
                        if not mapped.came.wait(None if end is None else max(end - time.monotonic(), 0)) and end is not None:
                            raise TimeoutError("Pool.map: not all results came within the timeout")
                    results = mapped.results.pop(at, None)
                    error = mapped.errors.get(at) or mapped.broken
                if results is None:
                    assert error
                    raise error
                at += len(results)
                results.reverse()
                while results:
                    yield results.pop()
        finally:
            mapped.next = len(mapped.all)  # nobody wants the others

    def run(self, function: Callable[..., T], args: Sequence[Any] = (), *, kwargs: Mapping[str, Any] | None = None) -> list[T]:
        """Call function(*args, **kwargs) on all workers at the same time, as unisono.run() does: they are the PEs of a
        job, which meet in the operations of this package. Returns the results in PE order.

        After an exception the pool is broken, since its PEs may wait for each other."""
        check_travels("Pool.run", function, self._script)
        run = Run((function, tuple(args), dict(kwargs or {})), self.n)
        self._ask(run)
        return run.future.result()  # type: ignore[no-any-return]

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more calls, and end the workers when all that were taken are done."""
        with self._lock:
            self._closing = True
            if cancel_futures:
                for item in self._queue:
                    if isinstance(item, Call):
                        item.future.cancel()
                    elif isinstance(item, Mapped):
                        item.failed(BrokenPool("the pool was shut down"))
                self._queue.clear()
        self._tell()
        if wait:
            self._manager.join()

    def _leave(self) -> None:
        """Do the calls that are left when the interpreter ends, as other executors do."""
        if self._manager.is_alive():
            self.shutdown()

    def broken(self) -> bool:
        """Return true if a worker has ended, so that the pool takes no more calls."""
        return self._broken is not None

    def _ask(self, item: Call | Mapped | Run) -> None:
        with self._lock:
            if self._broken:
                raise BrokenPool(*self._broken.args)
            if self._closing:
                raise RuntimeError("the pool was shut down, and takes no more calls")
            self._queue.append(item)
            self._feed()
            finished = self._take_finished()
            late = any(worker.late() for worker in self._workers.values())
            interrupted, self._interrupted = self._interrupted, False
        if late:
            self._tell()
        _finish(finished)
        if interrupted:
            raise KeyboardInterrupt

    def _take_finished(self) -> Finished:
        finished, self._finished = self._finished, []
        return finished

    def _tell(self) -> None:
        try:
            self._wake[1].send(b"x")
        except OSError:  # the manager has ended
            pass

    # ---- messages to the workers; all these functions are called with the lock held

    def _feed(self) -> None:
        for depth in range(AHEAD):
            for worker in self._workers.values():
                while len(worker.has) <= depth and self._queue:  # what was cancelled or cannot be pickled gives it nothing
                    if not self._give(worker):
                        return

    def _give(self, worker: _Worker) -> bool:
        """Give the worker the next call. Returns False if that call needs more workers than there are yet."""
        item = self._queue[0]
        if isinstance(item, Run):
            if len(self._workers) < self.n:
                return False
            self._queue.popleft()
            self._give_run(item)
        elif isinstance(item, Mapped):
            self._give_chunk(worker, item)
        else:
            self._give_calls(worker)
        return True

    def _message(self, worker: _Worker) -> Message:
        return Message(worker.arena, interactive=self._script is None)

    def _refused(self, error: BaseException) -> None:
        """Note Ctrl-C, which is not for the call alone that could not be pickled."""
        self._interrupted |= isinstance(error, KeyboardInterrupt)

    def _send(self, worker: _Worker, item: Calls | Chunk | Run, count: int, message: Message) -> None:
        self._number += 1
        worker.has[self._number] = item
        item.pace.sent(count, message.size())
        worker.send(message.whole((item.kind, self._number, count)))

    def _give_calls(self, worker: _Worker) -> None:
        message, calls = self._message(worker), []
        waiting = len(self._queue)
        for _ in range(self._pace.count(waiting, self.n)):
            if not self._queue or not isinstance(self._queue[0], Call):
                break
            call = self._queue.popleft()
            assert isinstance(call, Call)
            if not call.future.running() and not call.future.set_running_or_notify_cancel():
                continue
            try:
                message.add(call.call)
                calls.append(call)
            except BaseException as error:
                self._refused(error)
                self._finished.append((call.future.set_exception, error))
        if calls:
            self._send(worker, Calls(self._pace, calls), len(calls), message)

    def _give_chunk(self, worker: _Worker, mapped: Mapped) -> None:
        at = mapped.next
        all = mapped.all[at : at + mapped.count(self.n)]
        mapped.next = at + len(all)
        if mapped.next >= len(mapped.all):
            self._queue.popleft()
        if not all:
            return
        message = self._message(worker)
        try:
            message.add(mapped.function)
            if not message.add_together(all):
                for args in all:
                    message.add(args)
        except BaseException as error:
            self._refused(error)
            self._finished += mapped.failed(error)
            mapped.next = len(mapped.all)
            return
        self._send(worker, Chunk(mapped, at), len(all), message)

    def _give_run(self, run: Run) -> None:
        messages = []
        for worker in self._workers.values():
            try:
                messages.append((worker, self._message(worker)))
                messages[-1][1].add(run.call)
            except BaseException as error:
                self._refused(error)
                self._finished += run.failed(error)
                return
        for worker, message in messages:
            self._send(worker, run, 1, message)

    # ---- messages from the workers

    def _manage(self) -> None:
        poll = select.poll()
        watched: dict[int, int] = {}
        for descriptor in (self._listener.fileno(), self._wake[0].fileno(), self._job.fileno()):
            poll.register(descriptor, select.POLLIN)
        while True:
            events = poll.poll()
            with self._lock:
                for descriptor, _ in events:
                    self._look(descriptor)
                self._feed()
                for descriptor, worker in self._workers.items():
                    if watched.get(descriptor) != worker.waits():
                        watched[descriptor] = worker.waits()
                        poll.register(descriptor, watched[descriptor])
                finished = self._take_finished()
                over = self._broken or (self._closing and self._is_idle())
            _finish(finished)
            if over:
                break
        self._end()

    def _is_idle(self) -> bool:
        """Return true if all workers are there and have nothing to do."""
        return len(self._workers) == self.n and not self._queue and not any(w.has for w in self._workers.values())

    def _look(self, descriptor: int) -> None:
        if descriptor == self._wake[0].fileno():
            self._wake[0].recv(4096)
        elif descriptor == self._listener.fileno():
            connection = self._listener.accept()[0]
            try:
                if _is_ours(connection):
                    self._workers[connection.fileno()] = _Worker(connection, self._greeting)
                    return
            except OSError:  # it has ended, which breaks the pool if it was a worker
                pass
            connection.close()
        elif descriptor == self._job.fileno():
            self._break()
        else:
            worker = self._workers[descriptor]
            worker.flush()
            alive = worker.inbox.receive()
            while (message := worker.inbox.take()) is not None:
                self._answer(worker, message)
            if not alive:
                self._break()

    def _greeting(self, size: int) -> bytes:
        return pickle.dumps((size, sys.path, sys.argv, self._script, self._initializer))

    def _answer(self, worker: _Worker, message: Parcel) -> None:
        number, ns, done, count, told = message.load()
        item = worker.has[number]
        results: list[Any] = []
        try:
            results.extend(message.load_all(count))
        except Exception as error:  # the class of a result may raise anything
            told = told or (pickle.dumps(RuntimeError(f"a result cannot be read: {error!r}")), repr(error))
        item.pace.took(count + bool(told), ns)
        self._finished += item.answered(results, told)
        if done:
            del worker.has[number]
            self._queue.extendleft(reversed(item.left))

    def _break(self) -> None:
        """Break the pool, since a worker or the whole job has ended."""
        if self._broken:
            return
        self._job.wait()
        self._broken = BrokenPool(self._job.said() or "a worker of the pool has ended")
        for item in [*self._queue, *(item for worker in self._workers.values() for item in worker.has.values())]:
            error = BrokenPool(*self._broken.args)
            self._finished += [(item.future.set_exception, error)] if isinstance(item, Call) else item.failed(error)
        self._queue.clear()

    def _end(self) -> None:
        for worker in self._workers.values():
            worker.socket.close()
        self._listener.close()
        atexit.unregister(self._leave)
        self._job.wait()
        self._job.close()
        for end in self._wake:
            end.close()


def _finish(finished: Finished) -> None:
    """Complete the futures. The lock must not be held, since code that waits for a future may ask the pool for more."""
    for function, argument in finished:
        try:
            function(argument)
        except Exception:  # cancelled, or failed already
            pass
