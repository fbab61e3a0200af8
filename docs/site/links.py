"""Checks every link between the pages of a site: links.py FOLDER. What it leads to, page, picture or heading, must be
there."""

import html.parser
import pathlib
import sys
import urllib.parse

root = pathlib.Path(sys.argv[1]).resolve()


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" or (tag == "a" and name == "name"):
                self.names.add(value)


pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
bad = count = 0
for path, page in pages.items():
    for link in page.links:
        parts = urllib.parse.urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        count += 1
        target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
        name = urllib.parse.unquote(parts.fragment)
        if not target.is_file() or (name and target in pages and name not in pages[target].names):
            print(f"site: {path.relative_to(root)}: {link}: there is no such thing", file=sys.stderr)
            bad += 1
print(f"site: {len(pages)} pages, {count} links between them, {bad} of them broken")
sys.exit(bad > 0 or not count)
