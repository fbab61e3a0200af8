"""The completions that the shells offer: commands, options, programs, each from the program's own tables."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from launcher import UNISONO, run
from terminal import Terminal

FOLDER = Path(os.environ["UNISONO_COMPLETION"])
COMMANDS = [line.split("\t")[0] for line in run("complete").stdout.splitlines()]
WORDS = [  # a line as it is written, and the words that are offered
    ("unisono b", {"bench"}),
    ("unisono help in", {"info", "inspect"}),
    ("unisono comp", {"compare"}),
    ("unisono compare --ht", {"--html"}),
    ("unisono run --ti", {"--timeout"}),
    ("unisono bench --js", {"--json"}),
    ("unisono mpirun --tag", {"--tag-output"}),
    ("unisono --vers", {"--version"}),
]


def shell(name, *words):
    """Return the text that a shell prints, with unisono in its PATH."""
    if not shutil.which(name):
        pytest.skip(f"skipped: there is no {name}")
    environment = {**os.environ, "PATH": f"{Path(UNISONO).parent}:{os.environ['PATH']}", "TERM": "dumb"}
    r = subprocess.run([name, *map(str, words)], capture_output=True, text=True, check=False, env=environment, timeout=60,
                       stdin=subprocess.DEVNULL)
    assert r.returncode == 0, r.stderr
    return r.stdout


def test_lines():
    assert {"run", "mpirun", "ps", "bench", "help"} <= set(COMMANDS)
    for command in [word for word in COMMANDS if not word.startswith("-") and word != "help"]:
        lines = [line.split("\t") for line in run("complete", command).stdout.splitlines()]
        assert all(len(line) == 2 and line[0].startswith("-") and line[1] for line in lines), command
        assert "--help" in [line[0] for line in lines]
    shown = run("run", "--help").stdout
    assert all(line.split("\t")[0] in shown for line in run("complete", "run").stdout.splitlines())


@pytest.mark.parametrize("line, offered", WORDS)
def test_bash(line, offered):
    words = line.split()
    script = (f"source {FOLDER}/unisono.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _unisono; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    assert set(shell("bash", "-c", script).split()) == offered


def test_bash_programs():
    script = (f"source {FOLDER}/unisono.bash; COMP_WORDS=(unisono run -n 2 print); COMP_CWORD=4; _unisono; "
              "printf '%s\\n' \"${COMPREPLY[@]}\"")
    assert "printenv" in shell("bash", "-c", script).split()


@pytest.mark.parametrize("line, offered", WORDS)
def test_fish(line, offered):
    out = shell("fish", "--no-config", "-c", f"source {FOLDER}/unisono.fish; complete --do-complete '{line}'")
    assert {row.split("\t")[0] for row in out.splitlines()} == offered


@pytest.mark.parametrize("line, offered", [row for row in WORDS if len(row[1]) == 1])
def test_zsh(line, offered):
    """On a terminal, where the only word that fits is put in."""
    if not shutil.which("zsh"):
        pytest.skip("skipped: there is no zsh")
    environment = {**os.environ, "PATH": f"{Path(UNISONO).parent}:{os.environ['PATH']}", "TERM": "dumb"}
    with Terminal(["zsh", "-f", "-i"], environment) as terminal:
        terminal.type(f"fpath=({FOLDER} $fpath); autoload -Uz compinit; compinit -D -u; print -r -- rea''dy\n")
        assert terminal.shows("ready"), terminal.text()
        terminal.type(f"{line}\t")
        assert terminal.shows(f"{line.rsplit(' ', 1)[0]} {min(offered)}"), terminal.text()
