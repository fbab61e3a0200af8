"""unisono.Pool: an executor, whose workers stay."""

import concurrent.futures
import os
import pickle
import socket
import subprocess
import sys
import threading
import time

import pytest
import versions
from patience import HANGS, until

import unisono
from unisono._arena import Arena, create
from unisono._frames import Inbox, Message
from unisono._job import Job
from unisono._work import Mapped, Pace


@pytest.fixture(scope="module")
def pool():
    with unisono.Pool(2) as pool:
        yield pool


def square(x):
    return x * x


def process(_):
    return os.getpid()


def fails(x):
    if x == 7:
        raise LookupError(f"not {x}")
    return x


def keywords(a, *, b):
    return a, b


def test_an_executor(pool):
    assert isinstance(pool, concurrent.futures.Executor)
    future = pool.submit(keywords, 1, b=2)
    assert isinstance(future, concurrent.futures.Future) and future.result(HANGS) == (1, 2)
    futures = {pool.submit(square, x): x for x in range(300)}
    for future in concurrent.futures.as_completed(futures, HANGS):
        assert future.result() == futures[future] ** 2


def test_map_is_in_order(pool):
    assert list(pool.map(square, range(5000))) == [x * x for x in range(5000)]
    assert list(pool.map(pow, [2, 3], [5, 2, 9])) == [32, 9]
    assert list(pool.map(square, [])) == []
    assert list(pool.map(square, range(100), chunksize=7)) == [x * x for x in range(100)]
    both = pool.map(square, range(200)), pool.map(square, range(200, 400))
    assert [*both[1], *both[0]] == [x * x for x in [*range(200, 400), *range(200)]]


def test_the_workers_stay(pool):
    seen = set(pool.map(process, range(500)))
    assert seen == set(pool.map(process, range(500))) and os.getpid() not in seen and 1 <= len(seen) <= 2


def test_an_exception_comes_back(pool):
    results = pool.map(fails, range(100))
    assert [next(results) for _ in range(7)] == list(range(7))
    with pytest.raises(LookupError, match="not 7") as caught:
        next(results)
    assert "in fails" in str(caught.value.__cause__)
    futures = [pool.submit(fails, x) for x in range(20)]
    assert [future.result(HANGS) for future in futures[:7] + futures[8:]] == [*range(7), *range(8, 20)]
    assert isinstance(futures[7].exception(), LookupError)


def lock(_):
    return threading.Lock()


class Unreadable:
    def __reduce__(self):
        return exec, ("raise OSError('unreadable')",)


def unreadable(x):
    return Unreadable() if x == 1 else x


def test_what_cannot_travel_is_told(pool):
    futures = [pool.submit(square, 1), pool.submit(square, threading.Lock()), pool.submit(square, 3)]
    assert futures[0].result(HANGS) == 1 and futures[2].result(HANGS) == 9
    with pytest.raises(TypeError, match="pickle"):
        futures[1].result(HANGS)
    with pytest.raises(TypeError, match="pickle"):
        pool.submit(lock, 0).result(HANGS)
    with pytest.raises(TypeError, match="pickle"):
        list(pool.map(square, [1, threading.Lock()]))
    futures = [pool.submit(keywords, 0, b=Unreadable() if x == 2 else x) for x in range(5)]
    assert [future.result(HANGS) for future in futures[:2] + futures[3:]] == [(0, 0), (0, 1), (0, 3), (0, 4)]
    with pytest.raises(OSError, match="unreadable"):
        futures[2].result(HANGS)
    assert pool.submit(unreadable, 0).result(HANGS) == 0
    with pytest.raises(RuntimeError, match="a result cannot be read"):
        pool.submit(unreadable, 1).result(HANGS)
    assert list(pool.map(square, range(10))) == [x * x for x in range(10)]


def changes(list):
    list.append(1)
    return len(list)


def test_calls_do_not_share_their_arguments(pool):
    """Several may travel in one message."""
    same = []
    assert set(pool.map(changes, [same] * 1000)) == {1} and not same
    assert {future.result(HANGS) for future in [pool.submit(changes, same) for _ in range(200)]} == {1}


def double(array):
    array *= 2
    return array


def total(array):
    return float(array.sum())


def test_large_arrays(pool):
    numpy = pytest.importorskip("numpy")
    own = [numpy.full((500, 300), float(k)) for k in range(40)]
    results = list(pool.map(double, own))
    assert all((result == 2 * k).all() and result.shape == (500, 300) for k, result in enumerate(results))
    assert all((array == k).all() for k, array in enumerate(own))
    for _ in range(3):  # their places are used again, and not while somebody has them
        assert list(pool.map(total, own)) == [k * 150000.0 for k in range(40)]
        again = list(pool.map(double, own[:5]))
    assert all((result == 2 * k).all() for k, result in enumerate(results)) and (again[4] == 8).all()
    assert list(pool.map(total, numpy.asfortranarray(numpy.ones((3, 100, 100))))) == [10000.0] * 3


kept = []


def keeps(array):
    kept.append(array)
    return all((one == k).all() for k, one in enumerate(kept))


def test_an_array_that_a_worker_keeps_stays(tmp_path):
    numpy = pytest.importorskip("numpy")
    with unisono.Pool(1) as pool:
        assert all(pool.map(keeps, [numpy.full(10000, k) for k in range(50)]))


def meets(x):
    return unisono.rank(), unisono.reduce(x), os.getpid()


def test_all_workers_meet(pool):
    before = set(pool.map(process, range(300)))
    results = pool.run(meets, (5,))
    assert [(rank, sum) for rank, sum, _ in results] == [(0, 10), (1, 10)]
    assert before <= {pid for _, _, pid in results} and [r[1] for r in pool.run(meets, kwargs={"x": 1})] == [2, 2]


def raises():
    if unisono.rank() == 1:
        raise LookupError("mine")
    unisono.wait()


def test_a_pool_that_is_broken_says_why():
    with unisono.Pool(2) as pool:
        with pytest.raises(LookupError, match="mine"):
            pool.run(raises)
        with pytest.raises(unisono.BrokenPool, match="PE . ended with exit status 1"):
            until(lambda: pool.submit(square, 1).result(HANGS) and False)
    with unisono.Pool(2) as pool:
        futures = [pool.submit(os._exit, 3), *(pool.submit(time.sleep, 0.01) for _ in range(5))]
        with pytest.raises(unisono.BrokenPool, match="PE . ended with exit status 3"):
            [future.result(HANGS) for future in futures]
    assert isinstance(futures[0].exception(), concurrent.futures.BrokenExecutor)


def test_shutdown():
    pool = unisono.Pool(1)
    futures = [pool.submit(time.sleep, 0.01) for _ in range(5)]
    pool.shutdown()
    assert all(future.done() for future in futures)
    with pytest.raises(RuntimeError, match="was shut down"):
        pool.submit(square, 1)
    pool = unisono.Pool(1)
    futures = [pool.submit(time.sleep, 0.1) for _ in range(50)]
    pool.shutdown(cancel_futures=True)
    assert sum(future.cancelled() for future in futures) > 40
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="at least one"):
            unisono.Pool(wrong)


def opens(path):
    with open(path):
        return path


def test_what_comes_after_cancelled_calls_is_called(tmp_path):
    paths = [tmp_path / "first", tmp_path / "second"]
    for path in paths:
        os.mkfifo(path)
    with unisono.Pool(1) as pool:
        wait = [pool.submit(opens, path) for path in paths]
        until(wait[1].running)
        others = [pool.submit(square, x) for x in range(9)]
        assert [other.cancel() for other in others[:-1]] == [True] * 8
        for one, path in zip(wait, paths):
            with open(path, "w"):
                assert one.result(HANGS) == path
        assert others[-1].result(HANGS) == 64


def test_who_connects_and_leaves_does_no_harm(pool):
    with pool._lock, socket.socket(socket.AF_UNIX) as other:
        other.connect(pool._listener.getsockname())
    assert pool.submit(square, 4).result(HANGS) == 16


def test_more_than_a_socket_takes_at_once(pool):
    assert pool.submit(len, bytes(1 << 23)).result(HANGS) == 1 << 23


def creates(path):
    open(path, "a").close()


def test_nothing_more_is_called_for_results_that_nobody_wants(tmp_path):
    first, fifo, *others = [tmp_path / str(k) for k in range(12)]
    os.mkfifo(fifo)
    with unisono.Pool(1) as pool:
        results = pool.map(creates, [first, fifo, *others], chunksize=1)
        next(results)
        results.close()
        open(fifo).close()
        assert pool.submit(square, 3).result(HANGS) == 9
    assert first.exists() and not others[-1].exists()


class Interrupts:
    """An object during whose pickling Ctrl-C comes."""

    def __reduce__(self):
        raise KeyboardInterrupt


@pytest.mark.parametrize(("last", "error"), [(threading.Lock(), TypeError), (Interrupts(), KeyboardInterrupt)], ids=str)
def test_what_could_not_be_pickled_leaves_nothing_in_the_message(last, error):
    arena = Arena(create())
    here, there = socket.socketpair()
    message = Message(arena)
    message.add("before")
    with pytest.raises(error):
        message.add([pickle.PickleBuffer(bytearray(1 << 20)), bytes(1 << 17), last])
    assert arena.take(1) == 0
    here.sendall(message.whole("head"))
    inbox = Inbox(there, arena, pickle.Unpickler)
    assert inbox.receive() and [(parcel := inbox.take()).load(), parcel.load()] == ["head", "before"]
    assert not inbox._data


@pytest.mark.parametrize("objects", [[], [1, (2.5, "x"), None, b"y", True], [1, [2], 3], [(1, [2])]], ids=repr)
def test_numbers_and_strings_travel_together(objects):
    """Anything else travels alone, also where it is the same object: one call may change what it was given."""
    arena = Arena(create())
    here, there = socket.socketpair()
    objects = objects + objects
    message = Message(arena)
    together = message.add_together(objects)
    assert together == ("[2]" not in repr(objects))
    for x in objects if not together else []:
        message.add(x)
    message.add("behind")
    here.sendall(message.whole("head"))
    inbox = Inbox(there, arena, pickle.Unpickler)
    assert inbox.receive() and (parcel := inbox.take()).load() == "head"
    came = list(parcel.load_all(len(objects)))
    assert came == objects and parcel.load() == "behind"
    assert not any(x is y for x in came[: len(came) // 2] for y in came[len(came) // 2 :] if isinstance(x, list))


class InterruptedCopy:
    def __setitem__(self, place, data):
        raise KeyboardInterrupt


def test_an_interrupted_copy_takes_no_memory():
    arena = Arena(create())
    arena._view = InterruptedCopy()
    with pytest.raises(KeyboardInterrupt):
        Message(arena).add(pickle.PickleBuffer(bytearray(1 << 20)))
    assert arena.take(1) == 0


def test_ctrl_c_while_a_call_is_pickled(pool):
    for ask in pool.submit, lambda f, x: list(pool.map(f, [x])), lambda f, x: pool.run(f, (x,)):
        with pytest.raises(KeyboardInterrupt):
            ask(square, Interrupts())
    assert pool.submit(square, 4).result(HANGS) == 16 and list(pool.map(square, range(5))) == [0, 1, 4, 9, 16]


def refuse():
    raise LookupError("it does not load")


class Broken:
    def __reduce__(self):
        return refuse, ()


def start_of(_, buffer):
    return bytes(buffer[:1])


def test_a_worker_reads_no_further_than_what_cannot_be_unpickled(tmp_path):
    """The broken argument is in one message with calls after it, whose memory is not mistaken for that of the broken
    one's."""
    fifos = [tmp_path / "first", tmp_path / "second"]
    for fifo in fifos:
        os.mkfifo(fifo)
    with unisono.Pool(1) as pool:
        pool._pace.count = lambda waiting, workers: 16
        wait = [pool.submit(opens, fifo) for fifo in fifos]
        until(wait[1].running)
        buffers = [pickle.PickleBuffer(bytearray([k]) * 100_000) for k in range(12)]
        futures = [pool.submit(start_of, Broken() if k == 6 else None, buffers[k]) for k in range(12)]
        for fifo in fifos:
            open(fifo, "w").close()
        with pytest.raises(LookupError, match="it does not load"):
            futures.pop(6).result(HANGS)
        assert [future.result(HANGS) for future in futures] == [bytes([k]) for k in range(12) if k != 6]


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def test_a_job_that_does_not_start_leaves_no_descriptor(monkeypatch):
    monkeypatch.setattr("unisono._job.path_of_program", lambda: "/no/such/program")
    before = descriptors()
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            Job(2, ["-c", "pass"])
    assert descriptors() == before


@pytest.mark.parametrize(("waiting", "of_map", "of_calls"), [(10000, 100, 10), (800, 25, 10), (100, 10, 10), (8, 2, 2), (1, 1, 1)])
def test_messages_are_longer_while_a_map_has_much_left(waiting, of_map, of_calls):
    """The calls took a millisecond each, and there are two workers."""
    calls = Pace()
    calls.took(10, 10_000_000)
    mapped = Mapped(square, [()] * waiting, None, threading.Lock())
    mapped.pace = calls
    assert (mapped.count(2), calls.count(waiting, 2)) == (of_map, of_calls)


def test_map_has_a_time_limit():
    with unisono.Pool(1) as pool:
        with pytest.raises(concurrent.futures.TimeoutError, match="not all results came"):
            list(pool.map(time.sleep, [0.3], timeout=0.01))


start = 0


def begins(value):
    global start
    start = value


def begun(_):
    return start, os.environ.get("UNISONO_TEST_A"), tuple(sys.argv)


def test_workers_begin_as_asked():
    with unisono.Pool(2, initializer=begins, initargs=(7,), env={"UNISONO_TEST_A": "a"}) as pool:
        assert set(pool.map(begun, range(50))) == {(7, "a", tuple(sys.argv))}


def test_a_callback_may_ask_for_more(pool):
    more = []
    pool.submit(square, 2).add_done_callback(lambda done: more.append(pool.submit(square, done.result())))
    assert until(lambda: more) and more[0].result(HANGS) == 16


SCRIPT = """
import unisono
class Place:
    def __init__(self, x):
        self.x = x
def work(place):
    return Place(place.x + 1)
{guard}with unisono.Pool(2) as pool:
    print([place.x for place in pool.map(work, [Place(x) for x in range(4)])])
"""


def run_script(tmp_path, text, python=sys.executable):
    script = tmp_path / "script.py"
    script.write_text(text)
    return subprocess.run([python, str(script)], capture_output=True, text=True, timeout=HANGS)


def test_a_script_maps_its_own_functions(tmp_path):
    text = SCRIPT.replace("{guard}", "if __name__ == '__main__':\n ").replace("\n    print", "\n     print")
    done = run_script(tmp_path, text)
    assert done.stdout == "[1, 2, 3, 4]\n" and done.stderr == "", done.stderr


VERSIONS = """
import pickle, unisono
def work(x):
    return bytes(x[:2]), len(x)
def meet(x):
    return unisono.reduce(unisono.rank() + x)
if __name__ == "__main__":
    with unisono.Pool(2) as pool:
        large = [pickle.PickleBuffer(bytearray([k]) * 100_000) for k in range(20)]
        assert list(pool.map(work, large)) == [(bytes([k, k]), 100_000) for k in range(20)]
        assert [f.result() for f in [pool.submit(pow, k, 2) for k in range(50)]] == [k * k for k in range(50)]
        print(pool.run(meet, (1,)), unisono.run(meet, (2,), n=2))
"""


@pytest.mark.parametrize("version", versions.VERSIONS)
def test_with_each_python(tmp_path, version):
    done = run_script(tmp_path, VERSIONS, versions.needed(version))
    assert done.stdout == "[3, 3] [5, 5]\n" and done.stderr == "", done.stdout + done.stderr


def test_without_the_guard_that_is_said(tmp_path):
    done = run_script(tmp_path, SCRIPT.replace("{guard}", ""))
    assert done.returncode and 'put it under `if __name__ == "__main__":`' in done.stderr, done.stderr


def test_what_is_defined_in_a_session_travels_by_cloudpickle():
    pytest.importorskip("cloudpickle")
    code = "import sys; sys.ps1 = '>>> '\n" + SCRIPT.replace("{guard}", "")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=HANGS)
    assert done.stdout == "[1, 2, 3, 4]\n", done.stderr


def test_lambdas_travel_by_cloudpickle(pool):
    pytest.importorskip("cloudpickle")
    add = 3
    assert list(pool.map(lambda x: x + add, range(4))) == [3, 4, 5, 6] and pool.submit(lambda: add).result(HANGS) == 3


def test_joblib(pool):
    joblib = pytest.importorskip("joblib")
    import unisono.joblib  # noqa: F401

    with joblib.parallel_backend("unisono", n_jobs=2):
        assert joblib.Parallel()(joblib.delayed(square)(x) for x in range(500)) == [x * x for x in range(500)]
        with pytest.raises(LookupError, match="not 7"):
            joblib.Parallel()(joblib.delayed(fails)(x) for x in range(50))
    assert joblib.Parallel(n_jobs=2, backend="unisono")(joblib.delayed(square)(x) for x in range(3)) == [0, 1, 4]


def test_tqdm(pool, capsys):
    tqdm = pytest.importorskip("tqdm")
    assert list(tqdm.tqdm(pool.map(square, range(100)), total=100)) == [x * x for x in range(100)]
    assert "100/100" in capsys.readouterr().err
