"""Completes in bash, zsh and fish, each at a terminal: completion.py PREFIX. The program and its completions are
installed below PREFIX; if that is not /usr, the shells are told of it as docs/commands.md says. A command is completed
and then run, an option is completed. A shell that is missing is skipped."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # installed by Debian's package, the files lie in one folder
from terminal import Terminal  # noqa: E402

LOADER = "/usr/share/bash-completion/bash_completion"
SHELLS = {  # what starts it without anybody's settings, what it needs, and a line that makes it complete
    "bash": (["bash", "--norc", "-i"], LOADER, f". {LOADER}"),
    "zsh": (["zsh", "-f", "-i"], None, "{fpath}autoload -Uz compinit; compinit -D -u"),
    "fish": (["fish", "-i"], None, ":"),
}


def environment(prefix, home):
    settings = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": f"{home}/.config", "XDG_DATA_HOME": f"{home}/.local/share",
                "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    settings.pop("XDG_DATA_DIRS", None)
    if prefix != "/usr":
        settings.update(PATH=f"{prefix}/bin:{settings['PATH']}", XDG_DATA_DIRS=f"{prefix}/share:/usr/local/share:/usr/share")
    return settings


def complete(name, prefix):
    """Complete in this shell. Return what went wrong."""
    command, _, setting = SHELLS[name]
    fpath = "" if prefix == "/usr" else f"fpath=({prefix!r}/share/zsh/site-functions $fpath); "
    with tempfile.TemporaryDirectory() as home, Terminal(command, environment(prefix, home)) as terminal:
        terminal.type(setting.format(fpath=fpath) + "\n")
        terminal.type("printf '%s%s\\n' rea dy\n")
        if not terminal.shows("ready"):
            return f"it never came to its prompt: {terminal.text()}"
        terminal.type("unisono inf\t\n")
        if not terminal.shows("processors"):
            return f"a command was not completed: {terminal.text()}"
        terminal.type("unisono run --timeo\t")
        if not terminal.shows("unisono run --timeout"):
            return f"an option was not completed: {terminal.text()}"
    return None


def main():
    prefix, failed = sys.argv[1], False
    for name, (_, needed, _) in SHELLS.items():
        if not shutil.which(name) or needed and not os.path.exists(needed):
            print(f"completion: skipped: there is no {needed if shutil.which(name) else name}", flush=True)
            continue
        wrong = complete(name, prefix)
        print(f"completion: {name}: {wrong or 'completes a command and an option'}", flush=True)
        failed = failed or bool(wrong)
    return failed


sys.exit(main())
