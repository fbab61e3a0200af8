"""Helpers of the tests of `unisono torus`."""

import json
import os
import subprocess

UNISONO = os.environ["UNISONO"]


def run(*arguments, **options):
    return subprocess.run([UNISONO, "torus", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60, **options)


def calculate(*arguments):
    done = run("--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)
