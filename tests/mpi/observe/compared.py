"""The figures of counts.c and those of the recording, each by rank."""

import collections

# Functions that counts.c itself calls; no program here does.
ASKED = {f"MPI_{name}" for name in ("Type_size", "Comm_test_inter", "Comm_remote_group", "Comm_group", "Group_size", "Group_rank",
                                    "Group_translate_ranks", "Group_free", "Topo_test", "Cartdim_get", "Cart_get",
                                    "Dist_graph_neighbors_count")}


def counted(folder, rank):
    """Return the figures of counts.c for a rank: by function its calls and bytes; by rank the messages to it and their
    bytes."""
    calls, to = {}, {}
    for line in (folder / f"counts.{rank}").read_text().splitlines():
        word, key, *numbers = line.split()
        (calls if word == "call" else to)[key] = [int(number) for number in numbers]
    return calls, to


def said(calls, rank):
    """The same as the recording has it."""
    by_function = collections.defaultdict(lambda: [0, 0])
    for site in calls["sites"]:
        for part in site["rank"]:
            if part["rank"] == rank and site["function"] not in ASKED:
                by_function[site["function"]][0] += part["calls"]
                by_function[site["function"]][1] += part["bytes"]
    to = {str(part["rank"]): [part["messages"], part["bytes"]] for part in calls["rank"][rank]["to"]}
    return dict(by_function), to
