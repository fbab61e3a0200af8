"""A program at a terminal of its own, into which a test types."""

import contextlib
import os
import pty
import re
import select
import signal

from patience import HANGS, until

# Sequences that move the cursor, colour the text or set the title.
CONTROL = re.compile(rb"\x1b\[[0-9;?>]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]|\x1b[=>]|[\r\b\x0e\x0f]")


class Terminal:
    def __init__(self, command, environment):
        """command: its words, of which the first is looked up in this process's PATH."""
        self._text = b""
        self._pid, self._end = pty.fork()
        if self._pid == 0:
            os.execvpe(command[0], command, environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._pid, 0)
        os.close(self._end)

    def type(self, text):
        os.write(self._end, text.encode())

    def text(self):
        """All that it has shown, without what colours it or moves the cursor."""
        return CONTROL.sub(b"", self._text).decode(errors="replace")

    def _read(self, seconds):
        """Read what has come within this time. Return false if the program has ended."""
        try:
            if select.select([self._end], [], [], seconds)[0]:
                self._text += os.read(self._end, 10000)
        except OSError:  # the terminal's other end is closed
            return False
        return True

    def shows(self, text, seconds=HANGS):
        """Wait for the text. Return true if it has come."""
        return until(lambda: text in self.text() or not self._read(0.05), seconds) and text in self.text()

    def to_end(self):
        """Wait until the program has ended. Return true if it has."""
        return until(lambda: not self._read(0.05))
