"""Operations by the schedules between nodes: what they give, and the packets that they take."""

import os

import pytest

from machines import program, run

ORACLE = os.environ["UNISONO_ORACLE"]
MANY = ",".join(f"h{i}" for i in range(18))  # so many that they exchange by steps


@pytest.mark.parametrize("hosts", ["a:2,b:2", "a:1,b:3,c:2", "a,b,c,d,a,b", MANY])
def test_an_operation_takes_the_packets_of_its_schedule(hosts):
    r = run(hosts, program("packets"))
    assert (r.returncode, r.stdout, r.stderr) == (0, "", "")


@pytest.mark.parametrize("hosts", ["a,b:2", "a,b,c", "a:2,b,c:2,d,e,f", "a,b,c,d,e,f,g,a,b,c"])
def test_few_nodes_by_steps(hosts):
    r = run(hosts, program("steps"), "--seed", 1, "--operations", 1000)
    assert (r.returncode, r.stderr) == (0, "")


def test_many_nodes():
    r = run(MANY, ORACLE, "--seed", 2, "--operations", 300)
    assert (r.returncode, r.stderr) == (0, "")
