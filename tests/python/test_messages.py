"""Messages: of memory and of objects, valid and refused ones. oracle.py has random ones."""

import pytest


def test_source_and_tag(on_pes):
    """Source and tag as given, or any; in order for each tag; and a message that is only probed stays."""
    on_pes(3, """
import unisono
me = unisono.rank()
if me:
    for number in range(3):
        unisono.send(bytes([me, number]), 0, tag=me)
        unisono.send(bytes([me, number]), 0, tag=9)
else:
    room = bytearray(2)
    for number in range(3):
        got = unisono.recv(room, source=2, tag=2)
        assert got == (2, 2, 2) and (got.source, got.tag, got.bytes) == (2, 2, 2) and room == bytes([2, number])
    assert unisono.probe(source=1) == unisono.probe(tag=1) == (1, 1, 2)
    for number in range(3):
        assert unisono.recv(room, tag=1).source == 1 and room == bytes([1, number])
    seen = [(unisono.recv(room, tag=9).source, *room) for _ in range(6)]
    assert sorted(seen) == [(pe, pe, number) for pe in (1, 2) for number in range(3)]
    assert unisono.probe(wait=False) is None
unisono.wait()
""")


def test_arrays_are_sent_and_filled_without_copies(on_pes):
    pytest.importorskip("numpy")
    on_pes(2, """
import numpy, unisono
me = unisono.rank()
for shape, kind in (((0,), float), ((3,), "c16"), ((1000, 300), "f8"), ((5,), [("a", "i4"), ("b", "S3")])):
    there = numpy.zeros(shape, kind)
    here = numpy.frombuffer(numpy.random.default_rng(1).bytes(there.nbytes), there.dtype).reshape(shape)
    if me:
        assert unisono.recv(there).bytes == there.nbytes and there.tobytes() == here.tobytes()
    else:
        unisono.send(here, 1)
""")


def test_arrays_of_objects_are_refused(refuses):
    """Arrays of objects would send addresses of one PE to another, which would take them for objects. Types that only
    look like them are allowed."""
    pytest.importorskip("numpy")
    refuses("""
import numpy, unisono
objects, fields = numpy.array([1, 2], object), numpy.zeros(2, [("a", "i4"), ("b", object)])
named, times = numpy.zeros(2, [("O", "i4")]), numpy.array(["2026-11-23"], "M8[D]")
for fine in named, times:
    room = numpy.zeros_like(fine)
    unisono.send(fine, unisono.rank())
    assert unisono.recv(room).bytes == fine.nbytes and (room == fine).all()
""", [
        ("unisono.recv(objects)", "recv: the array holds objects, which belong to one PE; unisono.recv_object takes any object"),
        ("unisono.recv(fields)", "recv: the array holds objects"),
        ("unisono.recv(memoryview(objects))", "recv: the array holds objects"),
        ("unisono.send(objects, 0)", "send: the array holds objects"),
    ])


def test_objects(on_pes):
    on_pes(3, """
import unisono
me, n = unisono.rank(), unisono.size()
unisono.send_object({"from": me, "large": "x" * 300_000}, (me + 1) % n, tag=3)
assert unisono.recv_object(tag=3)["from"] == (me - 1) % n
assert unisono.bcast_object({"root": me} if me == 2 else None, root=2) == {"root": 2}
if me != 1:
    with unisono.group({0, 2}):
        assert unisono.gather_object(["a"] * me) == [[], None, ["a", "a"]]
        assert unisono.bcast_object(me, root=2) == 2
""")


@pytest.mark.parametrize("call, kind, message", [
    ("unisono.send(b'', 1)", ValueError, "there is no PE 1"),
    ("unisono.send(b'', 0, -1)", ValueError, "tags are numbers from 0"),
    ("unisono.send(b'', 0, 1 << 40)", ValueError, "tags are numbers from 0"),
    ("unisono.send(b'', 0, 'x')", TypeError, "integer"),
    ("unisono.send(5, 0)", TypeError, "type int is neither a number nor an array; unisono.send_object takes any object"),
    ("unisono.recv(bytes(8))", BufferError, "writable"),
    ("unisono.recv(bytearray(8), 7)", ValueError, "there is no PE 7"),
    ("unisono.probe(tag=-5)", ValueError, "tags are numbers from 0"),
    # the first one that is wrong is told, whatever comes after it
    ("unisono.probe('bad', 5)", TypeError, "integer"),
    ("unisono.probe('bad', 'x')", TypeError, "integer"),
    ("unisono.probe(7, -5)", ValueError, "there is no PE 7"),
    ("unisono.recv(bytearray(8), 'bad', 5)", TypeError, "integer"),
    ("unisono.recv(bytearray(8), 7, -5)", ValueError, "there is no PE 7"),
    ("unisono.send(b'', 'bad', 5)", TypeError, "integer"),
    ("unisono.send(b'', 7, -5)", ValueError, "there is no PE 7"),
    ("unisono.send_object(5, 'bad', 5)", TypeError, "integer"),
    ("unisono.send_object(lambda: 0, 0)", Exception, "pickle"),
])  # fmt: skip
def test_what_one_pe_can_see_to_be_wrong_is_an_exception(call, kind, message):
    import unisono  # this process is a job of one PE

    with pytest.raises(kind, match=message):
        eval(call, {"unisono": unisono})
    assert unisono.probe(wait=False) is None and unisono.reduce(3) == 3


@pytest.mark.parametrize("call, message", [
    ("unisono.recv(bytearray(9))", "the message of type 0 from node 1 has 10 bytes, and there is room for 9"),
    ("unisono.recv(bytearray(9), tag=5)", "waits for any PE, and all others have left"),
    ("unisono.probe(source=1, tag=5)", "probe waits for PE 1, which has left"),
])  # fmt: skip
def test_what_ends_the_job_is_an_exception_too(ends_job, call, message):
    ends_job(f"""
import unisono
if unisono.rank():
    unisono.send(bytes(10), 0)
else:
    {call}
""", message)
