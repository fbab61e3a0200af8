"""The site, as Sphinx builds it for script/site from the documents of docs/ and the manual."""

import os

project = "Unisono"
author = "The Unisono authors"
copyright = "2026, The Unisono authors"
release = version = os.environ["UNISONO_VERSION"]

extensions = ["myst_parser"]
myst_heading_anchors = 4
smartquotes = False  # options begin with two hyphens
nitpicky = True
exclude_patterns = ["site"]

html_theme = "furo"
html_title = f"Unisono {release}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["unisono.css"]
pygments_style = "tango"
pygments_dark_style = "monokai"
