// Heat maps: a cell for each row and column, or, where there are many, for a block of them.

// Cells along an edge of a map.
const HEAT_CELLS = 64;

// "#1f6fb2" as three numbers.
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

// The colour of a value from 0 to 1, between those of the page: nothing is as the card, the most as its links.
const heat_colour = (share) => {
    const least = channels(style("--card")), most = channels(style("--accent"));
    return `rgb(${least.map((c, i) => Math.round(c + (most[i] - c) * share)).join(" ")})`;
};

// Values over several powers of ten are told apart by their logarithms; what is not nothing is never as pale as
// nothing.
const heat_share = (value, least, most, log) => {
    if (!value || !most) return 0;
    return log && most > least ? 0.15 + 0.85 * Math.log(value / least) / Math.log(most / least) : 0.1 + 0.9 * value / most;
};

const span = (block) => (block.to - block.from > 1 ? `${block.from} to ${block.to - 1}` : `${block.from}`);

// The numbers from `from` to before `to` in at most HEAT_CELLS blocks of equal size: [{from, to}].
const blocks = ({from, to}) => {
    const size = Math.ceil((to - from) / HEAT_CELLS), made = [];
    for (let at = from; at < to; at += size) made.push({from: at, to: Math.min(at + size, to)});
    return made;
};

// "all", "0 to 63", ...: the parts of so many numbers that can be looked at one by one.
const parts = (count) => {
    const all = {from: 0, to: count}, single = [];
    for (let at = 0; count > HEAT_CELLS && at < count; at += HEAT_CELLS) single.push({from: at, to: Math.min(at + HEAT_CELLS, count)});
    return new Map([["all", all], ...single.map((part) => [span(part), part])]);
};

// The axes of a map, its cells, and the texts in them where there is room.
const paint_heat = (canvas, map) => {
    const edge = {left: 16 + 8 * Math.max(...map.rows.map((row) => map.row_text(row).length)), top: 24};
    const room = canvas.parentElement.clientWidth - edge.left - 1;
    const side = Math.max(2, Math.min(64, room / map.columns.length, map.flat ? 64 : 768 / map.rows.length)), height = map.flat ? Math.min(24, 480 / map.rows.length) : side;
    const width = edge.left + side * map.columns.length + 1;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(canvas.style, {width: `${width}px`, height: `${edge.top + height * map.rows.length + 1}px`});
    canvas.width = width * ratio;
    canvas.height = (edge.top + height * map.rows.length + 1) * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    pen.textBaseline = "middle";
    const gap = side >= 8 && height >= 8 ? 1 : 0;
    map.cells.forEach((row, i) => row.forEach((value, k) => {
        const share = heat_share(value, map.least, map.most, map.log);
        pen.fillStyle = heat_colour(share);
        pen.fillRect(edge.left + k * side, edge.top + i * height, side - gap, height - gap);
        if (side < 44 || height < 20 || !value) return;
        pen.fillStyle = share > 0.55 ? style("--card") : style("--ink");
        pen.textAlign = "center";
        pen.fillText(map.text(value), edge.left + (k + 0.5) * side, edge.top + (i + 0.5) * height, side - 4);
    }));
    pen.strokeStyle = style("--line");
    pen.strokeRect(edge.left - 0.5, edge.top - 0.5, side * map.columns.length + 1, height * map.rows.length + 1);
    pen.fillStyle = style("--soft");
    // as many names as there is room for
    const every = (size, least) => Math.max(1, Math.ceil(least / size));
    pen.textAlign = "right";
    for (let i = 0; i < map.rows.length; i += every(height, 14)) pen.fillText(map.row_text(map.rows[i]), edge.left - 6, edge.top + (i + 0.5) * height);
    pen.textAlign = "center";
    const wide = 16 + Math.max(...map.columns.map((column) => pen.measureText(map.column_text(column)).width));
    for (let k = 0; k < map.columns.length; k += every(side, wide)) {
        const x = edge.left + (k + 0.5) * side, half = pen.measureText(map.column_text(map.columns[k])).width / 2;
        if (x + half <= width) pen.fillText(map.column_text(map.columns[k]), x, 12);
    }
    return {edge, side, height};
};

// A bar from the least colour to the most, with what they stand for.
const heat_legend = (map) => {
    const steps = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => (map.log && map.most > map.least ? 0.15 + 0.85 * i / 7 : 0.1 + 0.9 * i / 7));
    const bar = make("span", {className: "ramp"}, ...steps.map((share) => {
        const step = make("i");
        step.style.background = heat_colour(share);
        return step;
    }));
    if (map.least === map.most) return [make("span", {textContent: map.most ? `all: ${map.text(map.most)}` : "none"})];
    return [make("span", {textContent: map.text(map.least)}), bar, make("span", {textContent: map.text(map.most)})];
};

// A map. spec(): {rows, columns: [{from, to}], cells: [[value]], text(value), row_text(row), column_text(column),
// tell(row, column, value), pick(row, column), log, flat}; tell: the words for the cell under the pointer; pick: what a
// click on it does, null: nothing; flat: cells are only as high as the rows need. Returns what shows it anew.
const heat = (id, spec, hint, ...above) => {
    const canvas = make("canvas", {id, role: "img", ariaLabel: hint}), told = make("p", {className: "told", textContent: hint});
    const legend = make("div", {className: "legend"});
    let map, at;
    const under = (event) => {
        const {left, top} = canvas.getBoundingClientRect();
        const k = Math.floor((event.clientX - left - at.edge.left) / at.side), i = Math.floor((event.clientY - top - at.edge.top) / at.height);
        return map.rows[i] && map.columns[k] ? [map.rows[i], map.columns[k], map.cells[i][k]] : null;
    };
    canvas.onmousemove = (event) => {
        const cell = under(event);
        told.textContent = cell ? map.tell(...cell) : hint;
        canvas.style.cursor = cell && map.pick ? "zoom-in" : "";
    };
    canvas.onmouseleave = () => { told.textContent = hint; };
    canvas.onclick = (event) => {
        const cell = under(event);
        if (cell && map.pick) map.pick(cell[0], cell[1]);
    };
    const paint = () => {
        if (!canvas.parentElement.clientWidth) return;
        at = paint_heat(canvas, map);
        legend.replaceChildren(...heat_legend(map));
    };
    const draw = () => {
        map = spec();
        const values = map.cells.flat().filter((value) => value > 0);
        map.most = values.reduce((a, b) => Math.max(a, b), 0);
        map.least = map.log ? values.reduce((a, b) => Math.min(a, b), map.most) : 0;
        canvas.dataset.cells = JSON.stringify(map.cells);
        paint();
    };
    add(make("div", {className: "card"}, ...above, make("div", {className: "heat"}, canvas), legend, told));
    draw();
    new ResizeObserver(paint).observe(canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
    return draw;
};
