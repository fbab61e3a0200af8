// unisono mpi --profile --html

const messages = (f) => {
    if (!f.point_to_point.length) return;
    section("Messages", "Calls of the functions of messages, which stay with the MPI library. Sizes are the lower ends of ranges from one power of two to the next.");
    table("messages", [
        {name: "function", value: (m) => m.name}, {name: "type", value: (m) => m.type},
        {name: "bytes from", value: (m) => m.bytes, text: binary}, {name: "calls", value: (m) => m.calls, text: count},
        {name: "time in it", value: (m) => m.seconds, text: duration},
    ], f.point_to_point);
};

const ranks = (f) => {
    section("Ranks", "The time of each rank outside collectives and inside, until MPI_Finalize. A rank that is inside for less time than the others is the one for which they wait.");
    chart("chart-ranks", {type: "bar", sideways: true, stacked: true, labels: f.rank.map((r) => `rank ${r.rank}`), text: duration, series: [
        {label: "outside collectives", data: f.rank.map((r) => r.seconds - r.inside)},
        {label: "in collectives", data: f.rank.map((r) => r.inside)}]});
    table("ranks", [
        {name: "rank", value: (r) => r.rank}, {name: "node", value: (r) => r.node}, {name: "ran for", value: (r) => r.seconds, text: duration},
        {name: "in collectives", value: (r) => r.inside, text: duration},
        {name: "share", value: (r) => (r.seconds > 0 ? r.inside / r.seconds : null), text: percent},
    ], f.rank);
};

const collectives = (f) => {
    if (!f.collectives.length) return;
    const by_name = grouped(f.collectives, (c) => c.name).map(({key, rows}) => ({name: key,
        operations: sum(rows, (c) => c.operations), accelerated: sum(rows, (c) => c.accelerated), seconds: sum(rows, (c) => c.seconds)}));
    by_name.sort((a, b) => b.seconds - a.seconds);
    const labels = by_name.map((c) => c.name);
    section("Collectives", "What was accelerated, and what was left to the MPI library.");
    chart("chart-operations", {type: "bar", sideways: true, stacked: true, labels, unit: "operations", series: [
        {label: "accelerated", data: by_name.map((c) => c.accelerated)},
        {label: "by the MPI library", data: by_name.map((c) => c.operations - c.accelerated)}]});
    section("Time in collectives", "Of a rank, on average: it includes the time that a rank waits for those that come later.");
    chart("chart-time", {type: "bar", sideways: true, labels, text: duration, unit: "time in it", series: [
        {label: "time in it", data: by_name.map((c) => c.seconds / f.ranks)}]});
    section("Every size", "Sizes are the lower ends of ranges from one power of two to the next; times are of all ranks together. Saved: by the times that unisono mpi --tune measured, if it did.");
    table("collectives", [
        {name: "collective", value: (c) => c.name}, {name: "type", value: (c) => c.type}, {name: "bytes from", value: (c) => c.bytes, text: binary},
        {name: "ranks", value: (c) => c.ranks}, {name: "operations", value: (c) => c.operations, text: count},
        {name: "accelerated", value: (c) => c.accelerated, text: count}, {name: "calls", value: (c) => c.calls, text: count},
        {name: "time in it", value: (c) => c.seconds, text: duration},
        {name: "mean", value: (c) => (c.calls > 0 ? c.seconds / c.calls : null), text: duration},
        {name: "saved", value: (c) => c.saved_seconds, text: duration},
    ], [...f.collectives].sort((a, b) => b.seconds - a.seconds));
};

const show_profile = (f) => {
    const operations = sum(f.collectives, (c) => c.operations), accelerated = sum(f.collectives, (c) => c.accelerated);
    const seconds = sum(f.rank, (r) => r.seconds), inside = sum(f.rank, (r) => r.inside);
    heading(f.program, `The collective operations of an MPI program: unisono mpi --profile. ${f.library}.${f.off ? ` The accelerator was off: ${f.off}.` : ""}`);
    tiles([
        ["the program ran for", duration(seconds / f.ranks)], ["ranks", count(f.ranks)], [f.pretended_nodes ? "pretended nodes" : "nodes", count(f.nodes)],
        ["collectives", count(operations)], ["of them were accelerated", operations ? percent(accelerated / operations) : "-"],
        ["of the time was spent in collectives", percent(inside / seconds)],
    ]);
    if (f.check) tiles([["results compared with the MPI library's", count(f.check.compared)], ["of them differ", count(f.check.different)]]);
    collectives(f);
    ranks(f);
    messages(f);
};
