"""Receives payrelay's events: docs/events.md says what a receiver has to do. Python 3.8 or later, without packages."""

import base64
import hmac
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

# Two of them, separated by a space, while the secret is changed.
SECRETS = [base64.b64decode(text[len("whsec_"):], validate=True) for text in os.environ["EVENTS_SECRET"].split()]
if not SECRETS or min(map(len, SECRETS)) < 24:
    raise SystemExit("EVENTS_SECRET must be whsec_ and base64")
log = open(os.environ.get("EVENTS_FILE", "events.log"), "a+b")
log.seek(0)
# A line is an id, the base64 of the body and a full stop. Without the full stop it is torn and was never acknowledged.
known = {line.split(b" ")[0].decode() for line in log.read().split(b"\n") if line.endswith(b" .")}


def is_signed(headers, body):
    identifier, moment = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,100}", identifier) or not re.fullmatch("[0-9]{1,12}", moment):
        return False
    if abs(time.time() - int(moment)) > 300:
        return False
    given = headers.get("webhook-signature", "").encode("utf-8", "replace").split(b" ")
    content = f"{identifier}.{moment}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(secret, content, "sha256")) for secret in SECRETS]
    return any(hmac.compare_digest(one, other) for one in expected for other in given)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        self.send_response(self.receive(int(length)) if re.fullmatch("[0-9]{1,9}", length) else 411)
        self.end_headers()

    def receive(self, length):
        if self.path != "/events":
            return 404
        if length > 65_536:
            return 413
        body, identifier = self.rfile.read(length), self.headers.get("webhook-id")
        if len(body) < length or not is_signed(self.headers, body):
            return 401
        if identifier not in known:
            # On the disk before it is acknowledged. What the event means is worked out afterwards, from the file: it pays an order
            # only if payment.amount, payment.currency and payment.account are that order's.
            log.write(b"\n%s %s ." % (identifier.encode(), base64.b64encode(body)))
            log.flush()
            os.fsync(log.fileno())
            known.add(identifier)
            print("received", identifier, flush=True)
        return 204


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver)
print(f"listening at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
