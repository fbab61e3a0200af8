"""Debian's source packages, fetched without a change to the system's lists of sources."""

import os
import shutil
import subprocess

from hosts import Missing


def command(*words, folder=None):
    result = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True)
    if result.returncode:
        raise Missing(f"{' '.join(map(str, words))}: {(result.stdout + result.stderr).strip()[-600:]}")
    return result.stdout


def source_lists(folder):
    """The system's own archives, for sources; apt's options that read only those. apt knows a format by its suffix."""
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "parts").mkdir(exist_ok=True)
    for part in ("/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"):
        if os.path.exists(part):
            text = open(part, encoding="utf-8").read().replace("Types: deb\n", "Types: deb-src\n")
            text = "\n".join("deb-src" + line[3:] if line.startswith("deb ") else line for line in text.split("\n"))
            (folder / "parts" / ("src" + os.path.splitext(part)[1])).write_text(text)
    return ["-qq", "-o", "Dir::Etc::SourceList=/dev/null", "-o", f"Dir::Etc::SourceParts={folder}/parts",
            "-o", f"Dir::State::Lists={folder}/lists"]


def source_package(package, work, *how):
    """The folder into which apt fetched a source package; `how`: further words of apt-get source."""
    if not shutil.which("apt-get"):
        raise Missing(f"Debian's source package {package}: there is no apt-get here")
    options = source_lists(work)
    folder = work / package
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command("apt-get", *options, "update")
    command("apt-get", *options, "source", *how, package, folder=folder)
    return folder
