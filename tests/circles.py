"""The words in which a report of a deadlock says who waits for whom, and its exit status."""

DEADLOCK = 125


def circle(*pes):
    """PE 0 waits for PE 1, ... and the last for the first."""
    steps = [f"PE {a} for PE {b}" for a, b in zip(pes, pes[1:] + pes[:1])]
    return ", ".join(steps).replace(" for", " waits for", 1)


def any_of(pe):
    return f"PE {pe} waits for any PE, and none can go on"
