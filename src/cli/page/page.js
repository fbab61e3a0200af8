"use strict";
// The parts of all pages: texts of numbers, tiles, tables that sort, charts.

const make = (tag, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
};

const add = (...children) => document.querySelector("main").append(...children);

// ---- numbers ----------------------------------------------------------------------------------------------

const three = (x) => (Math.abs(x) >= 99.95 ? x.toFixed(0) : Math.abs(x) >= 9.995 ? x.toFixed(1) : x.toFixed(2));

// "1.23 ms": three figures, as the tables on the terminal have them.
const duration = (seconds) => {
    if (seconds === null || seconds === undefined) return "-";
    const units = ["ns", "us", "ms", "s"];
    let x = seconds * 1e9, i = 0;
    for (; Math.abs(x) >= 999.5 && i < 3; i++) x /= 1000;
    return x === 0 ? "0" : `${three(x)} ${units[i]}`;
};

const nanoseconds = (ns) => duration(ns === null ? null : ns / 1e9);

const count = (n) => (n === null || n === undefined ? "-" : n.toLocaleString("en"));

const percent = (share) => (Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : "-");

// "64", "4 Ki", "1 Mi".
const binary = (bytes) => {
    const units = ["", " Ki", " Mi", " Gi", " Ti"];
    let i = 0;
    for (; bytes >= 1024 && i < 4; i++) bytes /= 1024;
    return `${Number.isInteger(bytes) ? bytes : bytes.toFixed(1)}${units[i]}`;
};

const sum = (rows, value) => rows.reduce((total, row) => total + value(row), 0);

const distinct = (values) => [...new Set(values)];

// Rows with the same key, added up: [{key, rows}].
const grouped = (rows, key) => distinct(rows.map(key)).map((k) => ({key: k, rows: rows.filter((row) => key(row) === k)}));

// Bars shown one by one.
const BARS = 32;

// Rows with their labels; of many those with the greatest values, these first, and the others as one more row, with the
// mean of these figures: {others: how many}.
const foremost = (rows, value, label, figures) => {
    const sorted = rows.length > BARS ? [...rows].sort((a, b) => value(b) - value(a)) : rows;
    const others = sorted.slice(BARS);
    const mean = Object.fromEntries(figures.map((name) => [name, sum(others, (row) => row[name]) / others.length]));
    return [...sorted.slice(0, BARS).map((row) => ({...row, label: label(row)})),
        ...(others.length ? [{...mean, others: others.length, label: `${others.length} others, mean`}] : [])];
};

// ---- parts of a page --------------------------------------------------------------------------------------

const heading = (title, text) => {
    document.title = `${title} - Unisono`;
    const words = title.split(/(?<=\/)/).flatMap((word) => [word, make("wbr")]); // a long path breaks behind a slash
    add(make("h1", {}, ...words), make("p", {textContent: text}));
};

// The sentence that says what to look at.
const look = (text) => add(make("p", {id: "look-at", className: "look", textContent: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`}));

const section = (title, text) => {
    add(make("h2", {textContent: title}));
    if (text) add(make("p", {textContent: text}));
};

// tiles([["ran for", "1.2 s"], ...])
const tiles = (pairs) => add(make("div", {className: "tiles"}, ...pairs.map(([name, value]) =>
    make("div", {className: "tile"}, make("b", {textContent: value}), make("span", {textContent: name})))));

// Numbers before texts, and null behind both.
const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
};

const fill = (body, columns, rows) => body.replaceChildren(...rows.map((row) => make("tr", {},
    ...columns.map((column) => {
        const value = column.value(row) ?? null;
        const text = value === null ? "-" : column.text ? column.text(value, row) : String(value);
        const cell = make("td", {textContent: text});
        if (column.title && value !== null) cell.title = value;
        cell.dataset.value = JSON.stringify(value);
        if (column.number) cell.classList.add("number");
        if (column.kind) cell.classList.add(column.kind(value) || "plain");
        return cell;
    }))));

// A table that sorts by a column whose heading is pressed; by figures, the greatest first.
// columns: [{name, value(row), text(value, row), kind(value), title}]; title: the pointer shows the value itself
const table = (id, columns, rows) => {
    const body = make("tbody");
    const heads = columns.map((column) => {
        const number = column.number = rows.some((row) => typeof column.value(row) === "number");
        const head = make("th", {className: number ? "number" : "", scope: "col"});
        head.append(make("button", {textContent: column.name, onclick: () => {
            const last = head.getAttribute("aria-sort");
            const up = last ? last === "descending" : !number;
            heads.forEach((other) => other.removeAttribute("aria-sort"));
            head.setAttribute("aria-sort", up ? "ascending" : "descending");
            const known = rows.filter((row) => (column.value(row) ?? null) !== null);
            const unknown = rows.filter((row) => (column.value(row) ?? null) === null);
            known.sort((a, b) => (up ? 1 : -1) * compare(column.value(a), column.value(b)));
            fill(body, columns, [...known, ...unknown]);
        }}));
        return head;
    });
    fill(body, columns, rows);
    add(make("div", {className: "table"}, make("table", {id}, make("thead", {}, make("tr", {}, ...heads)), body)));
};

// ---- charts -----------------------------------------------------------------------------------------------

const COLOURS = ["#2f7fc1", "#d9822b", "#2e9e6b", "#c2567f", "#7d6fd0", "#8b949c", "#a98a2d", "#3fa7b5"];

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const adopt_theme = () => {
    Chart.defaults.color = style("--soft");
    Chart.defaults.borderColor = style("--line");
    Object.values(Chart.instances).forEach((chart) => chart.update("none"));
};

// Labels beyond which bars are thinner, and the axis is above them, in sight.
const MANY = 24;

const axis = (spec, values) => ({
    stacked: spec.stacked,
    ...(spec.sideways && values && spec.labels.length > MANY && {position: "top"}),
    title: {display: Boolean(values ? spec.unit : spec.across), text: values ? spec.unit : spec.across},
    ...(!values && spec.bare && {ticks: {maxTicksLimit: 8, maxRotation: 0}}),
    ...(values && {type: spec.log ? "logarithmic" : "linear", beginAtZero: !spec.log,
        ticks: {callback: (v) => (spec.text ?? count)(v), maxTicksLimit: 8}}),
});

// The value that a point has: on the axis of values.
const tip = (spec) => (item) => `${item.dataset.label}: ${(spec.text ?? count)(item.raw)}`;

// A chart of series over labels. spec: {type: "bar" or "line", labels, series: [{label, data, colour}], text(value),
// unit, across, log, stacked, sideways, bare}; bare: a line without points. Sideways, each label has a row, and none is
// left out. Returns a function that shows another spec in its place.
const chart = (id, spec, ...above) => {
    const canvas = make("canvas", {id, role: "img", ariaLabel: id});
    if (typeof Chart === "undefined") {
        add(make("p", {textContent: "This build of Unisono has no charts, since Chart.js was not there; the tables have all figures."}));
        return () => {};
    }
    const box = make("div", {className: "chart"}, canvas);
    let drawn = null;
    const draw = (s) => {
        drawn?.destroy();
        const row = (s.labels.length > MANY ? 1.2 : 1.7) * (s.stacked ? 1 : Math.max(1, s.series.length / 2.5));
        if (s.sideways) box.style.height = `${Math.max(8, 4 + row * s.labels.length)}rem`;
        drawn = new Chart(canvas, {
            type: s.type,
            data: {labels: s.labels, datasets: s.series.map((series, i) => ({
                label: series.label, data: series.data, spanGaps: true, borderColor: series.colour ?? COLOURS[i % COLOURS.length],
                backgroundColor: series.colour ?? COLOURS[i % COLOURS.length], borderWidth: s.type === "line" ? 2 : 0, maxBarThickness: 40,
                ...(s.bare && {pointRadius: 0})}))},
            options: {
                animation: false, maintainAspectRatio: false, indexAxis: s.sideways ? "y" : "x",
                interaction: {mode: "index", intersect: false, axis: s.sideways ? "y" : "x"},
                plugins: {legend: {display: s.series.length > 1}, tooltip: {callbacks: {label: tip(s)}}},
                scales: {x: axis(s, s.sideways), y: axis(s, !s.sideways)},
            },
        });
    };
    add(make("div", {className: "card"}, ...above, box));
    draw(spec);
    return draw;
};

// A choice among values: a select element, and what it has.
const choice = (name, values, changed) => {
    const select = make("select", {onchange: () => changed()}, ...values.map((v) => make("option", {value: v, textContent: v})));
    return {element: make("label", {}, `${name} `, select), get value() { return select.value; },
        set value(v) { if (values.includes(v)) select.value = v; }};
};
