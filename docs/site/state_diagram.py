"""Draws a state diagram that is written in Mermaid, which GitHub draws itself, as SVG: no page of the site loads a program for it.

Each state is a card that lists where its inputs lead to. From each of them a line runs to that state's card, beside the columns of the
cards or between them; all lines to one card share a vertical."""

import re
import textwrap
from html import escape
from itertools import permutations

# The states of each column, from the top. The build fails if they are not the diagram's states.
COLUMNS = [
    ["processing", "not_sent", "uncertain", "not_processed"],
    ["authorized", "partially_captured", "captured", "partially_refunded", "refunded", "voided", "declined"],
]
# The hue of the lines that lead to a state, so that neighbouring lines differ. The site's style sheet sets the other parts of
# the colour.
HUES = {
    "processing": 205, "not_sent": 330, "uncertain": 35, "not_processed": 275, "authorized": 205, "partially_captured": 175,
    "captured": 140, "partially_refunded": 300, "refunded": 265, "voided": 45, "declined": 0,
}
START = "[*]"
TRANSITION = re.compile(r"(?P<source>\[\*\]|\w+) --> (?P<target>\w+): (?P<inputs>.+)")

# Sizes in pixels.
CARD, HEAD, NAME, TEXT, PADDING = 250, 32, 17, 15, 8
GAP, BETWEEN, TOP = 22, 10, 44
# The number of letters for which a line of a card has space, in the widest of the usual fonts.
LETTERS = 34


def transitions(source):
    """By the states that it leads from and to, each transition's inputs."""
    kind, *lines = [line.strip() for line in source.strip().splitlines()]
    if kind != "stateDiagram-v2":
        raise ValueError(f"'{kind}' is no diagram that the site can draw")
    found = {}
    for line in lines:
        if not (parsed := TRANSITION.fullmatch(line)):
            raise ValueError(f"'{line}' is no transition")
        found.setdefault((parsed["source"], parsed["target"]), []).extend(parsed["inputs"].split(" / "))
    named = {name for transition in found for name in transition} - {START}
    if odd := named ^ {name for column in COLUMNS for name in column}:
        raise ValueError(f"{', '.join(sorted(odd))}: the states of the diagram are not those that docs/site/state_diagram.py places")
    return found


class Card:
    """A state, at its place, with what its inputs lead to."""

    def __init__(self, name, column, found):
        self.name, self.column, self.top = name, column, 0
        # For each row: the state it leads to, its distance from the card's top, and its lines.
        self.rows, self.height = [], HEAD
        for (source, target), inputs in found.items():
            if source == name:
                lines = wrapped(inputs)
                self.rows.append((target, self.height, lines))
                self.height += NAME + TEXT * len(lines) + PADDING

    @property
    def entry(self):
        return self.top + HEAD / 2


def place(cards):
    """Gives each card its top, so that the columns are equally high; the height of all."""
    columns = [[cards[name] for name in names] for names in COLUMNS]
    full = max(sum(card.height + GAP for card in column) - GAP for column in columns)
    for column in columns:
        top, gap = TOP, (full - sum(card.height for card in column)) / (len(column) - 1)
        for card in column:
            card.top = top
            top += card.height + gap
    return TOP + full + 2


def wrapped(inputs):
    """Lines that fit into a card, which end between inputs rather than in one."""
    held = [text.replace(" ", "\u00a0") if len(text) < LETTERS - 1 else text for text in inputs]
    return [line.replace("\u00a0", " ") for line in textwrap.wrap("\u00a0/ ".join(held), LETTERS, break_long_words=False)]


class Channel:
    """The space beside a column or between two, in which lines run up and down: one vertical for each state that is led to."""

    def __init__(self, crosses):
        # Whether lines cross the channel; and their lanes, by the target, where lines come in.
        self.crosses, self.leads = crosses, {}

    def order(self, entries):
        """The verticals' targets, from the side that lines come from: as few lines cross as can be."""
        spans = {target: (min(starts + [entries[target]]), max(starts + [entries[target]])) for target, starts in self.leads.items()}

        def crossings(order):
            count = 0
            for index, target in enumerate(order):
                before, after = order[:index], order[index + 1:]
                for y, passed in [(start, before) for start in self.leads[target]] + [(entries[target], after if self.crosses else before)]:
                    count += sum(spans[other][0] <= y <= spans[other][1] for other in passed)
            return count

        return min(permutations(sorted(self.leads, key=entries.get)), key=crossings)

    @property
    def width(self):
        return BETWEEN * len(self.leads) + (20 if self.crosses else 12)


class Diagram:
    def __init__(self, found):
        self.found = found
        self.cards = {name: Card(name, column, found) for column, names in enumerate(COLUMNS) for name in names}
        self.height = place(self.cards)
        # The channels left of the first column, between the columns, and right of the second.
        self.channels = [Channel(False), Channel(True), Channel(False)]
        for card in self.cards.values():
            for target, below, _ in card.rows:
                self.channels[self.channel(card, target)].leads.setdefault(target, []).append(card.top + below + NAME / 2)
        entries = {name: card.entry for name, card in self.cards.items()}
        self.orders = [channel.order(entries) for channel in self.channels]
        first, between, last = (channel.width for channel in self.channels)
        self.lefts = [first, first + CARD + between]
        self.width = self.lefts[1] + CARD + last

    def channel(self, card, target):
        """The number of the channel that a line takes."""
        return card.column * 2 if card.column == self.cards[target].column else 1

    def svg(self):
        size = f'width="{self.width}" height="{self.height:g}" viewBox="0 0 {self.width} {self.height:g}"'
        return "".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="group" aria-label="The states, and the inputs that lead from each to another">',
            *(self.start(target, inputs) for (source, target), inputs in self.found.items() if source == START),
            *map(self.state, self.cards.values()),
            "</svg>",
        ])

    def start(self, target, inputs):
        x = self.lefts[0] + CARD / 2
        return (f'<g class="transition" style="--hue: {HUES[target]}"><circle cx="{x:g}" cy="8" r="7"/>'
                f'<path class="line" d="M{x:g} 8 V{TOP - 6}"/>{arrow(x, TOP, 0, 1)}'
                f'<text x="{x + 12:g}" y="28">{escape(" / ".join(inputs))}</text></g>')

    def state(self, card):
        left = self.lefts[card.column]
        rows = "".join(self.transition(card, target, card.top + below, lines) for target, below, lines in card.rows)
        return (f'<g class="state"><rect class="card" x="{left}" y="{card.top:g}" width="{CARD}" height="{card.height}" rx="6"/>'
                f'<text class="name" x="{left + 12}" y="{card.top + 21:g}">{card.name}</text>{rows}</g>')

    def transition(self, card, target, y, lines):
        """A row of a card, which begins at `y`, and the line from it."""
        number = self.channel(card, target)
        left, to_left = self.lefts[card.column], self.lefts[self.cards[target].column]
        # Lines leave to the left into the first channel, and otherwise to the right. They arrive from the right only out of the
        # last channel.
        start = left if number == 0 else left + CARD
        end, side = (to_left + CARD, 1) if number == 2 else (to_left, -1)
        out = (self.orders[number].index(target) + 1) * BETWEEN + (5 if number == 1 else 2)
        vertical = start - out if number == 0 else start + out
        entry = self.cards[target].entry
        texts = "".join(f'<text x="{left + 12}" y="{y + NAME + TEXT * index + 11:g}">{escape(line)}</text>' for index, line in enumerate(lines))
        return (f'<g class="transition" style="--hue: {HUES[target]}">'
                f'<rect class="row" x="{left}" y="{y - 3:g}" width="{CARD}" height="{NAME + TEXT * len(lines) + PADDING}"/>'
                f'<text class="target" x="{left + 12}" y="{y + 12:g}">→ {target}</text>{texts}'
                f'<circle cx="{start}" cy="{y + NAME / 2:g}" r="3"/>'
                f'<path class="line" d="{route(start, y + NAME / 2, vertical, entry, end + side * 5)}"/>{arrow(end, entry, -side, 0)}</g>')


def drawn(source):
    """The diagram as an element of a page."""
    svg = Diagram(transitions(source)).svg()
    return f'<div class="diagram" role="region" aria-label="Diagram" tabindex="0" data-search-exclude>{svg}</div>'


def route(x, y, vertical, to_y, to_x):
    """Across to the vertical, along it and across to the target, with rounded corners."""
    radius = min(5, abs(to_y - y) / 2)
    down = radius if to_y > y else -radius
    out = radius if vertical > x else -radius
    back = radius if to_x > vertical else -radius
    return (f"M{x:g} {y:g} H{vertical - out:g} Q{vertical:g} {y:g} {vertical:g} {y + down:g} "
            f"V{to_y - down:g} Q{vertical:g} {to_y:g} {vertical + back:g} {to_y:g} H{to_x:g}")


def arrow(x, y, along, down):
    """A head that points to a place, in the direction given."""
    return (f'<path class="head" d="M{x:g} {y:g} L{x - 8 * along - 4 * down:g} {y - 8 * down - 4 * along:g} '
            f'L{x - 8 * along + 4 * down:g} {y - 8 * down + 4 * along:g} z"/>')
