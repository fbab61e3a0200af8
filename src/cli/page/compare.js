// unisono compare --html

const row_name = (row) => (row.place ? `${row.function} at ${row.short}` : row.function);

// The greatest differences, as bars before and after.
const differences = (f, rows) => {
    const SHOWN = 16, shown = rows.slice(0, SHOWN);
    section("What differs most", `The time in each, of a ${f.rank} on average; the greatest differences first.`);
    chart("chart-differences", {type: "bar", sideways: true, labels: shown.map(row_name), text: duration, unit: "time in it", series: [
        {label: "before", colour: COLOURS[5], data: shown.map((row) => row.before?.seconds ?? null)},
        {label: "after", colour: COLOURS[0], data: shown.map((row) => row.after?.seconds ?? null)}]});
};

const signed = (seconds) => `${seconds > 0 ? "+" : ""}${duration(seconds)}`;

// Two columns of one figure, before and after.
const both = (name, key, text) => ["before", "after"].map((run) => ({name: run === "before" ? `${name} before` : "after", value: (row) => row[run]?.[key] ?? null, text}));

const rows_table = (f, rows) => {
    section(f.placed ? "Every place" : "Every operation", `Times are of a ${f.rank} on average, calls and bytes of all ${f.rank}s together.`);
    table("rows", [
        {name: f.placed ? "function" : "operation", value: (row) => row.function},
        ...(f.placed ? [{name: "place", value: (row) => row.place, text: (place, row) => row.short, title: true}] : []),
        {name: "more", value: (row) => row.more_seconds, text: signed, kind: (more) => (more > f.little ? "bad" : more < -f.little && "good")},
        ...both("time", "seconds", duration),
        ...(f.placed ? [{name: "more waiting", value: (row) => row.more_waited_seconds, text: signed}, ...both("waited", "waited_seconds", duration)] : []),
        ...(f.placed ? [{name: "mostly for", value: (row) => row.after?.mostly_for_rank ?? null, text: rank_name}] : []),
        ...both("calls", "calls", count), ...(f.placed ? both("bytes", "bytes", binary) : []),
        ...(f.placed ? [{name: "was at", value: (row) => (row.before && row.after && row.before.place !== row.after.place ? row.before.place : null)}] : []),
    ], rows);
};

const show_compare = (figures) => {
    const f = {...figures, rank: figures.member, little: 0.01 * figures.before.seconds}, call = f.placed ? "calls" : "operations";
    const rows = shorten(f.rows.map((row) => ({...row, place: (row.after ?? row.before).place ?? ""})));
    heading(`${f.before.program}, before and after`, `Two runs, ${f.before.file} and ${f.after.file}, beside each other: unisono compare.`);
    look(f.look_at);
    section("The runs");
    table("runs", [
        {name: "run", value: (run) => run.name}, {name: "ran for", value: (run) => run.seconds, text: duration}, {name: `${f.rank}s`, value: (run) => run.ranks},
        {name: "in the program", value: (run) => run.outside_seconds, text: duration}, {name: `in ${call}`, value: (run) => run.inside_seconds, text: duration},
        ...(f.placed ? [{name: "waited", value: (run) => run.waited_seconds, text: duration}] : []),
        {name: "program", value: (run) => run.program}, {name: "file", value: (run) => run.file},
    ], [{name: "before", ...f.before}, {name: "after", ...f.after}]);
    differences(f, rows);
    rows_table(f, rows);
};
