"""Helpers of the tests of pages: a page's figures, and the page as a browser shows it."""

import html.parser
import json
import os
import re
import shutil
import subprocess

import pytest

CHROMIUM = shutil.which("chromium")

# Appended to a page: what the charts and maps hold, as text; whether each is drawn; and what a table looks like after
# its second heading was pressed once, and twice.
LOOK = """<script>
document.addEventListener("DOMContentLoaded", () => {
    const found = {charts: {}, drawn: [], sorted: {}, maps: {}, axes: {}, steps: [],
        fits: document.documentElement.scrollWidth <= innerWidth};
    const drawn = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value !== 0);
    for (const chart of typeof Chart === "undefined" ? [] : Object.values(Chart.instances)) {
        found.charts[chart.canvas.id] = {labels: chart.data.labels, series: chart.data.datasets.map((d) => [d.label, d.data])};
        found.axes[chart.canvas.id] = chart.options.indexAxis;
        found.drawn.push(drawn(chart.canvas));
    }
    const map = (canvas) => JSON.parse(canvas.dataset.cells);
    for (const canvas of document.querySelectorAll(".heat canvas")) {
        found.maps[canvas.id] = map(canvas);
        found.drawn.push(drawn(canvas));
    }
    for (const table of document.querySelectorAll("table")) {
        const column = () => [...table.querySelectorAll("tbody tr")].map((row) => JSON.parse(row.cells[1].dataset.value));
        const button = table.querySelectorAll("th button")[1];
        found.sorted[table.id] = [column(), (button.click(), column()), (button.click(), column())];
    }
    STEPS
    document.body.append(Object.assign(document.createElement("pre"), {id: "found", textContent: JSON.stringify(found)}));
});
</script>
"""


def embedded(path):
    """The kind and the JSON text that a page holds."""
    return re.search(r'<script type="application/json" id="figures" data-kind="(\w+)">\n(.*?)\n</script>\n\Z',
                     path.read_text(), re.S).groups()


class Shown(html.parser.HTMLParser):
    """The text of elements with an id, of h1, and the cells of tables."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.title, self.found, self.look_at, self.inside = {}, "", "", "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.tables[attributes["id"]] = self.rows = []
        elif tag == "tr":
            self.rows.append([])
        elif tag == "td":
            self.rows[-1].append(json.loads(attributes["data-value"]))
        if tag != "wbr":  # has no end
            self.inside = attributes["id"] if attributes.get("id") in ("found", "look-at") else tag

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside == "h1":
            self.title += data
        if self.inside == "look-at":
            self.look_at += data
        if self.inside == "found":
            self.found += data


def show(page, folder, steps="", width=1400):
    """Return the page as a browser shows it, and what LOOK found, after these steps in JavaScript, which may push to
    found.steps."""
    if not CHROMIUM:
        pytest.skip("the pages in a browser: there is no chromium (script/setup release)")
    if "Chart.js v3" not in page.read_text():
        pytest.skip("the pages in a browser: this build has no Chart.js (script/setup)")
    path = folder / f"{page.stem}-{width}.html"
    path.write_text(page.read_text() + LOOK.replace("STEPS", steps))
    dom = subprocess.run([CHROMIUM, "--headless", "--disable-gpu", *(["--no-sandbox"] if os.getuid() == 0 else []),
                          f"--window-size={width},2000", f"--user-data-dir={folder}/profile", "--dump-dom", path.as_uri()],
                         capture_output=True, text=True, timeout=60, check=True).stdout
    shown = Shown(dom)
    return shown, json.loads(shown.found)


def numbers(rows):
    return sorted(value for row in rows for value in row if isinstance(value, float | int))
