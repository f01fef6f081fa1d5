"""Python-Markdown reads lists otherwise than GitHub: it wants an empty line before a list, and four spaces for each level. This
brings Markdown that was written for GitHub into that shape."""

import re

ITEM = re.compile(r"^(?P<indent> *)(?P<marker>[-*+]|\d{1,9}[.)])(?P<space> +)(?=\S)")
FENCE = re.compile(r"^ *(?P<fence>`{3,}|~{3,})")


def slug(heading, separator="-"):
    """The anchor that GitHub gives a heading."""
    kept = "".join(letter for letter in heading.lower() if letter.isalnum() or letter in "-_ ")
    return kept.strip().replace(" ", separator)


def outside_code(text, change):
    """The text with each line outside of fenced blocks changed."""
    lines, fence = [], None
    for line in text.split("\n"):
        opening = FENCE.match(line)
        if fence is None and opening:
            fence = opening["fence"]
        elif fence is not None and line.strip() == fence:
            fence = None
        elif fence is None:
            line = change(line)
        lines.append(line)
    return "\n".join(lines)


def with_wide_lists(text):
    lines = []
    # The column at which the content of each open list item begins, outermost first.
    columns = []
    fence = None
    previous = ""
    for line in text.split("\n"):
        if fence is not None:
            lines.append(moved(line, columns))
            if line.strip() == fence:
                fence = None
                previous = ""
                # Else the next item of the list is part of this one.
                lines += [""] if columns else []
            continue
        if not line.strip():
            lines.append("")
            previous = ""
            continue
        item = ITEM.match(line)
        indent = len(line) - len(line.lstrip(" "))
        lazy = previous and not item and indent < (columns[-1] if columns else 0) and not FENCE.match(line)
        opened = len(columns)
        if not lazy:
            while columns and indent < columns[-1]:
                columns.pop()
        if item:
            depth = len(columns)
            if previous and depth == 0 and opened == 0:
                lines.append("")
            columns.append(item.end())
            marker = item["marker"].replace(")", ".")
            lines.append("    " * depth + f"{marker} " + line[item.end():])
        else:
            opening = FENCE.match(line)
            fence = opening["fence"] if opening else None
            if opening and previous:
                # Python-Markdown sees no fence in the middle of a paragraph of an item.
                lines.append("")
            lines.append(moved(line, columns))
        previous = line
    return "\n".join(lines)


def moved(line, columns):
    """The line of an item's content, with four spaces for each item that it is in."""
    if not columns or not line.strip():
        return line
    indent = len(line) - len(line.lstrip(" "))
    return "    " * len(columns) + " " * max(0, indent - columns[-1]) + line.lstrip(" ")
