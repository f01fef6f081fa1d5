#!/usr/bin/env python3
"""Holds the four receivers against docs/events.md, with an event of a real relay. PAYRELAY is the relay's binary. A receiver
whose runtime is not installed is skipped."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAYRELAY = str((ROOT / os.environ.get("PAYRELAY", ".build/debug/payrelay")).resolve())
RECEIVERS = {
    "node": ("node", "node/receiver.mjs"), "python": (sys.executable, "python/receiver.py"),
    "php": ("php", "-S", "127.0.0.1:{port}", "php/receiver.php"), "java": ("java", "java/Receiver.java"),
}
SECRET, NEW_SECRET = (("whsec_" + base64.b64encode(bytes([byte]) * 32).decode()) for byte in (7, 8))
problems = []


def start(command, log, **variables):
    return subprocess.Popen(command, cwd=ROOT, stdout=open(log, "a"), stderr=subprocess.STDOUT, env={**os.environ, **variables})


def until(what, probe):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := probe():
            return found
        time.sleep(0.1)
    sys.exit(f"{what} did not happen within a minute")


def sign(body, identifier, moment, secret=SECRET):
    """The header fields that docs/events.md describes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    code = hmac.new(key, f"{identifier}.{moment}.".encode() + body, hashlib.sha256).digest()
    return {"webhook-id": identifier, "webhook-timestamp": str(moment), "webhook-signature": "v1," + base64.b64encode(code).decode()}


def real_event(work):
    """The header fields and the body of an event, as a relay sends them for a payment."""
    received = []

    class Backend(BaseHTTPRequestHandler):
        def do_POST(self):
            received.append((dict(self.headers), self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    backend = HTTPServer(("127.0.0.1", 0), Backend)
    threading.Thread(target=backend.serve_forever, daemon=True).start()
    programs = [start((PAYRELAY + "-dev", "sandbox", "--port", "0"), work / "sandbox.log")]
    try:
        until("the sandbox's start", lambda: "TRUST_ANCHOR" in (work / "sandbox.log").read_text())
        settings = dict(re.findall(r"^export (\w+)=(.*)$", (work / "sandbox.log").read_text(), re.M))
        programs.append(start(
            (PAYRELAY, "serve"), work / "relay.log", **settings, PAYRELAY_HTTP_PORT="0", PAYRELAY_ADMIN_PORT="0",
            PAYRELAY_JOURNAL="memory:", PAYRELAY_EVENTS_URL=f"http://127.0.0.1:{backend.server_port}/events",
            PAYRELAY_EVENTS_SECRET=SECRET))
        port = until("the relay's start", lambda: re.search(
            r'"message":"listening".*?"port":"(\d+)"', (work / "relay.log").read_text()))[1]
        mint = (PAYRELAY + "-dev", "token", "mint", "--amount", "100.00", "--currency", "AED")
        token = json.loads(subprocess.run(mint, check=True, capture_output=True).stdout)
        order = {
            "command": "PURCHASE", "merchant_reference": "ORDER-1001", "amount": 10000, "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", "token": token}
        urllib.request.urlopen(urllib.request.Request(
            f"http://127.0.0.1:{port}/v1/payments", json.dumps(order).encode(), {"Content-Type": "application/json"}))
        return until("the event", lambda: received)[0]
    finally:
        for program in programs:
            program.terminate()
            program.wait()


class Receiver:
    def __init__(self, name, work):
        self.name, self.file, self.log = name, work / f"{name}.events", work / f"{name}.log"
        self.start()

    def start(self):
        # PHP's server does not say which port it took for port 0.
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [part.format(port=self.port) for part in RECEIVERS[self.name]]
        command[-1] = str(HERE / command[-1])
        # The relay has the second of the two secrets, as during a change of the secret.
        self.program = start(
            command, self.log, EVENTS_SECRET=f"{NEW_SECRET} {SECRET}", EVENTS_FILE=str(self.file), PORT=str(self.port))
        until(f"{self.name}'s start", self.answers)

    def answers(self):
        if self.program.poll() is not None:
            sys.exit(f"{self.name} ended: {self.log.read_text()}")
        try:
            return self.send({}, b"", path="/other")
        except OSError:
            return None

    def stop(self):
        self.program.terminate()
        self.program.wait()

    def send(self, headers, body, path="/events", method="POST"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **headers})
            return connection.getresponse().status
        finally:
            connection.close()

    def events(self):
        """The bodies that are recorded, by id, and how many records there are."""
        lines = [line.split(" ") for line in self.file.read_text().split("\n") if line.endswith(" .")]
        return {line[0]: base64.b64decode(line[1]) for line in lines}, len(lines)

    def expect(self, status, what, headers, body, **options):
        answer = self.send(headers, body, **options)
        if answer != status:
            problems.append(f"{self.name}: {what} is answered with {answer}, not {status}")


def check(name, work, headers, body):
    receiver = Receiver(name, work)
    identifier, now = headers["webhook-id"], int(time.time())
    forged = body.replace(b'"captured"', b'"refunded"')
    assert forged != body
    right = sign(body, identifier, now)
    for what, other, bytes_ in [
        ("a body that was changed", right, forged),
        ("a body with one byte more", right, body + b" "),
        ("another id", {**right, "webhook-id": "evt_other_1"}, body),
        ("a dot in the id", {**right, "webhook-id": f"{identifier}.1"}, body),
        ("a replay under a new time", {**sign(body, identifier, now - 4000), "webhook-timestamp": str(now)}, body),
        ("a wrong secret", sign(body, identifier, now, "whsec_" + base64.b64encode(b"x" * 32).decode()), body),
        ("an empty secret", sign(body, identifier, now, "whsec_"), body),
        ("an old event", sign(body, identifier, now - 310), body),
        ("an event of the future", sign(body, identifier, now + 310), body),
        ("a time that is no number", sign(body, identifier, f"{now}.0"), body),
        ("a negative time", sign(body, identifier, f"-{now}"), body),
        ("no signature", {key: value for key, value in right.items() if key != "webhook-signature"}, body),
        ("no header fields", {}, body),
        ("an empty signature", {**right, "webhook-signature": "v1,"}, body),
        ("half of the signature", {**right, "webhook-signature": right["webhook-signature"][:24]}, body),
        ("the signature of another version", {**right, "webhook-signature": right["webhook-signature"].replace("v1,", "v2,")}, body),
        ("bytes beyond ASCII in the signature", {**right, "webhook-signature": "v1,\xe9\xff"}, body),
    ]:
        receiver.expect(401, what, other, bytes_)
    receiver.expect(413, "a body that is too large", right, b"x" * 70_000)
    receiver.expect(404, "another path", right, body, path="/other")
    if receiver.file.exists() and receiver.events()[1]:
        problems.append(f"{name} recorded what is not genuine")
    receiver.expect(204, "the relay's own event", {key: value for key, value in headers.items() if key.startswith("webhook-")}, body)
    receiver.expect(204, "the event again", sign(body, identifier, now), body)
    two = {**right, "webhook-signature": "v1,AAAA " + right["webhook-signature"]}
    receiver.expect(204, "the event with two signatures", two, body)
    receiver.expect(204, "the event under the new secret", sign(body, identifier, now, NEW_SECRET), body)
    receiver.expect(204, "an event of four minutes ago", sign(body, "evt_late_1", now - 240), body)
    # Half of a record is left, as after a crash: its event was not acknowledged and comes again.
    receiver.stop()
    with open(receiver.file, "a") as file:
        file.write("\nevt_torn_1 eyJpZCI6")
    receiver.start()
    receiver.expect(204, "the event after a restart", sign(body, identifier, int(time.time())), body)
    receiver.expect(204, "the event of a torn record", sign(body, "evt_torn_1", int(time.time())), body)
    receiver.stop()
    events, count = receiver.events()
    if events != {key: body for key in (identifier, "evt_late_1", "evt_torn_1")} or count != 3:
        problems.append(f"{name} recorded {count} events of {sorted(events)}")
    if receiver.log.read_text().count(f"received {identifier}\n") != 1:
        problems.append(f"{name} took the event more than once, or never")


with tempfile.TemporaryDirectory() as folder:
    headers, body = real_event(Path(folder))
    headers = {key.lower(): value for key, value in headers.items()}
    if sign(body, headers["webhook-id"], headers["webhook-timestamp"])["webhook-signature"] != headers["webhook-signature"]:
        problems.append("the relay does not sign as docs/events.md says")
    for name, command in RECEIVERS.items():
        if shutil.which(command[0]) is None:
            print(f"{name}: skipped, {command[0]} is not installed")
            continue
        before = len(problems)
        check(name, Path(folder), headers, body)
        print(f"{name}: {'as it has to be' if len(problems) == before else 'wrong'}")
for problem in problems:
    print(f"problem: {problem}", file=sys.stderr)
sys.exit(1 if problems else 0)
