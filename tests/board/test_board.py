"""A board at ports: the modelled one, and the calls of real ports in front of it; a PE or a cable that is lost."""

import os
import re
import signal
import subprocess
import time

import pytest

from launcher import children, name_of, program, start, to_end

ORACLE = os.environ["ORACLE"]
PINS = os.environ["PINS"]
STANDINS = os.environ["STANDINS"]
RSH = os.environ["RSH"]
GPIO = "gpiochip%d:2,3,4,17,27,22,10,9:11,5,6,13,19"
PRINTER = "/dev/parport%d"


def below(pid):
    """All processes below one."""
    for child in children(pid):
        yield child
        yield from below(child)


def process(p, name, which=0):
    """A process of the job of that name."""
    return sorted(pid for pid in below(p.pid) if name_of(pid) == f"{name}\n")[which]


def begun(n, unit=("--unit", "board_model"), name="endless", **options):
    p = start("run", *unit, "-n", n, program(name), **options)
    assert p.stdout.readline() == "begun\n"
    return p


def unplug(pins, port):
    subprocess.run(["kill", "-q", str(port), "-s", "USR1", str(pins)], check=True)


def ended(p, *texts):
    out, error = to_end(p)
    assert out == ""
    assert p.returncode != 0
    for text in texts:
        assert re.search(text, error), error


def processor_time(pid):
    """Return the processor time of all threads of a process, in seconds."""
    user, system = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.fixture
def wires(tmp_path):
    """The board behind stand-ins of real ports: its process, and the environment in which programs find it."""
    file = tmp_path / "wires"
    pins = subprocess.Popen([PINS, str(file)])
    while not file.exists() or not file.stat().st_size:
        time.sleep(0.01)
    here = {**os.environ, "BOARD_WIRES": str(file), "LD_LIBRARY_PATH": STANDINS}
    yield pins, {PRINTER: {**here, "LD_PRELOAD": f"{STANDINS}/libppdev.so", "UNISONO_PORT": PRINTER},
                 GPIO: {**here, "UNISONO_PORT": GPIO}}
    pins.kill()
    pins.wait()


@pytest.mark.parametrize("port", [PRINTER, GPIO])
def test_real_calls(wires, port):
    """Random operations through ppdev's calls, and libgpiod's."""
    p = start("run", "--unit", "board", "-n", 3, ORACLE, "--seed", 1, "--operations", 60, env=wires[1][port])
    out, error = to_end(p)
    assert (p.returncode, error) == (0, ""), error


def test_messages_go_past_the_port(wires):
    p = start("run", "--unit", "board", "-n", 2, os.environ["VERTEX"], env=wires[1][PRINTER])
    out, error = to_end(p)
    assert (p.returncode, error) == (0, "unisono run: by shared memory, not by the unit board, went data of: messages\n"), error


def test_machines(wires):
    """One PE a machine: operations by the ports, and the network for messages alone."""
    p = start("run", "--rsh", RSH, "--hosts", "n1:1,n2:1", "--unit", "board", ORACLE, "--seed", 1, "--operations", 20,
              env=wires[1][PRINTER])
    out, error = to_end(p)
    assert (p.returncode, error) == (0, ""), error


def test_no_port():
    p = start("run", "--unit", "board", "-n", 2, program("endless"), env={**os.environ, "UNISONO_PORT": ""})
    ended(p, "p_init: the unit board needs a port: set UNISONO_PORT")
    p = start("run", "--unit", "board", "-n", 2, program("endless"), env={**os.environ, "UNISONO_PORT": "/dev/none"})
    ended(p, "p_init: the port /dev/none: No such file")


def test_idle():
    """While PEs wait their keepers sleep, and so does the board: none of these processes takes a third of the time that
    one gets which is at work, here this one, however busy the machine is."""
    p = begun(3, name="waiting", stdin=subprocess.PIPE)
    idle = [process(p, "waiting", k) for k in range(3)] + [process(p, "pins")]
    before, own = [processor_time(pid) for pid in idle], time.process_time()
    end = time.monotonic() + 2
    while time.monotonic() < end or time.process_time() - own < 0.3:
        pass
    spent, own = [processor_time(pid) - t for pid, t in zip(idle, before)], time.process_time() - own
    assert to_end(p) == ("", "")
    assert p.returncode == 0
    assert max(spent) < own / 3, (spent, own)


def test_killed():
    """The launcher sees it before the others do."""
    p = begun(3)
    os.kill(process(p, "endless", 1), signal.SIGKILL)
    ended(p, r"unisono run: PE \d was killed by signal 9")


def test_stopped():
    """A PE that does not answer, as one of a machine that is off: found at the port, by the others."""
    p = begun(3)
    stopped = process(p, "endless", 1)
    os.kill(stopped, signal.SIGSTOP)
    said = p.stderr.readline()
    os.kill(stopped, signal.SIGCONT)  # otherwise the launcher waits for its end
    to_end(p)
    assert re.match(r"unisono: PE [02]: (PE|one of the PEs) {[\d,-]*1[\d,-]*} does not answer at the board \(the modelled board\)", said)


@pytest.mark.parametrize("n, port", [(2, 0), (4, 3)])
def test_unplugged(n, port):
    p = begun(n)
    unplug(process(p, "pins"), port)
    ended(p, rf"unisono: PE \d: (PE {port} is not at the board any more|the modelled board: all lines from)")


def test_unplugged_port(wires):
    """The PE itself finds that nothing is plugged into its port."""
    p = begun(2, ("--unit", "board"), env=wires[1][PRINTER])
    os.kill(process(p, "endless", 0), signal.SIGSTOP)  # it would be the first to find that the other one is gone
    unplug(wires[0].pid, 1)
    ended(p, r"unisono: PE 1: /dev/parport1: all lines from the board are high|PE 0 does not answer")
