"""Messages between a pool and one of its workers, by a socket: a head and any objects, each a pickle of its own, so
that what two of them share is two things on the other side; large buffers in them go by the arena. Numbers and strings,
which nobody can change, are one pickle together."""

from __future__ import annotations

import io
import pickle
import socket
from array import array
from collections.abc import Callable, Iterator

from ._arena import Arena
from ._pickled import cloudpickle

TYPE_CHECKING = False  # the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any

_HEAD = 3  # words: the bytes of the pickles, of places and lengths in the arena, of places that are free again
_WORD = 8
_PLAIN = frozenset({bool, bytes, complex, float, int, str, type(None)})


def _is_plain(x: Any) -> bool:
    """Return true if x is a number or a string, or a tuple of these."""
    return type(x) in _PLAIN or (type(x) is tuple and all(type(part) in _PLAIN for part in x))


class Message:
    """One that is written."""

    def __init__(self, arena: Arena, interactive: bool = False) -> None:
        """interactive: what is defined in this session goes by value."""
        self._arena, self._out = arena, io.BytesIO()
        self._parts: list[int] = []
        by_value = cloudpickle() if interactive else None
        self._pickler = (by_value or pickle).Pickler(self._out, 5, buffer_callback=self._keep)

    def _keep(self, buffer: pickle.PickleBuffer) -> bool:
        """Returns true if it goes within the pickle."""
        return not self._arena.put(buffer.raw(), self._parts)

    def add(self, x: Any) -> None:
        """An object. If it cannot be pickled, or Ctrl-C comes, the message is as it was before."""
        at, parts = self._out.tell(), len(self._parts)
        try:
            self._pickler.clear_memo()
            self._pickler.dump(x)
        except BaseException as error:
            self._undo(at, parts)
            by_value = isinstance(error, Exception) and cloudpickle()
            if not by_value:
                raise
            try:
                by_value.Pickler(self._out, 5, buffer_callback=self._keep).dump(x)
            except BaseException:
                self._undo(at, parts)
                raise

    def add_together(self, objects: list[Any]) -> bool:
        """Objects in one pickle, which takes a tenth of the time. Returns false if they are not all numbers and
        strings: then the caller adds one after the other."""
        together = all(map(_is_plain, objects))
        self.add(together)
        if together:
            self.add(objects)
        return together

    def _undo(self, at: int, parts: int) -> None:
        self._out.seek(at)
        self._out.truncate()
        self._arena.give_back(self._parts[parts::2])
        del self._parts[parts:]

    def size(self) -> int:
        """Its bytes, with those in the arena."""
        return self._out.tell() + sum(self._parts[1::2])

    def whole(self, head: Any) -> bytes:
        first = pickle.dumps(head, 5)
        freed = self._arena.take_freed()
        words = array("Q", [len(first) + self._out.tell(), len(self._parts), len(freed), *self._parts, *freed])
        return b"".join((words.tobytes(), first, self._out.getbuffer()))


class Parcel:
    """A message that has come."""

    def __init__(self, body: io.BytesIO, buffers: list[Any], unpickler: Callable[..., pickle.Unpickler]) -> None:
        self._body, self._buffers, self._unpickler = body, iter(buffers), unpickler

    def load(self) -> Any:
        """The next object of it: the head comes first. Each has an unpickler of its own, as it has been pickled."""
        return self._unpickler(self._body, buffers=self._buffers).load()

    def load_all(self, count: int) -> Iterator[Any]:
        """So many objects, behind the answer of add_together()."""
        if self.load():
            yield from self.load()
        else:
            for _ in range(count):
                yield self.load()


class Inbox:
    """Takes messages out of what comes."""

    def __init__(self, socket: socket.socket, arena: Arena, unpickler: Callable[..., pickle.Unpickler]) -> None:
        self._socket, self._arena, self._unpickler = socket, arena, unpickler
        self._data = bytearray()

    def receive(self) -> bool:
        """Receive some more. False: the other side has closed."""
        try:
            data = self._socket.recv(1 << 20)
        except (BlockingIOError, InterruptedError):
            return True
        except ConnectionError:
            return False
        self._data += data
        return bool(data)

    def take(self) -> Parcel | None:
        """The next message; None: it is not there yet."""
        data = self._data
        if len(data) < _HEAD * _WORD:
            return None
        length, parts, freed = array("Q", bytes(data[: _HEAD * _WORD]))
        start = (_HEAD + parts + freed) * _WORD
        if len(data) < start + length:
            return None
        words = array("Q", bytes(data[_HEAD * _WORD : start])).tolist()
        body = io.BytesIO(bytes(memoryview(data)[start : start + length]))
        del data[: start + length]
        self._arena.give_back(words[parts:])
        return Parcel(body, self._arena.buffers(words[:parts]), self._unpickler)
