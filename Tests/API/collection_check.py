#!/usr/bin/env python3
"""Sends each request of Examples/collection to a relay with a sandbox, with the variables of the collection, and looks that the answer is
the one that a user expects. PAYRELAY is the binary; --print shows the answers."""

import hashlib
import hmac
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAYRELAY = str((ROOT / os.environ.get("PAYRELAY", ".build/debug/payrelay")).resolve())
COLLECTION = ROOT / "Examples/collection/payrelay.postman_collection.json"
SCOPES = ("payments:create,payments:read,payments:manage,payments:made-elsewhere,recurring-payments:create,tokens:verify,"
          "sdk-tokens:create,sessions:create,settlement:read")


def run(*arguments, program=PAYRELAY):
    return subprocess.run((program, *arguments), check=True, capture_output=True, text=True)


def until(what, probe):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := probe():
            return found
        time.sleep(0.1)
    sys.exit(f"{what} did not happen within a minute")


class Client:
    """What Postman and Bruno do with a collection: put the variables in, and send."""

    def __init__(self, collection, variables):
        self.requests = {
            re.search(r"\((\w+)\)$", item["name"])[1]: item["request"]
            for folder in collection["item"] for item in folder["item"]
        }
        self.authentication = collection["auth"]
        self.variables = {variable["key"]: variable["value"] for variable in collection["variable"]} | variables
        self.sent, self.faults = set(), []

    def filled(self, text):
        missing = set(re.findall(r"{{(\w+)}}", text)) - set(self.variables)
        if missing:
            sys.exit(f"the collection uses variables that it does not declare: {missing}")
        return re.sub(r"{{(\w+)}}", lambda name: self.variables[name[1]], text)

    def send(self, name, expect, change=lambda body: body, **variables):
        """The answer's JSON, or its text."""
        self.variables |= variables
        request = self.requests[name]
        headers = {header["key"]: self.filled(header["value"]) for header in request["header"] if not header.get("disabled")}
        authentication = request.get("auth", self.authentication)
        if authentication["type"] == "bearer":
            headers["Authorization"] = "Bearer " + self.filled(authentication["bearer"][0]["value"])
        body = None
        if "body" in request:
            body = json.dumps(change(json.loads(self.filled(request["body"]["raw"])))).encode()
        sent = urllib.request.Request(self.filled(request["url"]["raw"]), body, headers, method=request["method"])
        try:
            answer = urllib.request.urlopen(sent, timeout=60)
        except urllib.error.HTTPError as problem:
            answer = problem
        text = answer.read().decode()
        self.sent.add(name)
        if answer.status != expect:
            self.faults.append(f"{name}: {answer.status} in place of {expect}: {text[:500]}")
        if "--print" in sys.argv:
            print(f"--- {name}: {answer.status}\n{text[:4000]}")
        return json.loads(text) if "json" in answer.headers.get("Content-Type", "") else text


def minted():
    return run("token", "mint", "--amount", "100.00", "--currency", "AED", program=PAYRELAY + "-dev").stdout.strip()


def signed(phrase):
    """The body with FORT's signature, of the default SHA type."""
    def change(body):
        body.pop("signature", None)
        text = phrase + "".join(f"{name}={body[name]}" for name in sorted(body)) + phrase
        return body | {"signature": hmac.new(phrase.encode(), text.encode(), hashlib.sha256).hexdigest()}

    return change


def check(client, settings):
    phrase = settings["PAYRELAY_FORT_RESPONSE_PHRASE"]
    client.send("createPayment", 200, token=minted())
    client.send("getPayment", 200)
    client.send("getPaymentEvents", 200)
    client.send("syncPayment", 200)
    client.send("refundPayment", 200)
    found = client.send("searchPayments", 200)["payments"]
    if [payment["merchant_reference"] for payment in found] != [client.variables["merchant_reference"]]:
        client.faults.append(f"the search found {found}")
    client.send("directFeedback", 401)
    client.send("directFeedback", 200, change=signed(phrase))
    client.send("notificationFeedback", 200, change=signed(phrase))
    # The reference of the example is used a second time, with another body.
    client.send("createPayment", 422, command="AUTHORIZATION", token=minted())
    client.send("createPayment", 200, merchant_reference="ORDER-1002")
    client.send("capturePayment", 200)
    client.send("createPayment", 200, merchant_reference="ORDER-1003", token=minted())
    client.send("voidPayment", 200)
    stored = client.send("createPayment", 200, merchant_reference="ORDER-1004", command="PURCHASE", token=minted(),
                         change=lambda body: body | {"recurring_mode": "UNSCHEDULED"})
    client.send("createRecurringPayment", 200, token_name=stored["token_name"], agreement_id=stored["agreement_id"])
    verdict = client.send("verifyToken", 200, token=minted())
    if not verdict["valid"]:
        client.faults.append("a minted token is not valid")
    client.send("getSettlement", 200)
    client.send("createSdkToken", 200)
    client.send("createApplePaySession", 200, change=lambda _: {})
    for document in ("domainAssociation", "openAPI", "webModule", "webModuleOfAVersion", "webModuleTypes"):
        client.send(document, 200)


def main():
    collection = json.loads(COLLECTION.read_text(encoding="utf-8"))
    programs = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)

        def start(command, log, **variables):
            programs.append(subprocess.Popen(command, stdout=open(work / log, "a"), stderr=subprocess.STDOUT, env={**os.environ, **variables}))

        try:
            start((PAYRELAY + "-dev", "sandbox", "--port", "0", "--session-port", "0", "--session-certificates", str(work / "session")), "sandbox.log")
            until("the start of the session host", lambda: "SESSION_CA_FILE" in (work / "sandbox.log").read_text())
            settings = dict(re.findall(r"^export (\w+)=(.*)$", (work / "sandbox.log").read_text(), re.M))
            generated = run("keys", "generate", "collection", "--scopes", SCOPES)
            (work / "keys").write_text(generated.stdout)
            (work / "domain").write_text("what Apple gave\n")
            start((PAYRELAY, "serve"), "relay.log", **settings, PAYRELAY_HTTP_PORT="0", PAYRELAY_ADMIN_PORT="0",
                  PAYRELAY_JOURNAL="memory:", PAYRELAY_API_KEYS_FILE=str(work / "keys"),
                  PAYRELAY_APPLE_PAY_DOMAIN_FILE=str(work / "domain"))
            listening = r'"message":"listening".*?"port":"(\d+)"'
            port = until("the relay's start", lambda: re.search(listening, (work / "relay.log").read_text()))[1]
            client = Client(collection, {"base_url": f"http://127.0.0.1:{port}", "api_key": generated.stderr.strip()})
            check(client, settings)
            client.faults += [f"{name} is never sent" for name in sorted(set(client.requests) - client.sent)]
            print("\n".join(client.faults) or f"{len(client.sent)} requests of the collection are answered as they have to be")
            return bool(client.faults)
        finally:
            for program in reversed(programs):
                program.terminate()
                program.wait()


if __name__ == "__main__":
    sys.exit(main())
