"""Nodes that are apart: each a network namespace with an address and a host name of its own."""

import re
import subprocess
import time

import pytest

from machines import Mark, launcher, program, strangers
from namespaces import Impossible, namespaces
from patience import HANGS, check_seconds, until


@pytest.fixture(scope="module")
def nodes():
    try:
        with namespaces(3) as made:
            yield made
    except Impossible as why:
        pytest.skip(f"skipped: {why}")


def run(nodes, hosts, *arguments):
    """Run a job on hosts such as 0:2,1:2, which are the namespaces of these numbers."""
    names = ",".join(nodes.mark + host for host in hosts.split(","))
    return launcher.run("run", "--rsh", nodes.rsh, "--hosts", names, *arguments)


def test_names(nodes):
    r = run(nodes, "0:1,1:2,2:1", "--tag", "hostname")
    assert sorted(r.stdout.splitlines()) == [f"[{k}] {nodes.names[node]}" for k, node in enumerate([0, 1, 1, 2])]
    assert (r.returncode, r.stderr) == (0, strangers(4))


@pytest.mark.parametrize("options", [[], ["--interface", "eth0"], ["--ports", "23000-23099"]], ids=["plain", "interface", "ports"])
def test_pes_meet(nodes, options):
    r = run(nodes, "0:2,1:1,2:1,0:1", *options, program("pes"), "meet")
    if "cannot load libfabric" in r.stderr:
        pytest.skip("skipped: there is no libfabric")
    assert (r.returncode, sorted(r.stdout.splitlines())) == (0, [f"PE {k}: 10" for k in range(5)]), r.stderr


@pytest.mark.parametrize("cut", [0, 2])
def test_a_link_is_cut(nodes, cut):
    """The coordinator is on node 0. Everybody ends: its PEs and those of the node behind the cut."""
    mark = Mark()

    def once():
        with nodes.logins():
            p = subprocess.Popen(nodes.enter(0, launcher.UNISONO, "run", "--rsh", nodes.login, "--heartbeat-timeout", "2", "--hosts",
                                             ",".join(nodes.names), "sh", "-c", "echo ready; sleep 1000; true"),
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=mark.environment)
            for _ in nodes.names:
                assert p.stdout.readline() == "ready\n"
            began = time.monotonic()
            nodes.cut(cut)
            _, err = p.communicate(timeout=HANGS)
            name = nodes.names[cut] if cut else rf"{nodes.mark}[12]"
            assert p.returncode == 1
            assert re.fullmatch(rf"unisono run: node {name} is gone: nothing comes from there any more \(--heartbeat-timeout 2\)\n", err), err
            assert until(lambda: not mark.processes()), mark.processes()
            took = time.monotonic() - began
            nodes.mend(cut)
            return took

    check_seconds(3, once)
