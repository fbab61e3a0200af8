"""Random disturbances of jobs on several nodes: a PE, an agent or the coordinator is killed, the coordinator gets a
signal, a link is cut. For root the nodes are network namespaces, and in two of three rounds an agent is started over
the network, by a process that is no descendant of the coordinator; otherwise they are this machine, by the stand-in for
ssh."""

import atexit
import contextlib
import functools
import itertools
import os
import re
import signal
import subprocess
import time

from disturbed import CRASH, Job, Result, heed_signals
from launcher import UNISONO, launcher_processes, parent
from namespaces import RSH, Impossible, namespaces
from patience import until

MOST = 4  # nodes
END = 2  # seconds in which each job is over
SPEAKERS = 8  # of each node, that say who failed


@functools.cache
def made():
    """The namespaces, until the end of this process; or why there are none."""
    undo = contextlib.ExitStack()
    try:
        nodes = undo.enter_context(namespaces(MOST))
    except Impossible as why:
        return str(why)
    undo.enter_context(nodes.logins())
    atexit.register(undo.close)
    return nodes


def words(pid):
    with contextlib.suppress(OSError):
        return open(f"/proc/{pid}/cmdline").read().split("\0")
    return []


class NodesJob(Job):
    """A job of random operations on 2 to 4 nodes: name[k] and host[k] are those of PE k."""

    def __init__(self, chance, *options, network=False, **popen):
        nodes, count = made(), chance.randint(2, MOST)
        apart = not isinstance(nodes, str)
        self.names = (nodes.names if apart else list("abcd"))[:count]
        self.login = apart and (network or chance.randrange(3) > 0)
        self.rsh = nodes.login if self.login else nodes.rsh if apart else RSH
        slots = [1] * count if chance.randrange(4) == 0 else [chance.randint(1, 3) for _ in range(count)]
        seats = list(itertools.chain.from_iterable([k] * slots[k] for k in range(count)))
        if chance.randrange(3) == 0:
            chance.shuffle(seats)
        self.host = [self.names[k] for k in seats]
        self.before = nodes.enter(0) if self.login else []
        super().__init__(len(seats), os.path.join(os.environ["UNISONO_PROGRAMS"], "chaos"), chance.getrandbits(63), 60000, "begun",
                         options=options, **popen)

    def start(self, *arguments, **popen):
        hosts = ",".join(self.host)
        return subprocess.Popen([*map(str, self.before), UNISONO, "run", "--rsh", self.rsh, "--hosts", hosts, *map(str, arguments)],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **popen)

    def await_work(self):
        """Wait until all are amid operations, and speak if one fails."""
        self.await_processes()
        self.await_lines()
        assert self.read_so_far == "begun\n" * self.n
        self.read_so_far = ""
        return self

    def agent_of(self, k):
        """The processes of the agent that has started PE k: the launcher, the guard, the agent itself."""
        found, pid = [], parent(self.pids[k])
        while "agent" in words(pid):
            found.append(pid)
            pid = parent(pid)
        return found

    def check_survivors(self, names, dead, err):
        """Every PE but the dead names one of these causes, in so many words, once; or, of more than eight on a node, is
        counted."""
        spoke = [int(k) for k, cause in re.findall(r"^unisono: PE (\d+): (.*); this PE was in ", err, re.M) if re.match(names, cause)]
        counted = dict.fromkeys(self.names, 0)
        counted.update((host, int(n)) for n, host in re.findall(r"^unisono run: (\d+) more PEs on (\w+) have ended for the same reason$",
                                                                err, re.M))
        for host in self.names:
            silent = {k for k in range(self.n) if self.host[k] == host} - set(spoke) - set(dead)
            assert len(silent) <= counted[host], f"PEs {silent} on {host} say nothing: {err}"
        assert len(set(spoke)) == len(spoke), err
        strange = [line for line in err.splitlines()
                   if not re.match(r"unisono: PE \d+: |unisono run: (node \w+ is gone: |PE \d+ on \w+ |\d+ more PEs|the launcher was killed)", line)]
        assert not strange and not CRASH.search(err), err

    def check_end(self, took, most=END):
        self.check_nothing_left()
        assert took < most, f"it took {took:.2f} s"


def some_time(chance):
    return chance.choice([0, chance.uniform(0, 0.01), chance.uniform(0, 0.15)])


def early(chance, job):
    """Let the job come to its work, or, in one of four rounds, only to its start. Return true if that is early."""
    if chance.randrange(4) == 0:
        time.sleep(chance.uniform(0, 0.4))
        return True
    job.await_work()
    time.sleep(some_time(chance))
    return False


def pe(chance):
    """One or more PEs of any nodes; the cause is the first one that is heard of."""
    job = NodesJob(chance).await_work()
    victims = chance.sample(range(job.n), chance.choice([1, 1, 1, chance.randint(1, job.n)]))
    time.sleep(some_time(chance))
    job.kill(chance, victims)
    status, out, err, took = job.end()
    assert (status, out) == (137, ""), (status, out, err)
    names = "|".join(f"PE {v} on {job.host[v]}" for v in victims)
    assert re.fullmatch(rf"unisono run: ({names}) was killed by signal 9 \(Killed\)", err.splitlines()[-1]), err
    job.check_survivors(rf"({names}) was killed by signal 9 \(Killed\)", victims, err)
    job.check_end(took)
    return Result("survivors name PE and host", took)


def agent(chance):
    """One process of an agent's three, at any moment of its life."""
    job = NodesJob(chance).await_work()
    time.sleep(some_time(chance))
    victim = chance.randrange(job.n)
    os.kill(chance.choice(job.agent_of(victim)), signal.SIGKILL)
    status, out, err, took = job.end()
    host = job.host[victim]
    assert (status, out) == (1, ""), (status, out, err)
    assert re.fullmatch(rf"unisono run: node {host} is gone: .*", err.splitlines()[-1]), err
    job.check_survivors(rf"node {host} is gone: ", [k for k in range(job.n) if job.host[k] == host], err)
    job.check_end(took)
    return Result("survivors name the node", took)


def coordinator(chance):
    """Some of its three processes."""
    job = NodesJob(chance)
    when = "early" if early(chance, job) else "at work"
    there = launcher_processes(job.p.pid)
    for pid in chance.sample(there, chance.randint(1, len(there))):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    began = time.monotonic()
    status, _, err, _ = job.end()
    assert status in (-9, 137), (status, err)
    assert until(lambda: not job.mark.processes())
    took = time.monotonic() - began
    job.check_end(took)
    return Result(f"all ended ({when})", took)


def interrupt(chance):
    job = NodesJob(chance, preexec_fn=heed_signals)
    when = "early" if early(chance, job) else "at work"
    number = chance.choice([signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
    job.p.send_signal(number)
    status, out, err, took = job.end()
    assert status == -number and not CRASH.search(err), (status, out, err)
    # the command may not be there yet, but the shell that becomes it
    assert when == "early" or err.splitlines()[-1].startswith(f"unisono run: ended by signal {number} "), err
    job.check_end(took)
    return Result(f"ended by the signal ({when})", took)


def link(chance):
    """The coordinator is on the first node, whose cable may be the one that is cut."""
    nodes = made()
    limit = chance.choice([2, 2, 3, 10])
    job = NodesJob(chance, "--heartbeat-timeout", limit, network=True).await_work()
    time.sleep(some_time(chance))
    cut = chance.randrange(len(job.names))
    began = time.monotonic()
    nodes.cut(cut)
    try:
        status, out, err, _ = job.end()
        assert until(lambda: not job.mark.processes())
        took = time.monotonic() - began
    finally:
        nodes.mend(cut)
    assert (status, out) == (1, ""), (status, out, err)
    gone = [job.names[cut]] if cut else job.names[1:]
    names = rf"node ({'|'.join(gone)}) is gone: nothing comes from there any more \(--heartbeat-timeout {limit}\)"
    assert re.fullmatch(f"unisono run: {names}", err.splitlines()[-1]), err
    job.check_survivors(names, [k for k in range(job.n) if job.host[k] in gone], err)
    job.check_end(took, limit + END)
    return Result(f"survivors name the node ({limit} s)", took)


DISTURBANCES = {
    "nodes-pe": pe,
    "nodes-agent": agent,
    "nodes-coordinator": coordinator,
    "nodes-interrupt": interrupt,
    "nodes-link": link,
}


def impossible(name):
    """Return why this disturbance is not possible here; or None."""
    if subprocess.run([UNISONO, "run", "--rsh", RSH, "--hosts", "a,b", os.path.join(os.environ["UNISONO_PROGRAMS"], "chaos"), "1", "1"],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        return "no job runs on two nodes here; is there a libfabric?"
    return made() if name == "nodes-link" and isinstance(made(), str) else None
