// unisono run --html: the calls of a program, by their places

const IN_CALLS = COLOURS[5], WAITING = COLOURS[1];

const share_of = (a, b) => (b > 0 ? a / b : null);

// "MPI_Recv at src/cg.c:211", with the whole path or the short one.
const at_place = (site) => `${site.function} at ${site.place}`;
const at_short = (site) => `${site.function} at ${site.short}`;

// A place is "PATH:LINE", or "FUNCTION of PATH", "FUNCTION at PATH:LINE".
const PATH = /(^|.* )(\/\S*)$/;

// Give each site its place without the folders that nobody needs to tell the files apart.
const shorten = (sites) => {
    const files = distinct(sites.map((site) => PATH.exec(site.place)?.[2].replace(/:\d+$/, "")).filter((file) => file));
    const tail = (path, kept) => path.split("/").slice(-kept).join("/");
    const kept = (file) => {
        let parts = 1;
        while (files.some((other) => other !== file && tail(other, parts) === tail(file, parts))) parts++;
        return parts;
    };
    const short = (place) => {
        const [, before, path] = PATH.exec(place) ?? [];
        return path ? before + tail(path, kept(path.replace(/:\d+$/, ""))) : place;
    };
    return sites.map((site) => ({...site, short: short(site.place)}));
};

// A rank is called PE in a program of <papers.h>.
let member = "rank";
const say = (text) => text.replace(/\brank(s?)\b/gi, (word, s) => (member === "rank" ? word : member + s));
const chapter = (title, text) => section(say(title), say(text));
// The node of each rank in a job on several machines; empty: it was on one.
let nodes = [];
const on_node = (rank) => (nodes[rank] ? ` on ${nodes[rank]}` : "");
const node_column = (number) => (nodes.length ? [{name: "node", value: (row) => nodes[number(row)]}] : []);
const rank_name = (rank) => `${member} ${rank}${on_node(rank)}`;
const ranks_name = (block) => `${member}${block.to - block.from > 1 ? "s" : ""} ${span(block)}`;

// The rank for which a place waited longest: {rank, seconds}.
const mostly_for = (c) => {
    const most = c.sites.map(() => new Map());
    c.waits.forEach((w) => most[w.site].set(w.for_rank, (most[w.site].get(w.for_rank) ?? 0) + w.seconds));
    return most.map((ranks) => [...ranks].reduce((a, [rank, seconds]) => (seconds > a.seconds ? {rank, seconds} : a), {rank: null, seconds: 0}));
};

const sites_table = (c) => {
    const most = mostly_for(c), rows = c.sites.map((site, i) => ({...site, most: most[i]}));
    chapter("Where it waited", "Each place in the source that calls the library, all ranks together: the time in the call, "
        + "and how much of that it waited for another rank. Share: of all waiting in the run. Mostly for: the rank for which it waited "
        + "longest, and that rank's part of the waiting there.");
    const columns = [
        {name: "function", value: (s) => s.function}, {name: "place", value: (s) => s.place, text: (place, s) => s.short, title: true},
        {name: "waited", value: (s) => s.waited_seconds, text: duration},
        {name: "share", value: (s) => share_of(s.waited_seconds, c.waited_seconds), text: percent},
        {name: "mostly for", value: (s) => s.most.rank, text: rank_name},
        {name: "its part", value: (s) => (s.most.rank === null ? null : share_of(s.most.seconds, s.waited_seconds)), text: percent},
        {name: "calls", value: (s) => s.calls, text: count}, {name: "bytes", value: (s) => s.bytes, text: binary},
        {name: "time in it", value: (s) => s.seconds, text: duration}, {name: "longest call", value: (s) => s.longest_seconds, text: duration},
    ];
    if (c.sites.some((s) => s.unfinished)) columns.push({name: "unfinished", value: (s) => s.unfinished, text: count});
    table("sites", columns, rows);
};

const waits_table = (c) => {
    const SHOWN = 100, FEW = 4, shown = c.waits.slice(0, SHOWN), others = c.waits.slice(SHOWN);
    if (!c.waits.length) return;
    chapter("Who waits for whom", "At which call which ranks waited, for which rank, and the call to which that rank then came. In program: "
        + "the part of the waiting that the late rank spent in the program, just before that call.");
    table("waits", [
        {name: "waiting at", value: (w) => at_place(c.sites[w.site]), text: (place, w) => at_short(c.sites[w.site]), title: true},
        {name: `${member}s`, value: (w) => w.ranks, text: (n, w) => (n > FEW ? count(n) : w.rank.map((r) => r.rank).sort((a, b) => a - b).join(", "))},
        {name: "for", value: (w) => w.for_rank, text: rank_name}, {name: "waited", value: (w) => w.seconds, text: duration},
        {name: "share", value: (w) => share_of(w.seconds, c.waited_seconds), text: percent},
        {name: "times", value: (w) => w.count, text: count}, {name: "on average", value: (w) => share_of(w.seconds, w.count), text: duration},
        {name: "in program", value: (w) => share_of(w.outside_seconds, w.seconds), text: percent},
        {name: "why", value: (w) => w.wait + (w.through_others ? ", through others" : "")},
        {name: "which came to", value: (w) => (w.came_at_site === null ? null : at_place(c.sites[w.came_at_site])),
            text: (place, w) => at_short(c.sites[w.came_at_site]), title: true},
    ], shown);
    const part = percent(share_of(sum(others, (w) => w.seconds), c.waited_seconds));
    if (others.length) add(make("p", {textContent: `${count(others.length)} more, ${part} of all waiting, are in the JSON at the end of this file.`}));
    const unnamed = c.other_waits;
    if (unnamed.count)
        add(make("p", {textContent: `${count(unnamed.count)} waits, ${percent(share_of(unnamed.seconds, c.waited_seconds))} of all waiting, found no room in the records.`}));
};

const ranks_section = (c) => {
    const most = foremost(c.rank, (r) => r.waited_for_seconds, (r) => rank_name(r.rank),
        ["seconds", "inside_seconds", "waited_seconds", "waited_for_seconds"]);
    chapter("Ranks", "For which rank the others waited. One that stands out has more to do than the others, or a slower processor.");
    chart("chart-waited-for", {type: "bar", sideways: true, labels: most.map((r) => r.label), text: duration, unit: "time that others waited for it",
        series: [{label: "others waited for it", data: most.map((r) => r.waited_for_seconds)}]});
    chapter("Where the time went", "The time of each rank in the program, in calls, and waiting in them for another rank.");
    chart("chart-time", {type: "bar", sideways: true, stacked: true, labels: most.map((r) => r.label), text: duration, series: [
        {label: "in the program", data: most.map((r) => Math.max(0, r.seconds - r.inside_seconds))},
        {label: "in calls", colour: IN_CALLS, data: most.map((r) => Math.max(0, r.inside_seconds - r.waited_seconds))},
        {label: "waiting", colour: WAITING, data: most.map((r) => r.waited_seconds)}]});
    table("ranks", [
        {name: member, value: (r) => r.rank}, ...node_column((r) => r.rank), {name: "ran for", value: (r) => (r.recorded ? r.seconds : null), text: duration},
        {name: "calls", value: (r) => r.calls, text: count}, {name: "in calls", value: (r) => r.inside_seconds, text: duration},
        {name: "waited", value: (r) => r.waited_seconds, text: duration}, {name: "share", value: (r) => share_of(r.waited_seconds, r.seconds), text: percent},
        {name: "others waited for it", value: (r) => r.waited_for_seconds, text: duration},
        {name: "messages sent", value: (r) => sum(r.to, (to) => to.messages), text: count}, {name: "bytes sent", value: (r) => sum(r.to, (to) => to.bytes), text: binary},
    ], c.rank);
};

// ---- the time of the run ----------------------------------------------------------------------------------

// Each rank's time in calls and waiting, in moments of one length. A rank's own are this long, or shorter by a power of
// two.
const moments_of = (c) => {
    const ranks = c.rank.filter((r) => r.recorded && r.moments.inside.length);
    const length = Math.max(0, ...ranks.map((r) => r.moments.seconds));
    const coarse = (r, values) => {
        const each = Math.round(length / r.moments.seconds), made = new Array(Math.ceil(values.length / each)).fill(0);
        values.forEach((value, i) => { made[Math.floor(i / each)] += value; });
        return made;
    };
    return {length, count: Math.max(0, ...ranks.map((r) => Math.ceil(r.seconds / length - 0.01))), // a hundredth of a moment is none
        ranks: ranks.map((r) => ({rank: r.rank, seconds: r.seconds, inside: coarse(r, r.moments.inside), waited: coarse(r, r.moments.waited)}))};
};

const time_section = (c) => {
    const {length, count: moments, ranks} = moments_of(c);
    if (moments < 2) return;
    const there = (r, i) => Math.min(length, Math.max(0, r.seconds - i * length));
    const numbers = [...Array(moments).keys()];
    const part = (value) => numbers.map((i) => share_of(sum(ranks, (r) => value(r)[i] ?? 0), sum(ranks, (r) => there(r, i))));
    chapter("Over the time of the run", "Which part of the time the ranks spent in calls, and which waiting.");
    chart("chart-moments", {type: "line", labels: numbers.map((i) => duration(i * length)), across: "since MPI_Init", text: (x) => percent(x), bare: true, series: [
        {label: "in calls", colour: IN_CALLS, data: part((r) => r.inside)}, {label: "waiting", colour: WAITING, data: part((r) => r.waited)}]});

    chapter("Waiting of each rank", "Which part of each moment a rank waited for another one.");
    const choices = parts(c.ranks), across = blocks({from: 0, to: moments});
    const by_rank = new Map(ranks.map((r) => [r.rank, r]));
    const chosen = choice("Ranks", [...choices.keys()], () => draw());
    const waiting = (row, column) => {
        let waited = 0, time = 0;
        for (let k = row.from; k < row.to; k++)
            for (let i = column.from; by_rank.has(k) && i < column.to; i++) {
                waited += by_rank.get(k).waited[i] ?? 0;
                time += there(by_rank.get(k), i);
            }
        return share_of(waited, time) ?? 0;
    };
    const draw = heat("heat-moments", () => {
        const rows = blocks(choices.get(chosen.value));
        return {rows, columns: across, cells: rows.map((row) => across.map((column) => waiting(row, column))), text: percent, flat: true,
            row_text: span, column_text: (column) => duration(column.from * length),
            tell: (row, column, value) =>
                `${ranks_name(row)}, ${duration(column.from * length)} to ${duration(column.to * length)}: ${percent(value)} waiting`,
            pick: null};
    }, say(`A row is a rank${choices.size > 1 ? ", or some that are neighbours" : ""}; from left to right goes the time since it began.`),
    ...(choices.size > 1 ? [make("div", {className: "choices"}, chosen.element)] : []));
};

// ---- messages ---------------------------------------------------------------------------------------------

const matrix_section = (c) => {
    if (!c.rank.some((r) => r.to.length)) return;
    chapter("Messages", "How much each rank sent to each other one.");
    const choices = parts(c.ranks), names = [...choices.keys()], of = {bytes: binary, messages: count};
    let draw = () => {};
    const changed = () => draw();
    const what = choice("Show", Object.keys(of), changed), senders = choice("Senders", names, changed), receivers = choice("Receivers", names, changed);
    const zoomed = () => choices.size > 1 && (senders.value === "all" || receivers.value === "all");
    const pick = (row, column) => {
        const holding = (block) => names.find((name) => name !== "all" && choices.get(name).from <= block.from && block.from < choices.get(name).to);
        senders.value = holding(row);
        receivers.value = holding(column);
        changed();
    };
    const cells = (rows, columns) => rows.map((row) => {
        const line = columns.map(() => 0), size = columns[0].to - columns[0].from;
        for (const r of c.rank.slice(row.from, row.to))
            for (const to of r.to) {
                const k = Math.floor((to.rank - columns[0].from) / size);
                if (k >= 0 && k < columns.length) line[k] += to[what.value];
            }
        return line;
    });
    draw = heat("heat-messages", () => {
        const rows = blocks(choices.get(senders.value)), columns = blocks(choices.get(receivers.value));
        return {rows, columns, cells: cells(rows, columns), text: of[what.value], log: true, row_text: span, column_text: span,
            tell: (row, column, value) => `${ranks_name(row)} to ${ranks_name(column)}: ${of[what.value](value)} ${what.value}`, pick: zoomed() ? pick : null};
    }, `A row is a sender, a column a receiver${choices.size > 1 ? ", or some that are neighbours; a click on them shows each" : ""}. Colours tell orders of magnitude.`,
    make("div", {className: "choices"}, what.element, ...(choices.size > 1 ? [senders.element, receivers.element] : [])));
};

const sizes_section = (c) => {
    const of = new Map();
    c.rank.forEach((r) => r.sizes.forEach((s) => of.set(s.bytes_from, (of.get(s.bytes_from) ?? 0) + s.messages)));
    if (!of.size) return;
    const most = Math.max(...of.keys()), sizes = [];
    for (let from = Math.min(...of.keys()); from <= most; from = from ? 2 * from : 1) sizes.push(from);
    chapter("Sizes of messages", "A bar has the messages from its size on to twice as many bytes.");
    chart("chart-sizes", {type: "bar", labels: sizes.map(binary), across: "bytes, from", unit: "messages",
        series: [{label: "messages", data: sizes.map((from) => of.get(from) ?? 0)}]});
};

const communicators_section = (c) => {
    if (!c.communicators.length) return;
    chapter(member === "PE" ? "Groups" : "Communicators", "The calls with each, all ranks together. Share: of all waiting in the run.");
    table("communicators", [
        {name: member === "PE" ? "group" : "communicator", value: (m) => m.name || null}, {name: `${member}s`, value: (m) => m.size}, {name: "calls", value: (m) => m.calls, text: count},
        {name: "bytes", value: (m) => m.bytes, text: binary}, {name: "time in them", value: (m) => m.seconds, text: duration},
        {name: "waited", value: (m) => m.waited_seconds, text: duration},
        {name: "share", value: (m) => share_of(m.waited_seconds, c.waited_seconds), text: percent},
    ], c.communicators);
};

// ---- all of it --------------------------------------------------------------------------------------------

const show_calls = (f) => {
    const c = {...f.calls, sites: shorten(f.calls.sites)};
    look(c.look_at);
    tiles([
        ["the job ran for", duration(f.seconds)], [`${member}s`, count(c.ranks)], [say("calls, of all ranks"), count(c.calls)],
        [say("of the ranks' time was spent in them"), percent(share_of(c.inside_seconds, c.seconds))],
        ["was spent waiting for others", percent(share_of(c.waited_seconds, c.seconds))],
        [`messages, of ${binary(sum(c.rank, (r) => sum(r.to, (to) => to.bytes)))} bytes`, count(sum(c.rank, (r) => sum(r.to, (to) => to.messages)))],
    ]);
    sites_table(c);
    waits_table(c);
    ranks_section(c);
    time_section(c);
    matrix_section(c);
    sizes_section(c);
    communicators_section(c);
};
