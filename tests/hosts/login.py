"""A stand-in for sshd and ssh that goes over the network, for machines whose cables are pulled:

    login.py serve ADDRESS            lets commands run on this machine, in processes of its own
    login.py ADDRESS COMMAND          runs one there, with this process's input, output and errors

A connection carries input and output, and a second one errors. Nobody looks whether the other side is still there, as
ssh without options does not."""

import contextlib
import os
import select
import socket
import subprocess
import sys
import uuid

PORT = 7022
KEPT = "UNISONO_TEST_MARK"  # the one variable that the command gets from here


def header(connection):
    """Read up to a zero, and not beyond."""
    text = b""
    while not text.endswith(b"\0"):
        byte = connection.recv(1)
        if not byte:
            break
        text += byte
    return text[:-1].decode().split("\n", 2)


def serve(address):
    server = socket.create_server((address, PORT), backlog=64)
    print("ready", flush=True)
    errors = {}
    while True:
        connection, _ = server.accept()
        token, *command = header(connection)
        if not command:
            errors[token] = connection
            continue
        subprocess.Popen(["setsid", "--fork", "sh", "-c", command[1]], stdin=connection, stdout=connection,
                         stderr=errors[token], env={**os.environ, KEPT: command[0]})
        errors.pop(token).close()
        connection.close()


def copy(both, errors):
    """Copy standard input there, and what comes from there to standard output and error, until that has ended."""
    to = {0: both.fileno(), both.fileno(): 1, errors.fileno(): 2}
    while both.fileno() in to or errors.fileno() in to:
        for ready in select.select(list(to), [], [])[0]:
            data = os.read(ready, 65536)
            if data:
                os.write(to[ready], data)
                continue
            del to[ready]
            if ready == 0:
                both.shutdown(socket.SHUT_WR)


def call(address, command):
    token = uuid.uuid4().hex
    errors = socket.create_connection((address, PORT), 10)
    errors.sendall(f"{token}\0".encode())
    both = socket.create_connection((address, PORT), 10)
    both.sendall(f"{token}\n{os.environ.get(KEPT, '')}\n{command}\0".encode())
    for connection in errors, both:
        connection.settimeout(None)
    with contextlib.suppress(OSError):
        copy(both, errors)


if sys.argv[1] == "serve":
    serve(sys.argv[2])
else:
    call(sys.argv[1], " ".join(sys.argv[2:]))
