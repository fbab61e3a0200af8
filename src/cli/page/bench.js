// unisono bench --html, and with vertex, exchange and mpi

const QUANTILES = ["minimum", "octile", "median", "p99"];

// True if the results differ by the size of a message or block, and not by operation and type.
const has_sizes = (results) => results.some((r) => "bytes" in r);

// One figure of each side for each of the keys.
const series = (results, keys, key, quantile) => distinct(results.map((r) => r.label)).map((label) => ({label, data: keys.map((k) =>
    results.find((r) => r.label === label && key(r) === k)?.nanoseconds[quantile] ?? null)}));

const ascending = (values) => distinct(values).sort((a, b) => a - b);

// Time by size, for an operation and a number of PEs.
const by_size = (results) => {
    section("By size", "Time of one operation by the size of what it moves, on a logarithmic axis.");
    let draw = () => {};
    const spec = () => {
        const chosen = results.filter((r) => r.operation === operation.value && r.pes === Number(pes.value) && "bytes" in r);
        const sizes = ascending(chosen.map((r) => r.bytes));
        return {type: "line", log: true, labels: sizes.map(binary), across: "bytes", unit: "time of one operation", text: nanoseconds,
            series: series(chosen, sizes, (r) => r.bytes, quantile.value)};
    };
    const changed = () => draw(spec());
    const operation = choice("Operation", distinct(results.filter((r) => "bytes" in r).map((r) => r.operation)), changed);
    const pes = choice("PEs", ascending(results.map((r) => r.pes)).map(String), changed);
    const quantile = choice("Figure", QUANTILES, changed);
    quantile.value = "octile";
    draw = chart("chart-sizes", spec(), make("div", {className: "choices"}, operation.element, pes.element, quantile.element));
};

// Time by operation, for a type and a number of PEs; operations without a type are in all.
const by_operation = (results) => {
    section("By operation", "Time of one operation, on a logarithmic axis.");
    let draw = () => {};
    const spec = () => {
        const chosen = results.filter((r) => (r.type === type.value || !r.type) && r.pes === Number(pes.value));
        const operations = distinct(chosen.map((r) => r.operation));
        return {type: "bar", log: true, sideways: innerWidth < 700, labels: operations, unit: "time of one operation", text: nanoseconds,
            series: series(chosen, operations, (r) => r.operation, quantile.value)};
    };
    const changed = () => draw(spec());
    const types = distinct(results.map((r) => r.type)).filter((t) => t);
    const type = choice("Type", types.length ? types : ["none"], changed);
    const pes = choice("PEs", ascending(results.map((r) => r.pes)).map(String), changed);
    const quantile = choice("Figure", QUANTILES, changed);
    type.value = "64";
    quantile.value = "octile";
    draw = chart("chart-operations", spec(), make("div", {className: "choices"}, type.element, pes.element, quantile.element));
};

const results_table = (results) => {
    section("All figures", "Time of one operation: quantiles over short turns of one PE, the greatest over the PEs. All sides were measured in one run, in turns.");
    const columns = [
        {name: "operation", value: (r) => r.operation + r.type}, {name: "PEs", value: (r) => r.pes}, {name: "side", value: (r) => r.label},
        ...QUANTILES.map((q) => ({name: q, value: (r) => r.nanoseconds[q], text: nanoseconds})),
        {name: "timed", value: (r) => r.operations, text: count},
    ];
    if (has_sizes(results)) columns.splice(1, 0, {name: "bytes", value: (r) => r.bytes, text: binary});
    table("results", columns, results);
};

// How many goals are held, or missed; others are not judged.
const verdicts = (f, held) => f.limits.filter((l) => l.held === held).length;

const limits_table = (f) => {
    if (!f.limits) return;
    const held = verdicts(f, true), missed = verdicts(f, false);
    section("Goals", `${held} held, ${missed} missed, ${f.limits.length - held - missed} not judged. ${f.mode ?? ""}`);
    table("limits", [
        {name: "held", value: (l) => (l.held === null ? null : l.held ? "held" : "missed"), kind: (v) => (v === "held" ? "good" : v && "bad")},
        {name: "section", value: (l) => l.section}, {name: "goal", value: (l) => l.goal, kind: () => "wide"},
        {name: "bound", value: (l) => `${l.kind} ${l.bound} ${l.unit}`}, {name: "measured", value: (l) => l.measured},
        {name: "by the bound", value: (l) => l.ratio},
    ], f.limits);
};

const ratios_table = (f) => {
    if (!f.ratios?.length) return;
    section("Beside the MPI libraries", "How many times faster Unisono was, by the same quantile of both; and how many times the time of a bare exchange it took.");
    const times = (x) => `${three(x)}`;
    table("ratios", [
        {name: "operation", value: (r) => r.operation + r.type}, {name: "PEs", value: (r) => r.pes}, {name: "beside", value: (r) => r.peer},
        {name: "octile", value: (r) => r.octile, text: times}, {name: "median", value: (r) => r.median, text: times},
        {name: "times bare", value: (r) => r.times_bare, text: times},
    ], f.ratios);
};

// The figures of the paper of 1995.
const paper_table = (f) => {
    if (!f.tables?.length) return;
    const cells = f.tables.flatMap((t) => t.rows.flatMap((row) => row.cells.map((cell, i) => ({...cell, number: t.number,
        operation: t.columns[i].operation + t.columns[i].type, system: row.system}))));
    section("The machines of 1995", "Those of the tables of the paper that were asked for.");
    table("paper", [
        {name: "operation", value: (c) => c.operation}, {name: "system", value: (c) => c.system},
        {name: "time", value: (c) => (c.microseconds === null ? null : c.microseconds / 1e6), text: duration},
        {name: "as printed, us", value: (c) => c.text}, {name: "table", value: (c) => c.number},
    ], cells);
};

// The figures that unisono bench vertex fits: the time of a message as f + m times its bytes, and the edge detector.
const vertex_tables = (f) => {
    if (f.fits?.length) {
        section("Messages as a formula", "The time of a message is f + m times its bytes; large: from the size on at which it goes another way.");
        table("fits", [
            {name: "side", value: (fit) => fit.side}, {name: "protocol", value: (fit) => fit.protocol}, {name: "f", value: (fit) => fit.f, text: nanoseconds},
            {name: "m, ns a byte", value: (fit) => fit.m}, {name: "m, large", value: (fit) => fit.m_large},
            {name: "worst deviation", value: (fit) => fit.worst_deviation, text: percent},
        ], f.fits);
    }
    if (f.detector?.length) {
        section("The edge detector", "Times of a picture, alone, of its parts calculated at once, and with messages by each protocol.");
        table("detector", [
            {name: "edge", value: (d) => d.edge}, {name: "PEs", value: (d) => d.pes}, {name: "alone", value: (d) => d.alone, text: nanoseconds},
            {name: "calculating", value: (d) => d.calculating, text: nanoseconds},
            ...["standard", "extended"].flatMap((protocol, i) => [
                {name: protocol, value: (d) => d.execution[i], text: nanoseconds}, {name: `gamma, ${protocol}`, value: (d) => d.gamma[i], text: three}]),
        ], f.detector);
    }
};

// The figures that unisono bench mpi derives: what layers add, and the speed-up of programs.
const mpi_tables = (f) => {
    const range = (r) => `${three(r.rounds[0])} to ${three(r.rounds[1])}`;
    if (f.overheads?.length) {
        section("Layers", "What a layer takes more than the one below, in per cent of the time of that one; the paper: what rMPI took above its network.");
        table("overheads", [
            {name: "operation", value: (r) => r.operation}, {name: "bytes, or rows", value: (r) => r.bytes, text: binary}, {name: "PEs", value: (r) => r.pes},
            {name: "of", value: (r) => r.above}, {name: "above", value: (r) => r.below}, {name: "per cent", value: (r) => r.percent, text: three},
            {name: "of single rounds", value: range}, {name: "the paper", value: (r) => r.paper},
        ], f.overheads);
    }
    if (f.speedups?.length) {
        section("Programs", "How many times faster they are than PE 0 alone.");
        table("speedups", [
            {name: "program", value: (r) => r.program}, {name: "size", value: (r) => r.size, text: count}, {name: "PEs", value: (r) => r.pes},
            {name: "side", value: (r) => r.side}, {name: "speed-up", value: (r) => r.speedup, text: three}, {name: "of single rounds", value: range},
        ], f.speedups);
    }
};

const show_bench = (f) => {
    heading("Unisono measured", `${f.machine}; ${f.date}; unisono ${f.unisono}, ${f.unit === "shm" ? "PEs are processes" : "PEs are threads"}.`);
    tiles([
        ["processors", count(f.processors)], ["numbers of PEs", ascending(f.results.map((r) => r.pes)).join(", ")],
        ["sides", distinct(f.results.map((r) => r.label)).length], ["turns of each side", count(f.repetitions)],
        ...(f.limits ? [["goals held, of those judged", `${verdicts(f, true)} of ${verdicts(f, true) + verdicts(f, false)}`]] : []),
    ]);
    f.others.filter((o) => o.disturb).forEach((o) => add(make("p", {className: "bad", textContent:
        `Other programs used ${three(o.processors)} of the ${f.processors} processors while ${o.pes} PEs were measured. `
        + "Comparisons with disturbed samples are left out. Measure again when nothing else is at work."})));
    f.absent.forEach((text) => add(make("p", {textContent: `Not compared: ${text}.`})));
    if (f.results.length) (has_sizes(f.results) ? by_size : by_operation)(f.results);
    ratios_table(f);
    limits_table(f);
    vertex_tables(f);
    mpi_tables(f);
    results_table(f.results);
    paper_table(f);
};
