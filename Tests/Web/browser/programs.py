"""The relay and its sandbox, as `payrelay` runs them, each at a port that the system chose."""

import json
import os
import re
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAYRELAY = os.environ.get("PAYRELAY", str(ROOT / ".build/debug/payrelay"))


class Program:
    """`payrelay`, or another program, that runs until the end of a `with`, and the lines that it wrote."""

    def __init__(self, arguments, settings={}, program=PAYRELAY):
        self.lines = []
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PAYRELAY_")}
        self.process = subprocess.Popen(
            [program, *arguments], cwd=ROOT, env={**environment, **settings}, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stdout), daemon=True)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.reader.join()
        self.process.stdout.close()

    def wait_for(self, pattern):
        for _ in range(600):
            for line in list(self.lines):
                if found := re.search(pattern, line):
                    return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError(f"no {pattern} in:\n{''.join(self.lines)}")


class Sandbox(Program):
    """FORT and Apple's session host."""

    def __init__(self, folder):
        super().__init__(
            ["sandbox", "--port", "0", "--session-port", "0", "--session-certificates", f"{folder}/session"],
            program=PAYRELAY + "-dev")
        self.wait_for("PAYRELAY_TOKEN_TRUST_ANCHOR_FILE")
        self.wait_for("PAYRELAY_APPLE_PAY_SESSION_CA_FILE")
        self.settings = dict(
            line.strip().removeprefix("export ").split("=", 1) for line in self.lines if line.startswith("export "))
        self.url = self.settings["PAYRELAY_FORT_ENDPOINT"].removesuffix("/FortAPI/paymentApi")

    def books(self):
        with urllib.request.urlopen(f"{self.url}/_sandbox/orders") as answer:
            return json.load(answer)

    def inject(self, *faults):
        request = urllib.request.Request(
            f"{self.url}/_sandbox/faults", json.dumps({"faults": faults}).encode() if faults else None,
            method="PUT" if faults else "DELETE")
        urllib.request.urlopen(request).close()

    @property
    def validation_url(self):
        """As Apple's event has it, at the host that the relay is told to ask."""
        return f"https://{self.settings['PAYRELAY_APPLE_PAY_SESSION_HOST']}/paymentservices/startSession"


class Relay(Program):
    def __init__(self, sandbox, folder, name, settings={}):
        super().__init__(["serve"], {
            **sandbox.settings, "PAYRELAY_HTTP_PORT": "0", "PAYRELAY_ADMIN_PORT": "0",
            "PAYRELAY_JOURNAL": f"sqlite:{folder}/{name}.sqlite", "PAYRELAY_JWT_KEYS_FILE": f"{folder}/keys.json", **settings,
        })
        self.port = int(self.wait_for(r'"message":"listening".*"port":"(\d+)"')[1])


def mint_token(amount, currency="AED"):
    """As Apple would give it to the page."""
    return json.loads(subprocess.check_output(
        [PAYRELAY + "-dev", "token", "mint", "--minor", "--amount", str(amount), "--currency", currency], cwd=ROOT))
