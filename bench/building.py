"""The option by which a script says what is to be built first. That happens once all arguments are known to be right:
--help and a wrong option start nothing."""

import argparse
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "script/build"


def add_option(parser):
    parser.add_argument("--built", metavar="TARGET,...", help=argparse.SUPPRESS)  # all: everything


def bring_up(options):
    """Bring the build up to date, as the script has said."""
    if options.built:
        targets = [] if options.built == "all" else options.built.split(",")
        if subprocess.run([SCRIPT, *targets], stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode:
            sys.exit(1)
