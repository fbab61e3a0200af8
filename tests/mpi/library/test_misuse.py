"""Programs that break a rule end with a message that says which one, and the whole job with them."""

import os
import subprocess

import pytest

UNISONO, WRONG = os.environ["UNISONO"], os.environ["UNISONO_WRONG"]


def run(case, *options, n=2):
    return subprocess.run([UNISONO, "run", "-n", str(n), *options, WRONG, case], capture_output=True, text=True, timeout=60,
                          check=False)


@pytest.mark.parametrize("case, words", [
    ("freed_type", "MPI_Send: datatype is no data type (MPI_ERR_TYPE)"),
    ("uncommitted_type", "MPI_Send: datatype has not been committed (MPI_Type_commit) (MPI_ERR_TYPE)"),
    ("null_comm", "MPI_Barrier: comm is no communicator: MPI_COMM_NULL (MPI_ERR_COMM)"),
    ("far_rank", "MPI_Send: dest is 2; the ranks are 0 to 1 (MPI_ERR_RANK)"),
    ("too_long", "of MPI_COMM_WORLD has 8 bytes, and there is room for 4 (MPI_ERR_TRUNCATE)"),
    ("wrong_operation", "MPI_Allreduce: the operation does not combine elements of this type (MPI_ERR_OP)"),
    ("null_operand", "MPI_Allreduce: sendbuf is a null pointer, and its count is 1 (MPI_ERR_BUFFER)"),
    ("null_block", "MPI_Scatter: recvbuf is a null pointer, and its count is 1 (MPI_ERR_BUFFER)"),
    ("null_message", "MPI_Send: buf is a null pointer, and its count is 1 (MPI_ERR_BUFFER)"),
    ("same_place", "MPI_Allreduce: sendbuf and recvbuf are the same place, for which there is MPI_IN_PLACE (MPI_ERR_BUFFER)"),
    ("local_in_place", "MPI_Reduce_local: inbuf is MPI_IN_PLACE, which has no meaning there (MPI_ERR_BUFFER)"),
    ("null_requests", "MPI_Waitall: array_of_requests is a null pointer (MPI_ERR_ARG)"),
    ("freed_info", "MPI_Comm_dup_with_info: info is no info object (MPI_ERR_INFO)"),
    ("negative_count", "MPI_Reduce_scatter: recvcounts[0] is -1 (MPI_ERR_COUNT)"),
    ("negative_block", "MPI_Reduce_scatter_block: recvcount is -1 (MPI_ERR_COUNT)"),
    ("negative_group", "MPI_Group_incl: n is -1 (MPI_ERR_COUNT)"),
    ("negative_wait", "MPI_Waitall: count is -1 (MPI_ERR_COUNT)"),
    ("missing", "MPI_Comm_accept: this library does not have it yet; processes that unisono run -n 4 ./program starts "
                "together work here, and other MPI libraries, accelerated by this one, have it: unisono mpi mpirun -n 4 "
                "./program; see share/doc/unisono/mpi-library.md (MPI_ERR_UNSUPPORTED_OPERATION)"),
    ("session", "MPI_Session_init: this library does not have it yet; MPI_Init and MPI_COMM_WORLD work here, and other MPI "
                "libraries, accelerated by this one, have it: unisono mpi mpirun -n 4 ./program; see share/doc/unisono/"
                "mpi-library.md"),
    ("done_request", "MPI_Wait: a request is none, or has been completed already (MPI_ERR_REQUEST)"),
    ("other_collective", "mismatch"),
    ("alone_synchronous", "MPI_Ssend waits for PE 0, which is itself, and there is no such message"),
    ("left_synchronous", "MPI_Ssend waits for PE 1, which has left"),
    ("taken_message", "MPI_Mrecv: message is none (MPI_ERR_REQUEST)"),
    ("second_buffer", "MPI_Comm_attach_buffer: a buffer is attached already (MPI_ERR_BUFFER)"),
    ("not_generalized", "MPI_Grequest_complete: the request is not a generalized one (MPI_ERR_REQUEST)"),
    ("other_thread", ": MPI_Info_create was called by thread "),
    ("early", "MPI_Barrier was called before MPI_Init"),
    ("late", "MPI_Barrier was called after MPI_Finalize"),
    ("aborts", "MPI_Abort was called, with error code 5"),
])
def test_message(case, words):
    r = run(case)
    assert r.returncode == 1
    assert words in r.stderr, r.stderr


def test_killed_rank():
    r = run("killed", n=3)
    assert r.returncode == 128 + 9
    assert "PE 1 was killed by signal 9 (Killed); this PE was in MPI_Recv, waiting for PE 1" in r.stderr, r.stderr


def test_rank_that_left():
    r = run("left")
    assert r.returncode == 1
    assert "MPI_Recv waits for any PE, and all others have left" in r.stderr, r.stderr


def test_hang_is_told():
    r = run("hangs")
    assert r.returncode == 125
    assert "MPI_Wait" in r.stderr, r.stderr
