#!/usr/bin/env python3
"""Makes docs/images/demo.svg: what `payrelay-dev demo` prints, in a terminal's window, at the times at which it came.

    docs/site/record_demo.py .build/debug/payrelay-dev

A line is as it was printed, with its colours, cut at the right edge."""

import os
import pty
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from xml.sax.saxutils import escape

PICTURE = Path(__file__).resolve().parent.parent / "images/demo.svg"
COMMAND = ".build/debug/payrelay-dev demo"
COLUMNS = 94
# The demo takes a tenth of a second. It is shown slowed down, so that it takes this many seconds.
SECONDS = 4
# Sizes in pixels. The letters of a monospace font are 0.6 of its size wide; `textLength` enforces that.
SIZE, LETTER, LINE, MARGIN, BAR = 13, 7.8, 18, 18, 36

# The window has its own background, so that it looks alike on a light page and a dark one. If nothing should move, or nothing
# can, every line is shown from the start.
STYLE = f"""
.window {{ fill: #161b22; stroke: #6e7681; }}
.bar {{ fill: #30363d; }}
text {{ font: {SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  fill: #e6edf3; white-space: pre; }}
.title, .s2 {{ fill: #a9b3be; }}
.prompt, .s32 {{ fill: #7ee787; }}
.s1 {{ font-weight: 600; }}
.s31 {{ fill: #ff7b72; }}
.s33 {{ fill: #e3b341; }}
@keyframes printed {{ from {{ visibility: hidden; }} }}
@media (prefers-reduced-motion: no-preference) {{ .late {{ animation: printed 1ms step-end backwards; }} }}
"""


def recorded(program):
    """Each line that the program prints on a terminal, with the seconds that had passed since the first."""
    controller, terminal = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAYRELAY_") and name != "NO_COLOR"}
    environment["TERM"] = "xterm"
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([program, "demo"], stdin=terminal, stdout=terminal, stderr=terminal, cwd=folder, env=environment)
        os.close(terminal)
        lines, unfinished = [], b""
        while received := read(controller):
            *complete, unfinished = (unfinished + received).split(b"\n")
            lines += [(time.monotonic(), line.decode().rstrip("\r")) for line in complete]
        os.close(controller)
        if process.wait(60):
            sys.exit(f"the demo failed:\n{os.linesep.join(line for _, line in lines)}")
    return [(at - lines[0][0], line) for at, line in lines]


def read(controller):
    try:
        return os.read(controller, 65536)
    except OSError:
        # Linux reports an error if the last writer has closed the terminal.
        return b""


def chosen(lines):
    """The rows of the picture: the seconds, the class and the text of each."""
    return [(0, "prompt", f"$ {COMMAND}")] + [(passed, "", text) for passed, text in lines]


def picture(rows):
    took = rows[-1][0]
    slower = max(1, round(SECONDS / took))
    width = round(COLUMNS * LETTER + 2 * MARGIN)
    height = BAR + len(rows) * LINE + 2 * MARGIN - 8
    title = f"payrelay-dev demo · {round(took * 1000)} ms from the first line to the last, here {slower} times slower"
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="window" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="9"/>',
        f'<path class="bar" d="M1 {BAR} V9.5 a8.5 8.5 0 0 1 8.5 -8.5 H{width - 9.5} a8.5 8.5 0 0 1 8.5 8.5 V{BAR} z"/>',
        *(f'<circle cx="{20 + 20 * index}" cy="{BAR // 2}" r="6" fill="{colour}"/>'
          for index, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"])),
        f'<text class="title" x="{width / 2:g}" y="{BAR / 2 + 4.5}" text-anchor="middle">{escape(title)}</text>',
        *(row(index, passed * slower, kind, text) for index, (passed, kind, text) in enumerate(rows) if text),
        "</svg>",
    ]) + "\n"


def row(index, delay, kind, text):
    """The line's pieces, one for each style, at their places."""
    column, pieces = 0, []
    for style, piece in styled(text):
        piece = piece[:COLUMNS - column]
        indent = len(piece) - len(piece.lstrip())
        if piece.strip():
            pieces.append(element(index, delay, kind or style, column + indent, piece.strip()))
        column += len(piece)
    return "\n".join(pieces)


def styled(text):
    """Pairs of a class and its text, of a line with ECMA-48's colours."""
    style = ""
    for number, piece in re.findall(r"(?:\x1b\[(\d+)m)?([^\x1b]*)", text):
        style = f"s{number}" if number and number != "0" else "" if number else style
        if piece:
            yield style, piece


def element(index, delay, kind, column, text):
    attributes = {"x": f"{MARGIN + column * LETTER:g}", "y": BAR + MARGIN + index * LINE + 10, "textLength": f"{len(text) * LETTER:g}"}
    if kinds := f"{kind} late".strip() if delay else kind:
        attributes["class"] = kinds
    if delay:
        attributes["style"] = f"animation-delay: {delay:.2f}s"
    written = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<text{written} xml:space="preserve">{escape(text)}</text>'


def main(program):
    PICTURE.write_text(picture(chosen(recorded(Path(program).resolve()))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
