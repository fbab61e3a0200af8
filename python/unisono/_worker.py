"""The program of a worker of a pool: `python -c "from unisono._worker import main; main()" NAME` under the launcher;
NAME is that of the pool's socket.

It takes messages with one of these heads, and answers each with one or several:

    ("calls", number, count)    count times (function, args, kwargs), which have nothing to do with one another
    ("map", number, count)      a function, and count times its args (Message.add_together); what comes after an error
                                is not wanted
    ("run", number, 1)          (function, args, kwargs), which all workers call at the same time, as PEs
    (number, ns, done, count, error)    count results (add_together), and what failure() made of the error of the call
                                        after them; `ns` is how long they took, and `done` tells that no other answer
                                        to this message comes
"""

from __future__ import annotations

import atexit
import io
import itertools
import os
import pickle
import socket
import sys
import time

from ._arena import Arena
from ._frames import Inbox, Message

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

SOON = 10_000_000  # ns after which results do not wait for those of the same message


class _Unpickler(pickle.Unpickler):
    """Imports the pool's script when something of it comes."""

    script: str | None = None  # until it has been imported

    def find_class(self, module: str, name: str) -> Any:
        if module == "__main__" and _Unpickler.script:
            script, _Unpickler.script = _Unpickler.script, None
            from ._pe import import_script

            import_script(script)
        return super().find_class(module, name)


def failure(error: BaseException) -> tuple[bytes, str]:
    """An exception as it travels: itself, if it can, and the text of its traceback."""
    import traceback  # few workers need it

    try:
        pickled = pickle.dumps(error)
        pickle.loads(pickled)
    except Exception:  # an exception may hold anything
        pickled = b""
    return pickled, "".join(traceback.format_exception(type(error), error, error.__traceback__))


class _Worker:
    def __init__(self, name: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(f"\0{name}")
        head, descriptors, _, _ = socket.recv_fds(self._socket, 1 << 16, 1)
        length = int.from_bytes(head[:8], "little")
        while len(head) < 8 + length:
            head += self._socket.recv(8 + length - len(head))
        size, sys.path[:], sys.argv[:], _Unpickler.script, initializer = pickle.loads(head[8:])
        self._arena = Arena(descriptors[0], size)
        os.close(descriptors[0])
        self._inbox = Inbox(self._socket, self._arena, _Unpickler)
        if initializer:
            function, args = _Unpickler(io.BytesIO(initializer)).load()
            function(*args)

    def work(self) -> None:
        while True:
            message = self._inbox.take()
            if message is not None:
                self._message, message = message, None
                kind, number, count = self._load()
                getattr(self, "_" + kind)(number, count)
            elif not self._inbox.receive():
                return

    def _load(self) -> Any:
        """The next object of the message."""
        return self._message.load()

    def _forget(self) -> None:
        """Its objects go with it, and the answer gives their places in the arena back."""
        del self._message

    def _answer(self, number: int, ns: int, done: bool, results: list[Any], error: BaseException | None) -> None:
        """In several parts if results cannot be pickled."""
        results.reverse()
        while True:
            message, count, told = Message(self._arena), 0, None
            if message.add_together(results[::-1]):
                count, results = len(results), []
            while results and not told:
                try:
                    message.add(results.pop())
                    count += 1
                except Exception as wrong:
                    told = failure(wrong)
            last = not results and not (told and error)
            if last and error:
                told = failure(error)
            self._socket.sendall(message.whole((number, ns, done and last, count, told)))
            if last:
                return
            ns = 0

    def _calls(self, number: int, count: int) -> None:
        results: list[Any] = []
        began = told = time.monotonic_ns()
        for left in reversed(range(count)):
            error, loaded = None, False
            try:
                function, args, kwargs = self._load()
                loaded = True
                results.append(function(*args, **kwargs))
            except Exception as wrong:
                error = wrong
            function = args = kwargs = None
            now = time.monotonic_ns()
            last = not left or not loaded  # nothing is to be read after what was not: the pool sends the rest once more
            if last:
                self._forget()
            if error or last or now - told > SOON:
                self._answer(number, now - began, last, results, error)
                results, began, told = [], now, now
            if last:
                return

    def _map(self, number: int, count: int) -> None:
        results: list[Any] = []
        error = None
        began = time.monotonic_ns()
        try:
            function = self._load()
            results.extend(itertools.starmap(function, self._message.load_all(count)))
        except Exception as wrong:
            error = wrong
        self._forget()
        self._answer(number, time.monotonic_ns() - began, True, results, error)

    def _run(self, number: int, count: int) -> None:
        from . import _core

        try:
            function, args, kwargs = self._load()
            results = [(_core.rank(), function(*args, **kwargs))]
        except BaseException as error:
            self._answer(number, 0, True, [], error)
            os._exit(1)  # the others may wait for this PE, and the job has failed
        self._answer(number, 0, True, results, None)


def main() -> None:
    try:
        _Worker(sys.argv[1]).work()
    except (BrokenPipeError, ConnectionResetError):  # the pool has gone
        pass
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # at once: nothing else of a worker's is needed any more
