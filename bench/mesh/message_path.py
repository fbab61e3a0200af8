"""The instructions of a tile between the arrival of a message of one word and the send of the next one: what a message
takes but for the network. qemu's user mode writes each one down that a PE executes; the segment is that between the two
counts (engine/count.h) in which the program calls talk_send."""

import bisect
import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

ROUNDS = 24
# As `unisono run --count` has it (src/cli/run/count.c).
CPU = ["-cpu", "max,-erms"] if os.uname().machine == "x86_64" else []
# The parts of a path: the source of their functions.
PARTS = {"the program": "bench/mesh/", "calls of MPI": "mpi/library/", "matching, and the channel": "src/engine/channel/",
         "heads of packets, and the endpoint": r"src/(engine/far/|unit/mesh/net\.|unit/mesh\.)", "commands of the tile": "src/unit/mesh/commands",
         "the way out of a wait": "src/engine/", "C library": ""}


def functions(file):
    """[(address, name, source)] of a program or a shared library, by address."""
    lines = subprocess.run(["nm", "-nl", "--defined-only", file], capture_output=True, text=True).stdout.splitlines()
    found = (re.match(r"(\w+) [tTwW] (\S+)\t?(.*)", line) for line in lines)
    return [(int(m[1], 16), m[2], m[3]) for m in found if m]


def mapped(log, program):
    """[(begin, end, what to add, functions)] of what is executable in the memory of a process."""
    begin, end = (int(re.search(rf"^{which}_code +0x(\w+)", log, re.M)[1], 16) for which in ("start", "end"))
    own = functions(program)
    start = next(address for address, name, _ in own if name == "_init")  # at the beginning of what is executable
    file, places = None, [(begin, end, start - begin, own)]
    for line in re.finditer(r'openat\([^,]*,"([^"]+)",[^)]*\) = \d|mmap\(0x(\w+),(\d+),PROT_EXEC\|PROT_READ,[^,]*,\d+,(\w+)\)', log):
        if line[1]:
            file = line[1]
            continue
        begin, offset = int(line[2], 16), int(line[4], 0)
        places.append((begin, begin + int(line[3]), at_offset(file, offset) - begin, functions(file)))
    return places


def at_offset(file, offset):
    """The address that the file's own symbols have for what lies there."""
    headers = subprocess.run(["readelf", "-lW", file], capture_output=True, text=True).stdout
    for at, address in re.findall(r"^ +LOAD +0x(\w+) 0x(\w+) .* R E ", headers, re.M):
        if int(at, 16) == offset:
            return int(address, 16)
    return offset


class Names:
    """The function to which an instruction belongs."""

    def __init__(self, places):
        self.places, self.known = places, {}

    def of(self, pc):
        if pc not in self.known:
            self.known[pc] = ("", "", False)
            for begin, end, add, found in self.places:
                if begin <= pc < end and found:
                    address, name, source = found[max(bisect.bisect(found, (pc + add, "~")) - 1, 0)]
                    self.known[pc] = (name, source, address == pc + add)
        return self.known[pc]


def segments(log, program):
    """The functions of each stretch between two counts in which the program sends."""
    names, stretch, sends = Names(mapped(log, program)), [], False
    for pc in re.findall(r"^Trace .*? \[\w+/(\w+)/", log, re.M):
        name, source, first = names.of(int(pc, 16))
        if name == "uno_count":
            if stretch and sends:
                yield stretch
            stretch, sends = [], False
        else:
            stretch.append(source)
            sends |= first and name == "talk_send"


def part_of(source):
    return next(part for part, pattern in PARTS.items() if re.search(pattern, source))


def instructions(build, side):
    """{part: instructions} of one message."""
    program, emulator = build / f"libexec/unisono/bench-mesh-{side}", f"qemu-{os.uname().machine}"
    options = subprocess.run([emulator, "--help"], capture_output=True, text=True).stdout
    each = "-one-insn-per-tb" if "-one-insn-per-tb" in options else "-singlestep"  # its name before qemu 8.1
    with tempfile.TemporaryDirectory(prefix="unisono-path.") as folder:
        trace = [emulator, "-plugin", build / "libexec/unisono/count.so", *CPU, each, "-d", "exec,nochain,page,strace", "-D", f"{folder}/%d"]
        subprocess.run([build / "bin/unisono", "run", "--unit", "mesh=4x4", "-n", "2", *trace, program, "latency", "1", str(ROUNDS)],
                       check=True, capture_output=True)
        found = list(segments(min(Path(folder).iterdir()).read_text(errors="replace"), program))[ROUNDS // 2:ROUNDS]
    if not found:
        raise SystemExit(f"bench/mesh/message_path.py: {program} sent nothing that could be followed: it needs debugging information (-g)")
    counts = Counter(part_of(source) for stretch in found for source in stretch)
    return {part: counts[part] / len(found) for part in PARTS}
