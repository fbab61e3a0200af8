"""Nodes that are apart: each a network namespace with an address and a host name of its own."""

import pytest

from machines import launcher, program, strangers
from namespaces import Impossible, namespaces


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
