"""The command behind script/slurm-nodes: Slurm's daemons in network namespaces, and test_same.py in an allocation."""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import building
from namespaces import Impossible, namespaces

HERE = Path(__file__).resolve().parent
COUNT = 4
DAEMONS = "slurmctld", "slurmd"
SETTINGS = """ClusterName=unisono
SlurmctldHost={first}({address})
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
TmpFS={folder}/tmp-%n
"""


def settings(nodes, folder):
    """One processor a node, so that each gets one PE."""
    lines = [SETTINGS.format(first=nodes.names[0], address=nodes.address(0), folder=folder)]
    for k, name in enumerate(nodes.names):
        (folder / f"tmp-{name}").mkdir()
        lines.append(f"NodeName={name} NodeHostname={name} NodeAddr={nodes.address(k)} CPUs=1\n")
    lines.append(f"PartitionName=all Nodes={','.join(nodes.names)} Default=YES State=UP\n")
    return "".join(lines)


@contextlib.contextmanager
def slurm(nodes, folder):
    """Run the daemons meanwhile; yield the environment of Slurm's commands."""
    (folder / "slurm.conf").write_text(settings(nodes, folder))
    environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}
    with contextlib.ExitStack() as undo:
        for k, words in [(0, ["slurmctld", "-D"]), *((k, ["slurmd", "-D", "-N", name]) for k, name in enumerate(nodes.names))]:
            daemon = undo.enter_context(subprocess.Popen(nodes.enter(k, *words), env=environment, stdin=subprocess.DEVNULL,
                                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            undo.callback(daemon.terminate)
        yield environment


def parse():
    parser = argparse.ArgumentParser(prog="script/slurm-nodes", description=__doc__)
    parser.add_argument("-k", dest="names", metavar="EXPRESSION", help="the tests of these names, as for pytest")
    building.add_option(parser)
    return parser.parse_args()


def main():
    options = parse()
    building.bring_up(options)
    if not all(map(shutil.which, DAEMONS)):
        raise Impossible(f"there is no {' or '.join(DAEMONS)} here (Debian: slurm-wlm)")
    with namespaces(COUNT) as nodes, tempfile.TemporaryDirectory(prefix="unisono-slurm.") as folder:
        with slurm(nodes, Path(folder)) as environment:
            words = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "test_same.py",
                     *(["-k", options.names] if options.names else [])]
            return subprocess.run(nodes.enter(0, "salloc", "--quiet", f"--nodes={COUNT}", "--immediate=60", *words), check=False,
                                  env={**environment, "UNISONO_FOUR": "--hosts slurm"}).returncode


try:
    sys.exit(main())
except Impossible as why:
    print(f"slurm-nodes: {why}", file=sys.stderr)
    sys.exit(77)
