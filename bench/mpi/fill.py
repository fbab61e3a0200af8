"""Tables of a Markdown file that a program makes: each stands between <!-- NAME --> and <!-- end -->."""

import re


def markdown(columns, rows, numbers=0):
    """The last so many columns are numbers."""
    rule = ["---"] * (len(columns) - numbers) + ["---:"] * numbers
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in (columns, rule, *rows))


def filled(text, tables):
    """The text with these tables, of which each must have its place."""
    for name, table in tables.items():
        text, places = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda at: f"{at[1]}{table}\n{at[2]}", text,
                               flags=re.DOTALL)
        if places != 1:
            raise ValueError(f"{places} places for <!-- {name} -->")
    return text
