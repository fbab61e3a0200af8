"""The tests of `unisono bench`: check.py SUBJECT UNISONO WRONG. WRONG is the same program beside a worker
with planted faults (side_wrong.c). Exit status 77: skipped."""

import os
import signal
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import exchange
import mpi
import operations
import vertex

# A test run that is started in the background, or by nohup, ignores some of these, and so would all that it starts.
for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP:
    signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

{f.__name__: f for f in (operations.tables, operations.threads, operations.wrong, operations.options, operations.interrupt,
                         operations.strangers, operations.peers, operations.busy, operations.found, operations.plot, operations.limits, vertex.vertex,
                         vertex.vertex_peers, vertex.vertex_wrong, vertex.vertex_options, exchange.exchange,
                         exchange.exchange_wrong, mpi.mpi, mpi.mpi_peers, mpi.mpi_wrong)}[sys.argv[1]]()
