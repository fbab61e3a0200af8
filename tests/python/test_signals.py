"""Ctrl-C, and functions of signals, while a PE waits in the library."""

import os
import signal
import subprocess
import sys
import time

import pytest
from patience import HANGS, SOON, until

WAITS = """
import os, time, unisono
me = unisono.rank()
unisono.wait()
print(os.getpid(), flush=True)
if me == 0:
    time.sleep(1000)
{}
"""


@pytest.mark.parametrize("wait, place", [("unisono.wait()", "p_wait"), ("unisono.reduce(memoryview(bytes(1000)))", "p_matchCount64u")])
def test_ctrl_c_ends_a_script(at_terminal, tmp_path, wait, place):
    """Each PE prints a traceback, unless it is ended after the second that the launcher gives it."""
    script = tmp_path / "script.py"
    script.write_text(WAITS.format(wait))
    text, status, seconds = at_terminal([os.environ["UNISONO"], "run", "-n", "3", sys.executable, str(script)], None, place, place)
    assert text.count("KeyboardInterrupt") == 3 and text.count("line 8, in <module>") == 2, text
    assert os.WTERMSIG(status) == signal.SIGINT and seconds < SOON, (status, seconds)


def test_ctrl_c_ends_run(at_terminal, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("""
import os, time, unisono

def work():
    unisono.wait()
    print(os.getpid(), flush=True)
    time.sleep(1000) if unisono.rank() == 0 else unisono.wait()

if __name__ == "__main__":
    try:
        unisono.run(work, n=2)
    except KeyboardInterrupt as error:
        print("the cause:", type(error.__cause__).__name__, error.__cause__.traceback)
        raise
""")
    text, status, seconds = at_terminal([sys.executable, str(script)], None, "p_wait")
    assert "the cause: PEError Traceback" in text and "in work" in text, text
    assert text.rstrip().endswith("KeyboardInterrupt"), text
    assert os.WTERMSIG(status) == signal.SIGINT and seconds < SOON, (status, seconds)


def test_a_notebook_interrupts_its_own_process_alone(tmp_path):
    """The job is ended all the same, before its files go, and says where it was."""
    started = tmp_path / "started"
    script = tmp_path / "script.py"
    script.write_text(f"""
import pathlib, unisono

def work():
    unisono.wait()
    pathlib.Path({str(started)!r}).touch()
    if unisono.rank():
        unisono.wait()
    while True:
        pass

if __name__ == "__main__":
    unisono.run(work, n=2)
""")
    job = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert until(started.exists)
    pressed = time.monotonic()
    job.send_signal(signal.SIGINT)
    said = job.communicate(timeout=HANGS)[1]
    assert "PEError: PE " in said and "in work" in said and "FileNotFoundError" not in said, said
    assert job.returncode == -signal.SIGINT and time.monotonic() - pressed < SOON


def test_the_function_of_a_signal_runs_while_a_pe_waits(on_pes):
    """The function may raise an exception; the job has failed then."""
    said = on_pes(2, """
import os, pathlib, signal, unisono
from patience import until
from places import wait_at
seen, heard = [], pathlib.Path(__file__).with_name("heard")
def note(number, frame):
    seen.append(number)
    try:
        unisono.wait()
    except RuntimeError as error:
        assert "what handles a signal meanwhile cannot call" in str(error), error
    heard.touch()
def end(number, frame):
    heard.unlink()
    raise TimeoutError("enough")
signal.signal(signal.SIGUSR1, note)
signal.signal(signal.SIGUSR2, end)
other = unisono.gather(os.getpid())[1]
if unisono.rank() == 0:
    assert wait_at(other, None, "p_wait")
    os.kill(other, signal.SIGUSR1)
    assert until(heard.exists)
unisono.wait()
assert seen == ([signal.SIGUSR1] if unisono.rank() else [])
me = unisono.rank()
unisono.all(True)
if me == 0:
    assert wait_at(other, None, "p_wait")
    os.kill(other, signal.SIGUSR2)
    assert until(lambda: not heard.exists())
try:
    unisono.wait()
    unisono.wait()
except TimeoutError:
    assert me == 1
    unisono.wait()
""", fails=True)
    assert "unisono.Error: the job has failed before: PE 1: an exception ended its wait" in said, said
    assert "unisono.Error: PE 0: PE 1 ended with an error: an exception ended its wait" in said, said


def test_a_child_that_is_made_while_a_pe_waits(on_pes):
    """The child does not go on with the wait, which is its parent's."""
    on_pes(2, """
import os, pathlib, signal, unisono
from patience import until
from places import wait_at
children, heard = [], pathlib.Path(__file__).with_name("heard")
def fork(number, frame):
    children.append(os.fork())
    heard.touch()
signal.signal(signal.SIGUSR1, fork)
other = unisono.gather(os.getpid())[1]
if unisono.rank() == 0:
    assert wait_at(other, None, "p_wait")
    os.kill(other, signal.SIGUSR1)
    assert until(heard.exists)
try:
    unisono.wait()
except RuntimeError as error:
    os._exit(7 if "is a child of a PE" in str(error) else 8)
for child in children:
    assert os.waitpid(child, 0)[1] >> 8 == 7
assert len(children) == unisono.rank()
unisono.wait()
""")
