"""What the measurements of bench/ have in common: the figures of samples, the machine, and the JSON of a result."""

import json
import platform


def spread(samples):
    ordered = sorted(samples)
    return {"min": ordered[0], "median": ordered[len(ordered) // 2], "max": ordered[-1]}


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def machine():
    return {"processor": processor(), "system": platform.platform()}


def text(**result):
    """A result and the machine, as JSON."""
    return json.dumps({"machine": machine(), **result}, indent=1) + "\n"
