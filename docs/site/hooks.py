"""Makes the site of the Markdown that reads well on GitHub: MkDocs calls the functions that begin with `on_`.

The pages are those of docs/, and the few of PAGES that lie elsewhere. What else the documentation links to in the repository, a source
file or a folder, gets a page that shows it, so that no link leaves the site."""

import logging
import posixpath
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

import api_reference  # noqa: E402
import state_diagram  # noqa: E402
from markdown_of_github import outside_code, slug, with_wide_lists  # noqa: E402
from mkdocs.structure.files import File  # noqa: E402
from pymdownx.superfences import SuperFencesException  # noqa: E402

log = logging.getLogger("mkdocs.hooks.site")
# The page of the site, by the path in the repository.
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "certs/README.md": "certificates-in-the-repository.md",
    "docs/README.md": "pages.md",
    "Examples/SwiftUIShop/README.md": "examples/swiftui-shop.md",
    "Examples/backend/README.md": "examples/backend.md",
    "Examples/collection/README.md": "examples/collection.md",
    "Examples/web-shop/README.md": "examples/web-shop.md",
    "Sources/Clients/PayrelayClient/PayrelayClient.docc/PayrelayClient.md": "client/library.md",
    "Sources/Clients/PayrelayClient/PayrelayClient.docc/YourFirstPayment.md": "client/first-payment.md",
    # Links to the document lead to the page for readers.
    "docs/openapi.yaml": "api.md",
}
LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)\s]+)(?P<after>\))")
LANGUAGES = {
    ".css": "css", ".html": "html", ".java": "java", ".js": "js", ".json": "json", ".mjs": "js", ".php": "php", ".py": "python",
    ".sh": "sh", ".swift": "swift", ".ts": "ts", ".yaml": "yaml", ".yml": "yaml", ".conf": "nginx", ".sql": "sql",
}
# Pages that are first or last among the results of a search: the promises contain every word of the other pages.
BOOSTS = {"problems.md": 2, "fort-codes.md": 2, "api.md": 1.5, "promises.md": 0.2, "changelog.md": 0.3}
# DocC's pages find each other by paths from the root of a server.
REFERENCE = """

## Reference

<a href="../payrelay-client/documentation/payrelayclient/">Every symbol</a> is described in the library's own reference. It has to be read from a server: `make docs`, then
`python3 -m http.server --directory .build/docs/site`.
"""
# The site's page by the path in the repository, for PAGES, docs/ and the pages of sources.
pages = {}


def on_config(config):
    config.mdx_configs.setdefault("toc", {})["slugify"] = slug
    config.mdx_configs.setdefault("pymdownx.superfences", {})["custom_fences"] = [
        {"name": "mermaid", "class": "diagram", "format": diagram}]
    return config


def diagram(source, language, css_class, options, md, **_):
    """What a fenced block of Mermaid becomes."""
    try:
        return state_diagram.drawn(source)
    except ValueError as error:
        # Any other error would leave the diagram as text.
        raise SuperFencesException(str(error)) from error


def on_files(files, config):
    pages.clear()
    pages.update(PAGES)
    for file in list(files):
        path = f"docs/{file.src_uri}"
        if path in PAGES:
            continue
        pages[path] = file.src_uri
    for path, uri in PAGES.items():
        text = api_reference.page() if uri == "api.md" else (ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, uri, content=of_docc(text) if path.endswith(".docc/" + Path(path).name) else text))
    for path in sorted(linked_sources(files)):
        pages[path] = f"source/{path}/index.md" if (ROOT / path).is_dir() else f"source/{path}.md"
        files.append(File.generated(config, pages[path], content=page_of_source(path)))
    return files


def on_nav(nav, config, files):
    """A page that no reader is led to is a fault, but for those that show a source."""
    led_to = {page.file.src_uri for page in nav.pages}
    for file in files.documentation_pages():
        if file.src_uri not in led_to and not file.src_uri.startswith("source/"):
            log.warning(f"'{file.src_uri}' has no place in the navigation of mkdocs.yml")


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri in BOOSTS:
        page.meta["search"] = {"boost": BOOSTS[page.file.src_uri]}
    if page.file.src_uri == "index.md":
        page.meta["hide"] = ["navigation"]
    path = path_of(page.file.src_uri)
    if path.startswith("source:") or page.file.src_uri == "api.md":
        return markdown
    return with_wide_lists(outside_code(markdown, lambda line: LINK.sub(lambda link: relinked(link, path, page), line)))


def relinked(link, path, page):
    found = in_repository(link["target"], path)
    # MkDocs reports a broken link.
    if found is None or found[0] not in pages:
        return link[0]
    target, anchor = found
    relative = posixpath.relpath(pages[target], posixpath.dirname(page.file.src_uri) or ".")
    return f"{link['before']}{relative}{anchor}{link['after']}"


def in_repository(target, path):
    """The file that a link of the page at `path` means, with the anchor; None if the link leaves the repository or stays on the page."""
    if re.match(r"[a-z]+:|#|/", target):
        return None
    name, separator, anchor = target.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name)), separator + anchor


def path_of(uri):
    """In the repository, of a page of the site."""
    for path, page in PAGES.items():
        if page == uri and path != "docs/openapi.yaml":
            return path
    return "source:" + uri if uri.startswith("source/") else f"docs/{uri}"


def linked_sources(files):
    """Files and folders that a page links to and that are not pages themselves. MkDocs reports a missing file as a broken link."""
    for file in files:
        if not file.is_documentation_page() or file.src_uri == "api.md":
            continue
        path = path_of(file.src_uri)
        links = []
        outside_code(file.content_string, lambda line: links.extend(LINK.findall(line)) or line)
        for _, target, _ in links:
            found = in_repository(target, path)
            if found and found[0] not in pages and (ROOT / found[0]).exists():
                yield found[0]


def page_of_source(path):
    # The page is left out of the search, which would find little else.
    front = ["---", "search:", "  exclude: true", "hide:", "  - navigation", "  - toc", "---", f"# {path}", ""]
    file = ROOT / path
    if file.is_dir():
        names = sorted(child.name + ("/" if child.is_dir() else "") for child in file.iterdir() if not child.name.startswith("."))
        return "\n".join([*front, "In this folder of the repository:", "", *(f"- `{name}`" for name in names)])
    text = file.read_text(encoding="utf-8")
    fence = "`" * max(4, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return "\n".join([*front, fence + LANGUAGES.get(file.suffix, "text"), text.rstrip("\n"), fence])


def of_docc(text):
    """An article of DocC as Markdown: a symbol is code, and a link to an article a link to its page."""
    articles = {"YourFirstPayment": "[Your first payment](YourFirstPayment.md)", "PayrelayClient": "[PayrelayClient](PayrelayClient.md)"}
    text = re.sub(r"<doc:(\w+)>", lambda article: articles.get(article[1], article[1]), text)
    return re.sub(r"(?<!`)``([^`\n]+)``(?!`)", r"`\1`", text) + REFERENCE
