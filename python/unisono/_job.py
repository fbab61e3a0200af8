"""A job that this process starts: the launcher, and what it says."""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Mapping, Sequence

from ._program import path_of_program

# The launcher's own lines on standard error: "unisono run: ...", and its report of where each PE is.
_OWN = (b"unisono run: ", b"  PE ")


def _is_own(line: bytes) -> bool:
    return line.startswith(_OWN)


def _may_be_own(start: bytes) -> bool:
    return any(own.startswith(start[: len(own)]) for own in _OWN)


class _Words(threading.Thread):
    """Passes the job's standard error on as it comes, and keeps the launcher's own lines back."""

    def __init__(self, pipe: int) -> None:
        super().__init__(name="unisono-words", daemon=True)
        self._pipe = pipe
        self.own: list[bytes] = []

    def run(self) -> None:
        begun, within = b"", False  # the start of a line; that one of the PEs' has been passed on in part
        while data := os.read(self._pipe, 65536):
            *lines, begun = (begun + data).split(b"\n")
            for line in lines:
                self._take(line + b"\n", within)
                within = False
            if begun and (within or not _may_be_own(begun)):
                _pass_on(begun)
                begun, within = b"", True
        if begun:
            self._take(begun, within)

    def _take(self, line: bytes, within: bool) -> None:
        if not within and _is_own(line):
            self.own.append(line)
        else:
            _pass_on(line)


def _pass_on(data: bytes) -> None:
    try:
        while data:
            data = data[os.write(2, data) :]
    except OSError:  # nobody is left to read it
        pass


def environment(env: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """The environment of the PEs: this process's, with the given variables; None takes one away. They find this
    package."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    merged: dict[str, str | None] = {**os.environ, **(env or {})}
    merged["PYTHONPATH"] = os.pathsep.join([package, *filter(None, [merged.get("PYTHONPATH")])])
    return {name: value for name, value in merged.items() if value is not None}


class Job:
    """PEs that run `python ARGUMENTS`. It is started without the module subprocess, whose import takes longer than the
    start."""

    def __init__(
        self, n: int, arguments: Sequence[str], options: Sequence[str] = (), env: Mapping[str, str | None] | None = None
    ) -> None:
        command = [path_of_program(), "run", "-n", str(n), *options, sys.executable, *arguments]
        self._pipe, errors = os.pipe()
        try:
            self._pid = os.posix_spawn(
                command[0],
                command,
                environment(env),
                file_actions=[(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, errors, 2)],
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # which Python ignores
            )
        except BaseException:
            os.close(self._pipe)
            raise
        finally:
            os.close(errors)
        self._ended = os.pidfd_open(self._pid)
        self._status: int | None = None
        self._words = _Words(self._pipe)
        self._words.start()

    def fileno(self) -> int:
        """A descriptor that can be read from when it has ended."""
        return self._ended

    def wait(self) -> int:
        """Until it has ended. Returns its exit status; minus a signal's number if that has ended it."""
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._words.join()
        return self._status

    def end(self, grace: float = 0.2) -> None:
        """End it as Ctrl-C does, unless it ends by itself. The launcher gives the PEs a second."""
        poll = select.poll()
        poll.register(self._ended, select.POLLIN)
        if self._status is None and not poll.poll(grace * 1000):
            os.kill(self._pid, signal.SIGINT)
        self.wait()

    def said(self) -> str:
        """The launcher's own lines, after wait(): why the job has ended, and where the PEs were."""
        lines = b"".join(self._words.own).decode(errors="replace").splitlines()
        return "\n".join(line.removeprefix("unisono run: ") for line in lines)

    def repeat(self) -> None:
        """Write these lines after all, as they would have come: figures, say, that were asked for."""
        _pass_on(b"".join(self._words.own))

    def close(self) -> None:
        os.close(self._pipe)
        os.close(self._ended)


def first_pe(said: str) -> int | None:
    """The PE that the launcher's words are about: "PE 3 was killed ..."."""
    words = said.split(maxsplit=2)
    return int(words[1]) if len(words) > 2 and words[0] == "PE" and words[1].isdigit() else None
