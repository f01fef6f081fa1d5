#!/usr/bin/env python3
"""Opens every page of the built site, the folder given, in Chromium: from the disk and from a server, as wide as a phone and as a desk.
No page may ask another host for anything, log an error, or be wider than its window; and the search has to find what is searched.
SCREENSHOTS names a folder to keep pictures of some pages in."""

import functools
import os
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import sync_playwright

SEARCHES = {
    "13666": "fort-codes.html", "token-refused": "problems.html", "renew certificate": "renewing-certificates.html",
    "PAYRELAY_RETENTION_DAYS": "configuration.html", "createPayment": "api.html", "integration PHP": "moving-from-your-own-integration.html",
}
PICTURES = [
    "index.html", "api.html", "api.html#createPayment", "problems.html#token-refused", "fort-codes.html#messages", "runbook.html", "promises.html",
    "renewing-certificates.html", "client/first-payment.html", "state-machine.html#diagram",
]


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main(folder):
    pages = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.html") if "payrelay-client" not in path.parts)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    faults = set()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for width, base in ((390, f"file://{folder}"), (1400, f"http://127.0.0.1:{server.server_port}")):
            context = browser.new_context(viewport={"width": width, "height": 900})
            page = context.new_page()
            here = None
            page.on("request", lambda request: request.url.startswith((base, "data:", "blob:", "about:"))
                    or faults.add(f"{here} asks for {request.url}"))
            page.on("console", lambda message: message.type == "error" and faults.add(f"{here} logs {message.text}"))
            page.on("pageerror", lambda error: faults.add(f"{here} fails: {error}"))
            for here in pages:
                # The page of a server that finds nothing; its links begin at the root.
                if here == "404.html":
                    continue
                page.goto(f"{base}/{here}", wait_until="load")
                wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                if wide > 0:
                    faults.add(f"{here} is {wide} pixels wider than {width}")
            for words, expected in SEARCHES.items():
                here = f"the search for {words} from {base.split(':')[0]}"
                page.goto(f"{base}/index.html?q={words}", wait_until="load")
                found = page.locator(".md-search-result__link")
                try:
                    found.first.wait_for(state="attached", timeout=15_000)
                    links = [link.get_attribute("href") for link in found.all()[:8]]
                    if not any(expected in link for link in links):
                        faults.add(f"{here} finds {links}")
                except Exception as error:
                    faults.add(f"{here} finds nothing: {str(error).splitlines()[0]}")
            if pictures := os.environ.get("SCREENSHOTS"):
                for name in PICTURES:
                    page.goto(f"{base}/{name}", wait_until="load")
                    page.wait_for_timeout(300)
                    page.screenshot(path=Path(pictures) / f"{name.replace('/', '-').replace('#', '-')}-{width}.png")
            context.close()
        browser.close()
    server.shutdown()
    print("\n".join(sorted(faults)) or f"{len(pages)} pages: nothing leaves the folder, and the search finds")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
