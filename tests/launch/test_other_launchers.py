"""A program that another launcher has started: it says so, and does not run as one PE of one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from launcher import HANGS, UNISONO, program, run

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMI", "SLURM_", "MPI_LOCAL", "UNISONO_JOB"))}
LIBRARY = os.environ["UNISONO_MPI_LIBRARY"]
PEERS = Path(__file__).resolve().parents[2] / ".peers"
MPI = f"import ctypes; ctypes.CDLL({LIBRARY!r}).MPI_Init(None, None)"
NAMES = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"]  # variables of other launchers with the number of processes
LAUNCHERS = {"mpich": ["-n", "3"], "openmpi": ["--allow-run-as-root", "--oversubscribe", "-n", "3"]}


def ended(*command, **variables):
    done = subprocess.run([str(word) for word in command], env={**CLEAN, **variables}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=HANGS)
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_another_launcher(name):
    assert ended(program("empty"), **{name: "4"}) == (
        1, f"unisono: p_init: another launcher has started 4 of these processes ({name}), each of which would be PE 0 of 1; use "
        "`unisono run -n 4 PROGRAM`; or set UNISONO_JOB= for jobs of one PE\n")


@pytest.mark.parametrize("name", NAMES)
def test_another_launcher_of_ranks(name):
    if not LIBRARY:
        pytest.skip("skipped: the MPI library was not built")
    if os.environ["UNISONO_SANITIZE"]:
        pytest.skip("skipped: python was not built with the sanitizer that the MPI library was built with")
    status, said = ended(sys.executable, "-c", MPI, **{name: "4"})
    assert status == 1 and f"MPI_Init: another launcher has started 4 of these processes ({name})" in said


@pytest.mark.parametrize("variables", [
    {"OMPI_COMM_WORLD_SIZE": "1"}, {"PMI_SIZE": "1", "PMI_RANK": "0"}, {"PMI_SIZE": "many"},
    {"PMI_SIZE": "4", "UNISONO_JOB": ""}], ids=str)
def test_one_process(variables):
    """Nothing is said if the launcher has started one process, for values that no launcher has written, and if the user
    has set UNISONO_JOB."""
    assert ended(program("empty"), **variables) == (0, "")


# Slurm's variables for an allocation of 4 tasks (env_array_for_batch_job, env_array_for_step and setup_env in its
# src/common/env.c).
ALLOCATED = {"SLURM_JOB_ID": "7", "SLURM_NTASKS": "4", "SLURM_NPROCS": "4", "SLURM_TASKS_PER_NODE": "4", "SLURM_JOB_NUM_NODES": "1"}
ONE = {"SLURM_STEP_NUM_TASKS": "1", "SLURM_STEP_TASKS_PER_NODE": "1"}
STEP = {"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "4", "SLURM_STEP_TASKS_PER_NODE": "4", "SLURM_PROCID": "2"}


@pytest.mark.parametrize("variables", [{}, {**ONE, "SLURM_STEP_ID": "-6"}, {**ONE, "SLURM_STEP_ID": "0"}, {"SLURM_STEP_ID": "-5"},
                                       {**STEP, "SLURM_STEP_ID": "-5"}],
                         ids=["salloc", "its shell on a node", "srun -n 1", "sbatch", "sbatch within a step"])  # fmt: skip
def test_one_process_of_slurm(variables):
    assert ended(program("empty"), **ALLOCATED, **variables) == (0, "")


def test_a_step_of_slurm():
    status, said = ended(program("empty"), **ALLOCATED, **STEP)
    assert status == 1 and "another launcher has started 4 of these processes (SLURM_STEP_NUM_TASKS)" in said


@pytest.mark.parametrize("variables", [{}, {"PMI_SIZE": "4"}], ids=["alone", "under another"])
def test_the_own_launcher(variables):
    """Unisono's launcher sets such names itself, and may itself be started by another launcher."""
    r = run("run", "-n", 2, program("empty"), env={**CLEAN, **variables})
    assert (r.returncode, r.stderr) == (0, "")


@pytest.mark.parametrize("peer", LAUNCHERS)
def test_launchers_there_are(peer, tmp_path):
    """Each in a folder of its own, since one of Open MPI's that ends may remove that in which another one begins."""
    launcher = PEERS / peer / "bin/mpirun"
    if not launcher.exists():
        pytest.skip(f"skipped: there is no {launcher}")
    status, said = ended(launcher, *LAUNCHERS[peer], program("empty"), TMPDIR=str(tmp_path))
    assert status != 0 and "another launcher has started 3 of these processes" in said
    status, said = ended(launcher, *LAUNCHERS[peer], UNISONO, "run", "-n", 2, program("empty"), TMPDIR=str(tmp_path))
    assert status == 0 and "another launcher" not in said
