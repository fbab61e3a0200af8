// unisono run --stats --html

const operations_section = (f) => {
    section("Operations", "All PEs together.");
    const by_time = [...f.operations].sort((a, b) => b.seconds - a.seconds);
    chart("chart-operations", {type: "bar", sideways: true, labels: by_time.map((o) => o.name), text: duration, unit: "time in it",
        series: [{label: "time in it", data: by_time.map((o) => o.seconds)}]});
    table("operations", [
        {name: "operation", value: (o) => o.name}, {name: "count", value: (o) => o.count, text: count},
        {name: "unfinished", value: (o) => o.unfinished, text: count}, {name: "time in it", value: (o) => o.seconds, text: duration},
        {name: "mean", value: (o) => o.mean_seconds, text: duration},
    ], f.operations);
};

const show_operations = (f) => {
    const ran = sum(f.pe, (pe) => pe.run_seconds);
    tiles([
        ["the job ran for", duration(f.seconds)], ["PEs", count(f.pes)], ["operations, of all PEs", count(f.all.count)],
        ["of the PEs' time was spent in operations", percent(f.all.seconds / ran)],
        ["was waited for most", f.straggler === null ? "no PE" : `PE ${f.straggler}${on_node(f.straggler)}`],
    ]);
    const pes = foremost(f.pe, (pe) => pe.waited_for_seconds, (pe) => `PE ${pe.pe}${on_node(pe.pe)}`, ["run_seconds", "waiting_seconds", "waited_for_seconds"]);
    const labels = pes.map((pe) => pe.label);

    section("Who was waited for", "The time that the others waited for each PE as the last to arrive. A PE that stands out has more to do than the others, or a slower processor.");
    chart("chart-waited-for", {type: "bar", sideways: true, labels, text: duration, unit: "time that others waited for it",
        series: [{label: "others waited for it", data: pes.map((pe) => pe.waited_for_seconds)}]});

    section("Where the time went", "The time of each PE outside operations, where it computes, and inside, where it waits.");
    chart("chart-time", {type: "bar", sideways: true, stacked: true, labels, text: duration, series: [
        {label: "outside operations", data: pes.map((pe) => pe.run_seconds - pe.waiting_seconds)},
        {label: "in operations", data: pes.map((pe) => pe.waiting_seconds)}]});
    table("pe", [
        {name: "PE", value: (pe) => pe.pe}, ...node_column((pe) => pe.pe), {name: "checked in", value: (pe) => (pe.checked_in ? "yes" : "no")},
        {name: "ran for", value: (pe) => pe.run_seconds, text: duration}, {name: "operations", value: (pe) => pe.operations, text: count},
        {name: "in operations", value: (pe) => pe.waiting_seconds, text: duration},
        {name: "share", value: (pe) => pe.waiting_share, text: percent},
        {name: "others waited for it", value: (pe) => pe.waited_for_seconds, text: duration},
    ], f.pe);
    operations_section(f);
};

const show_stats = (f) => {
    member = f.calls?.member ?? "rank";
    nodes = f.pe[0].node ? f.pe.map((pe) => pe.node) : [];
    heading(f.program, f.calls ? say("The calls of a program, and for whom its ranks waited: unisono run --stats.")
        : "What the processing elements (PEs) of a job did, and for whom they waited: unisono run --stats.");
    (f.calls ? show_calls : show_operations)(f);
    if (member === "PE" && f.operations.length) operations_section(f);
};
