"""Machines that are apart, on this one: network namespaces on a bridge, each with an address and a host name of its
own. Only root can make them."""

import contextlib
import os
import shlex
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

RSH = Path(__file__).with_name("rsh")
LOGIN = Path(__file__).with_name("login.py")


class Impossible(Exception):
    """There can be no network namespaces here; the text says why."""


def ip(*words):
    """Call ip(8); what it says if it fails, otherwise nothing."""
    done = subprocess.run(["ip", *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    return done.stderr.strip() or f"ip ended with exit status {done.returncode}" if done.returncode else ""


class Namespaces:
    """Node k has the name names[k], which starts with mark, and the address address(k). rsh is a stand-in for ssh, a
    script that runs a command on the node of a name; login is another one, which does so over the network, for a caller
    on one of the nodes: enter(k, ...) are the words of a command there."""

    def __init__(self, count, folder):
        self.mark = "u" + uuid.uuid4().hex[:5]
        self.names = [f"{self.mark}{k}" for k in range(count)]
        # not `ip netns exec`, which would put another /sys in place
        self._enter = folder / "enter"
        self._write(self._enter, "export HERE=$1; shift; exec nsenter --net=/run/netns/$HERE "
                                 "unshare -u sh -c 'hostname $HERE; exec \"$@\"' sh \"$@\"")
        self.rsh = folder / "rsh"
        self._write(self.rsh, f"exec {self._enter} $1 {shlex.quote(str(RSH))} \"$@\"")
        self.login = folder / "login"
        nodes = " ".join(f"{name}) k={self.address(k)} ;;" for k, name in enumerate(self.names))
        self._write(self.login, f"case $1 in {nodes} esac; shift\nexec {sys.executable} -B {shlex.quote(str(LOGIN))} $k \"$@\"")

    @staticmethod
    def _write(script, text):
        script.write_text(f"#!/bin/sh\n{text}\n")
        script.chmod(0o755)

    def enter(self, k, *words):
        return [self._enter, self.names[k], *words]

    @contextlib.contextmanager
    def logins(self):
        """Let login work meanwhile."""
        with contextlib.ExitStack() as undo:
            for k in range(len(self.names)):
                serves = undo.enter_context(subprocess.Popen(
                    self.enter(k, sys.executable, "-B", LOGIN, "serve", self.address(k)), stdout=subprocess.PIPE))
                undo.callback(serves.kill)
                serves.stdout.readline()
            yield

    @staticmethod
    def address(k):
        """The same in each set of namespaces: no bridge reaches another one."""
        return f"10.99.77.{k + 1}"

    def cut(self, k):
        """Pull node k's cable."""
        self._set(k, "down")

    def mend(self, k):
        """Put it back. Whoever was looking for another node meanwhile has not found it, and looks again."""
        self._set(k, "up")
        for name in self.names:
            ip("-n", name, "neigh", "flush", "dev", "eth0")

    def _set(self, k, state):
        said = ip("link", "set", f"{self.mark}v{k}", state)
        if said:
            raise OSError(said)


def _join_by_bridge(nodes, undo):
    yield ip("link", "add", nodes.mark, "type", "bridge")
    undo.callback(ip, "link", "del", nodes.mark)
    yield ip("link", "set", nodes.mark, "up")
    for k, name in enumerate(nodes.names):
        outside = f"{nodes.mark}v{k}"
        yield ip("link", "add", outside, "type", "veth", "peer", "name", "eth0", "netns", name)
        yield ip("link", "set", outside, "master", nodes.mark, "up")


def _join_by(switch, nodes, undo):
    process = undo.enter_context(subprocess.Popen([*map(str, switch), *nodes.names], stdout=subprocess.PIPE,
                                                  stderr=subprocess.PIPE, text=True))
    undo.callback(process.kill)
    yield "" if process.stdout.readline() == "up\n" else process.stderr.read().strip()


def _make(nodes, switch, undo):
    """Yield what each step says if it fails. What is made is removed again by the stack undo."""
    for name in nodes.names:
        yield ip("netns", "add", name)
        undo.callback(ip, "netns", "del", name)
    yield from _join_by(switch, nodes, undo) if switch else _join_by_bridge(nodes, undo)
    for k, name in enumerate(nodes.names):
        yield ip("-n", name, "addr", "add", f"{nodes.address(k)}/24", "dev", "eth0")
        for device in "lo", "eth0":
            yield ip("-n", name, "link", "set", device, "up")


@contextlib.contextmanager
def namespaces(count, switch=()):
    """Yield so many nodes as Namespaces; Impossible if there can be none. switch: the words of a program that joins
    them instead of the kernel's bridge. It gets their names as well, makes a device eth0 in each, and says "up"."""
    if os.geteuid():
        raise Impossible("only root makes network namespaces")
    with contextlib.ExitStack() as undo:
        nodes = Namespaces(count, Path(undo.enter_context(tempfile.TemporaryDirectory(prefix="unisono-nodes."))))
        try:
            said = next(filter(None, _make(nodes, switch, undo)), "")
        except FileNotFoundError:
            said = "there is no command ip"
        if said:
            raise Impossible(f"there are no network namespaces here: {said}")
        yield nodes
