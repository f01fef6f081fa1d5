"""The merchant's web server and backend: the page of the documentation under its Content-Security-Policy, order tokens, and the
relay behind it, with a connection that can be cut."""

import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import re
import secrets
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs/apple-pay-on-the-web.md").read_text()
PASSED = ("retry-after", "location", "content-encoding", "etag", "cache-control", "vary")
SCOPE = "payments:create payments:read sessions:create"


def block(language):
    """The code of this language in the documentation: what an integrator copies."""
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    return text


def policy():
    (text,) = re.findall(r"^Content-Security-Policy: (.*)$", DOCUMENT, re.MULTILINE)
    return text


def forwarded_path():
    """The paths that the documentation tells nginx to forward."""
    (pattern,) = re.findall(r"^location ~ (\S+) \{$", DOCUMENT, re.MULTILINE)
    return re.compile(pattern)


class OrderTokens:
    """HS256, as docs/authentication.md writes them."""

    def __init__(self):
        self.secret = secrets.token_bytes(32)

    @property
    def key_set(self):
        return json.dumps({"keys": [{"kty": "oct", "kid": "web", "client": "shop", "k": self.encoded(self.secret)}]})

    def issue(self, order, scope=SCOPE, **claims):
        claims = {
            "aud": "payrelay", "exp": int(time.time()) + 600, "scope": scope,
            **{name: order[name] for name in ("merchant_reference", "amount", "currency", "command")}, **claims,
        }
        text = ".".join(self.encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "kid": "web"}, claims))
        return f"{text}.{self.encoded(hmac.digest(self.secret, text.encode(), hashlib.sha256))}"

    @staticmethod
    def encoded(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Shop(ThreadingHTTPServer):
    """Serves one order at a time: `order`, with tokens of `scope`. `cut` answers of POST /v1/payments are cut in half, and the header
    fields in `dropped` do not reach the relay."""

    daemon_threads = True

    def __init__(self, relay_port, tokens):
        super().__init__(("127.0.0.1", 0), Handler)
        self.relay_port, self.tokens = relay_port, tokens
        self.files = {"/": ("text/html", block("html")), "/checkout.js": ("text/javascript", block("js"))}
        self.forwarded = forwarded_path()
        self.policy = policy()
        self.reset(None)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def reset(self, order, scope=SCOPE):
        self.order, self.scope, self.cut, self.dropped, self.requests = order, scope, 0, (), []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request, client_address):
        # A page that is left closes its connections.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path in self.server.files:
            media_type, text = self.server.files[self.path]
            self.answer(200, media_type, text.encode())
        elif self.path == "/my/order":
            self.answer(200, "application/json", json.dumps(self.server.order).encode())
        elif self.server.forwarded.match(self.path):
            self.forward()
        else:
            self.answer(404 if self.path != "/favicon.ico" else 204, "text/plain", b"")

    def do_POST(self):
        if self.path.startswith("/my/order-token?"):
            self.answer(200, "text/plain", self.server.tokens.issue(self.server.order, self.server.scope).encode())
        elif self.server.forwarded.match(self.path):
            self.forward()
        else:
            self.answer(404, "text/plain", b"")

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.command, self.path, body))
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.server.relay_port, timeout=60)) as relay:
            relay.request(self.command, self.path, body, {
                name: value for name, value in self.headers.items() if name.lower() not in self.server.dropped})
            answer = relay.getresponse()
            content = answer.read()
        if self.command == "POST" and self.path == "/v1/payments" and self.server.cut > 0:
            self.server.cut -= 1
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2])
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        passed = {name: value for name, value in answer.headers.items() if name.lower() in PASSED}
        self.answer(answer.status, answer.headers.get("Content-Type", "text/plain"), content, passed)

    def answer(self, status, media_type, content, headers={}):
        self.send_response(status)
        for name, value in {
            "Content-Type": media_type, "Content-Length": str(len(content)),
            "Content-Security-Policy": self.server.policy, "X-Content-Type-Options": "nosniff", **headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass
