#!/usr/bin/env python3
"""Holds the built site, the folder given, against two rules: each link leads to a page, and to an anchor on that page if it names one; and a
page loads nothing from another host."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src"), ("object", "data")}
# Links that a browser follows only when a reader asks for it.
RELATIONS_LOADED = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "prefetch", "manifest"}


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.anchors.update(filter(None, (attributes.get("id"), attributes.get("name") if tag == "a" else None)))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag == "link" and RELATIONS_LOADED & set((attributes.get("rel") or "").split()):
            self.loaded.append(attributes.get("href", ""))
        self.loaded += [value for name, value in attributes.items() if (tag, name) in LOADS and value]


def main(folder):
    pages = {path.resolve(): Page(path) for path in sorted(folder.rglob("*.html")) if "payrelay-client" not in path.parts}
    faults = []
    for path, page in pages.items():
        for target in page.loaded + page.links:
            url = urlsplit(target)
            if url.scheme or url.netloc:
                if target in page.loaded and url.scheme != "data":
                    faults.append(f"{path.relative_to(folder)} loads {target}")
                continue
            # A server shows this page under any path, so its links begin at the root.
            if path.name == "404.html":
                continue
            leads = (path.parent / unquote(url.path)).resolve() if url.path else path
            if leads.is_dir():
                leads /= "index.html"
            if not leads.exists():
                # The library's reference exists only if docc does: `make docs-client`.
                if "payrelay-client" not in leads.parts:
                    faults.append(f"{path.relative_to(folder)} links to {target}, which is not there")
            elif url.fragment and leads in pages and unquote(url.fragment) not in pages[leads].anchors:
                faults.append(f"{path.relative_to(folder)} links to {target}, and there is no such place on the page")
    for path in folder.rglob("*.css"):
        for target in re.findall(r"(?:@import\s*|url\()[\"']?((?:https?:)?//[^\"')]+)", path.read_text(encoding="utf-8")):
            faults.append(f"{path.relative_to(folder)} loads {target}")
    print("\n".join(sorted(set(faults))) or f"{len(pages)} pages: every link leads somewhere, and nothing is loaded from elsewhere")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
