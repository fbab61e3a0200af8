"""The start of a program: the command, its environment, and its end."""

import os
import signal
import subprocess
import time

import pytest

from command import MPICH, OPENMPI, place  # noqa: F401

ENVIRONMENT = "env"


def told(result, name):
    """The values of a variable in what `env` printed."""
    return [line.split("=", 1)[1] for line in result.stdout.splitlines() if line.startswith(name + "=")]


def test_preloaded_before_what_there_was(place):
    first = place.accelerator("abi")  # any library
    launcher = place.launcher(MPICH, ENVIRONMENT)
    assert told(place.run(launcher), "LD_PRELOAD") == [str(place.accelerator("mpich"))]
    environment = {**place.environment, "LD_PRELOAD": str(first)}
    assert told(place.run(launcher, env=environment), "LD_PRELOAD") == [f"{place.accelerator('mpich')}:{first}"]


def test_passed_on_by_open_mpi(place):
    environment = {**place.environment, "UNISONO_MPI_TUNE": "none"}
    r = place.run("--fast-math", place.launcher(OPENMPI), "-n", "1", "true", ":", "-n", "2", "true", ":x", env=environment)
    words = r.stdout.splitlines()
    colon = words.index(":")
    for part in words[:colon], words[colon + 1:]:
        options = {part[i + 1] for i, word in enumerate(part) if word == "-x"}
        assert options == {"LD_PRELOAD", "UNISONO_MPI_FAST_MATH", "UNISONO_MPI_TUNE"}
        assert part[-1] in ("true", ":x") and "-n" in part


def test_passed_on_by_mpich(place):
    r = place.run("--nodes", "2", place.launcher(MPICH), "-n", "1", "true", ":", "-n", "2", "true")
    words = r.stdout.splitlines()
    genv = {words[i + 1]: words[i + 2] for i, word in enumerate(words) if word == "-genv"}
    assert genv == {"LD_PRELOAD": str(place.accelerator("mpich")), "UNISONO_MPI_NODES": "2"}
    assert words[3 * len(genv):] == ["-n", "1", "true", ":", "-n", "2", "true"]


def test_command_takes_the_place_of_unisono(place):
    """No process is added where nothing is to be done at the end."""
    p = subprocess.Popen([place.unisono, "mpi", place.launcher(MPICH, "echo $$")], stdout=subprocess.PIPE, text=True,
                         env=place.environment)
    assert p.communicate(timeout=60)[0] == f"{p.pid}\n"


@pytest.mark.parametrize("options", [[], ["--profile"]])
@pytest.mark.parametrize("then, status", [("exit 0", 0), ("exit 3", 3), ("kill -TERM $$", -signal.SIGTERM),
                                          ("kill -KILL $$", -signal.SIGKILL)])
def test_exit_status(place, options, then, status):
    r = place.run(*options, place.launcher(MPICH, then))
    if options and status == 0:
        status = 1  # there is no profile
    assert r.returncode == status


def test_folder_that_the_loader_would_not_take(place):
    folder = place.folder / "with blank"
    (place.folder / "installed").rename(folder)
    place.unisono = folder / "bin/unisono"
    r = place.run(place.launcher(MPICH), "true")
    assert r.returncode == 2 and "the loader cannot load a file with a blank or colon in its path" in r.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_are_passed_on(place, number):
    name = signal.Signals(number).name.removeprefix("SIG")
    launcher = place.launcher(MPICH, f"trap 'echo got; exit 9' {name}\necho ready\nwhile :; do sleep 0.05; done")
    p = subprocess.Popen([place.unisono, "mpi", "--profile", launcher], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, env=place.environment)
    assert p.stdout.readline() == "ready\n"
    p.send_signal(number)
    out, _ = p.communicate(timeout=60)
    assert (out, p.returncode) == ("got\n", 9)


def test_launcher_ends_if_unisono_is_killed(place):
    launcher = place.launcher(MPICH, "trap 'echo ended; exit 9' TERM\necho ready\nwhile :; do sleep 0.05; done")
    p = subprocess.Popen([place.unisono, "mpi", "--profile", launcher], stdout=subprocess.PIPE, text=True,
                         env={**place.environment, "TMPDIR": str(place.folder)})  # it cannot clear away
    assert p.stdout.readline() == "ready\n"
    p.kill()
    assert p.communicate(timeout=60)[0] == "ended\n"


def test_ignored_children_are_waited_for(place):
    command = ["python3", "-c", "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
               "os.execv(sys.argv[1], sys.argv[1:])", place.unisono, "mpi", "--profile", place.launcher(MPICH, "exit 5")]
    assert subprocess.run(command, stderr=subprocess.DEVNULL, env=place.environment, timeout=60).returncode == 5


def test_children_of_before_stay(place):
    """A command inherits by exec the children of the program before it: they are no part of the job."""
    p = subprocess.Popen(["bash", "-c", "sleep 300 >/dev/null 2>&1 & echo $!; sleep 0.1 & exec \"$@\"", "bash", place.unisono,
                          "mpi", "--profile", place.launcher(MPICH, "sleep 0.3; exit 5")], env=place.environment, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    stranger = int(p.stdout.readline())
    try:
        assert p.wait(60) == 5
        assert open(f"/proc/{stranger}/comm").read() == "sleep\n"
    finally:
        os.kill(stranger, signal.SIGKILL)
