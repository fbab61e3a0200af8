"""The places of a job's PEs, for tests and for the PEs themselves."""

import json
import os
import subprocess

from patience import until


def wait_at(pid, *places):
    """Return true if the PEs of the job to which a process belongs come to wait in these operations; None stands for a
    PE that runs."""
    command = [os.environ["UNISONO"], "ps", "--json", str(pid)]

    def there():
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        return said and list(places) == [pe["operation"] if pe["state"] == "waiting" else None for pe in json.loads(said)[0]["pe"]]

    return until(there)
