"""Nodes that are apart: each a network namespace with an address and a host name of its own."""

import os
import subprocess
import uuid

import pytest

from machines import RSH, launcher, program, strangers


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def nodes():
    """Three namespaces on a bridge. Returns the first letters of their names."""
    mark = "u" + uuid.uuid4().hex[:5]
    if os.geteuid():
        pytest.skip("skipped: only root makes network namespaces")
    made = ip("link", "add", mark, "type", "bridge")
    if made.returncode or ip("netns", "add", f"{mark}0").returncode:
        ip("link", "del", mark)
        pytest.skip(f"skipped: there are no network namespaces here: {made.stderr.strip()}")
    ip("link", "set", mark, "up")
    for i in range(3):
        ip("netns", "add", f"{mark}{i}")
        ip("link", "add", f"{mark}v{i}", "type", "veth", "peer", "name", "eth0", "netns", f"{mark}{i}")
        ip("link", "set", f"{mark}v{i}", "master", mark, "up")
        for words in (["addr", "add", f"10.99.77.{i + 1}/24", "dev", "eth0"], ["link", "set", "eth0", "up"],
                      ["link", "set", "lo", "up"]):
            ip("-n", f"{mark}{i}", *words)
    yield mark
    for i in range(3):
        ip("netns", "del", f"{mark}{i}")
    ip("link", "del", mark)


def run(mark, tmp_path, hosts, *arguments):
    """Run a job on hosts such as 0:2,1:2, which are the namespaces of these numbers."""
    rsh = tmp_path / "rsh"
    # not `ip netns exec`, which would put another /sys in place
    rsh.write_text(f'#!/bin/sh\nexport HERE=$1\nexec nsenter --net=/run/netns/$1 unshare -u sh -c '
                   f'\'hostname $HERE; exec {RSH} "$@"\' sh "$@"\n')
    rsh.chmod(0o755)
    names = ",".join(mark + host for host in hosts.split(","))
    return launcher.run("run", "--rsh", rsh, "--hosts", names, *arguments)


def test_names(nodes, tmp_path):
    r = run(nodes, tmp_path, "0:1,1:2,2:1", "--tag", "hostname")
    assert sorted(r.stdout.splitlines()) == [f"[{k}] {nodes}{node}" for k, node in enumerate([0, 1, 1, 2])]
    assert (r.returncode, r.stderr) == (0, strangers(4))


@pytest.mark.parametrize("options", [[], ["--interface", "eth0"], ["--ports", "23000-23099"]], ids=["plain", "interface", "ports"])
def test_pes_meet(nodes, tmp_path, options):
    r = run(nodes, tmp_path, "0:2,1:1,2:1,0:1", *options, program("pes"), "meet")
    if "cannot load libfabric" in r.stderr:
        pytest.skip("skipped: there is no libfabric")
    assert (r.returncode, sorted(r.stdout.splitlines())) == (0, [f"PE {k}: 10" for k in range(5)]), r.stderr
