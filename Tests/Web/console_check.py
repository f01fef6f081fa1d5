#!/usr/bin/env python3
"""Works with the operators' console in Chromium against a live relay and FORT's sandbox, on SQLite and on PostgreSQL: logs in, finds a
payment, refunds it, sees it in the timeline, is refused with the wrong role, and goes on after the relay was killed; with the mouse,
with the keyboard alone, and without JavaScript; and answers the questions of docs/console.md. axe looks at every page, light and dark,
at 390 and 2,000 pixels.

PAYMENTS is how many payments the load test makes in each journal first. PAYRELAY is the binary, CHROMIUM the browser. SCREENSHOTS is a
folder, where the pages are kept. `-k NAME` runs one case."""

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "browser"))
from journals import Postgres, SQLite
from programs import PAYRELAY, ROOT, Relay, Sandbox, mint_token

HOSTILE = "<img src=x onerror=\"document.title='owned'\">"
ROLES = ["viewer", "support", "finance"]
PAYMENTS = int(os.environ.get("PAYMENTS", "200"))
# The reader's time zone, in which customers give times.
ZONE = timezone(timedelta(hours=4))


def add_operator(name, role):
    """The key, and the line to configure."""
    made = subprocess.run(
        [PAYRELAY, "operators", "add", name, "--role", role], capture_output=True, text=True, check=True)
    return made.stderr.strip(), made.stdout


def make_payments(relay, count):
    """By the load test, as fast as this machine can: what is due while 16 are under way is left out, and made up for later."""
    rate = 150
    while count > 0:
        made = subprocess.run(
            [PAYRELAY + "-dev", "loadtest", "--target", f"http://127.0.0.1:{relay.port}", "--rate", str(rate), "--connections", "16",
             "--duration", f"{min(60, max(1, round(count / rate)))}s", "--json"], cwd=ROOT, capture_output=True, text=True)
        result = json.loads(made.stdout)
        if result["successes"] + result["left_out"] != result["payments"] or not result["successes"]:
            raise RuntimeError(f"{made.stdout[:4000]}\n{made.stderr[-2000:]}")
        count -= result["successes"]
        rate = max(20, round(result["throughput"] * 1.1))


class Desk:
    """An operator's desk. A class for each journal runs all of it."""

    Journal = SQLite

    @classmethod
    def setUpClass(cls):
        if not cls.Journal.is_available():
            raise unittest.SkipTest(f"{cls.Journal.name} is not installed")
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        operators = {role: add_operator(f"sara.{role}", role) for role in ROLES}
        cls.keys = {role: key for role, (key, _) in operators.items()}
        cls.operators = Path(cls.folder, "operators")
        cls.operators.write_text("".join(line for _, line in operators.values()))
        cls.sandbox = cls.enterClassContext(Sandbox(cls.folder))
        cls.journal = cls.enterClassContext(cls.Journal(cls.folder))
        # The load must not meet the limits of the relay below.
        settings = {"PAYRELAY_JOURNAL": cls.journal.url, "PAYRELAY_JWT_KEYS_FILE": ""}
        with Relay(cls.sandbox, cls.folder, "journal", settings) as relay:
            make_payments(relay, PAYMENTS)
        cls.start_relay()
        cls.address = f"http://127.0.0.1:{cls.admin_port}/console"
        cls.playwright = cls.enterClassContext(sync_playwright())
        cls.browser = cls.playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--host-resolver-rules=MAP console.example 127.0.0.1"])
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def start_relay(cls, admin_port="0"):
        cls.relay = cls.enterClassContext(Relay(cls.sandbox, cls.folder, "journal", {
            "PAYRELAY_JOURNAL": cls.journal.url, "PAYRELAY_ADMIN_PORT": str(admin_port),
            "PAYRELAY_JWT_KEYS_FILE": "", "PAYRELAY_OPERATORS_FILE": str(cls.operators),
            # FORT's silence is requested here, and must not keep other payments from FORT.
            "PAYRELAY_FORT_CIRCUIT_BREAKER_FAILURES": "1000", "PAYRELAY_ANSWER_AFTER_SECONDS": "1", "PAYRELAY_FORT_TIMEOUT_SECONDS": "1",
            "PAYRELAY_EVENTS_URL": "http://127.0.0.1:1/events", "PAYRELAY_EVENTS_SECRET": "whsec_" + "A" * 43 + "=",
        }))
        cls.admin_port = cls.relay.wait_for(r'"message":"admin listening".*"port":"(\d+)"')[1]

    def pay(self, amount=10000, currency="AED", command="PURCHASE", **fields):
        """Pays an order of its own, without a browser; its reference."""
        reference = f"ORDER-{uuid.uuid4().hex[:8]}"
        order = {"command": command, "merchant_reference": reference, "amount": amount, "currency": currency,
                 "language": "en", "customer_email": "sara@example.com", "token": mint_token(amount, currency), **fields}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.relay.port}/v1/payments", json.dumps(order).encode(),
            {"Content-Type": "application/json"})
        urllib.request.urlopen(request).close()
        return reference

    def pay_without_an_answer(self):
        """Pays an order of which FORT says nothing, for as long as the test runs."""
        self.sandbox.inject({"fault": "never_answer", "command": "CHECK_STATUS"})
        self.addCleanup(self.sandbox.inject)
        return self.pay(10408)

    def open(self, role, size=(1280, 900), scheme="light", **options):
        """A window of its own in which an operator has logged in."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, timezone_id="Asia/Dubai", **options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.log = []
        page.on("console", lambda line: page.log.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.log.append(str(error)))
        page.goto(self.address)
        self.log_in(page, role)
        expect(page.get_by_role("heading", name="Needs attention")).to_be_visible()
        return page

    def log_in(self, page, role):
        page.get_by_label("Your operator's key").fill(self.keys[role])
        page.get_by_role("button", name="Log in").click()

    def find(self, page, reference):
        page.get_by_role("searchbox").fill(reference)
        page.get_by_role("searchbox").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(reference)

    def refund(self, page, amount):
        page.get_by_role("link", name="Refund…").click()
        page.get_by_label("Amount in").fill(amount)
        page.get_by_role("button", name="Go on").click()
        page.get_by_label(re.compile("to confirm")).fill(amount)

    def quiet(self, page, *expected):
        unexpected = [line for line in page.log if not any(part in line for part in expected)]
        self.assertEqual(unexpected, [])

    # What an operator does

    def test_finds_a_payment_refunds_it_and_sees_it_in_the_timeline(self):
        reference = self.pay()
        page = self.open("finance")
        self.find(page, reference)
        self.refund(page, "40.00")
        expect(page.get_by_text("Refunds 40.00 AED of")).to_be_visible()
        page.get_by_role("button", name="Refund 40.00 AED").dblclick()
        expect(page.get_by_role("status")).to_contain_text("Refund of 40.00 AED: done.")
        timeline = page.locator(".timeline")
        expect(timeline).to_contain_text("Partially refunded · refunded 40.00 AED")
        expect(timeline).to_contain_text("By the operator sara.finance")
        book = next(order for order in self.sandbox.books() if order["merchant_reference"] == reference)
        self.assertIn("4000", json.dumps(book))
        self.quiet(page)

    def test_a_wrong_amount_refunds_nothing(self):
        reference = self.pay()
        page = self.open("finance")
        self.find(page, reference)
        page.get_by_role("link", name="Refund…").click()
        page.get_by_label("Amount in").fill("100.01")
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("alert")).to_have_text("Only 100.00 AED is left to refund.")
        page.get_by_label("Amount in").fill("1.00")
        page.get_by_role("button", name="Go on").click()
        page.get_by_label(re.compile("to confirm")).fill("10.00")
        page.get_by_role("button", name="Refund 1.00 AED").click()
        expect(page.get_by_role("alert")).to_contain_text("Nothing was done.")
        self.find(page, reference)
        expect(page.locator(".badge").first).to_have_text("Captured")

    def test_captures_and_voids_in_dinars(self):
        page = self.open("finance")
        self.find(page, self.pay(10500, "KWD", "AUTHORIZATION"))
        page.get_by_role("link", name="Capture…").click()
        page.get_by_label("Amount in KWD").fill("0.500")
        page.get_by_role("button", name="Go on").click()
        page.get_by_label("Type 0.500 to confirm").fill("0.5")
        page.get_by_role("button", name="Capture 0.500 KWD").click()
        expect(page.get_by_role("status")).to_contain_text("Capture of 0.500 KWD: done.")
        self.find(page, self.pay(10500, "KWD", "AUTHORIZATION"))
        page.get_by_role("link", name="Void…").click()
        page.get_by_label("Type 10.500 to confirm").fill("10.500")
        page.get_by_role("button", name="Void 10.500 KWD").click()
        expect(page.locator(".badge").first).to_have_text("Voided")

    def test_with_the_keyboard_alone(self):
        reference = self.pay()
        page = self.open("finance")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
        page.keyboard.type(reference)
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(reference)
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == "Refund…":
                break
        page.keyboard.press("Enter")
        expect(page.get_by_label("Amount in")).to_have_value("100.00")
        page.get_by_label("Amount in").focus()
        page.keyboard.press("Enter")
        page.get_by_label("Type 100.00 to confirm").focus()
        page.keyboard.type("100.00")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status")).to_contain_text("Refund of 100.00 AED: done.")

    def test_back_after_a_refund_refunds_nothing(self):
        reference = self.pay()
        page = self.open("finance")
        self.find(page, reference)
        self.refund(page, "1.00")
        page.get_by_role("button", name="Refund 1.00 AED").click()
        expect(page.get_by_role("status")).to_contain_text("Refund of 1.00 AED: done.")
        page.go_back()
        expect(page.get_by_role("heading", name="The payment has changed since you opened this form")).to_be_visible()
        expect(page.get_by_text("Refund of 1.00 AED: done")).to_be_visible()

    def test_without_javascript(self):
        reference = self.pay()
        page = self.open("finance", java_script_enabled=False)
        self.find(page, reference)
        expect(page.locator("time").first).to_contain_text("UTC")
        self.refund(page, "1.00")
        page.get_by_role("button", name="Refund 1.00 AED").click()
        expect(page.get_by_role("status")).to_contain_text("Refund of 1.00 AED: done.")

    def test_the_wrong_role_is_refused(self):
        reference = self.pay()
        page = self.open("support")
        self.find(page, reference)
        expect(page.get_by_role("button", name="Refund…")).to_be_disabled()
        expect(page.get_by_text("It takes the role finance.").first).to_be_visible()
        page.goto(f"{self.address}/payment/refund?reference={reference}")
        expect(page.get_by_role("heading", name="Your role does not permit this")).to_be_visible()
        self.find(page, reference)
        page.get_by_role("button", name="Ask FORT now").click()
        expect(page.get_by_role("status")).to_contain_text("FORT was queried. Nothing has changed.")
        expect(page.locator(".timeline")).to_contain_text("Queried by the operator sara.support")

    def test_a_removed_key_ends_the_session(self):
        page = self.open("viewer")
        before = self.operators.read_text()
        self.addCleanup(self.operators.write_text, before)
        self.operators.write_text("".join(line for line in before.splitlines(True) if "viewer" not in line))
        self.relay.process.send_signal(signal.SIGHUP)
        self.relay.wait_for('"message":"operators reloaded"')
        page.reload()
        expect(page.get_by_label("Your operator's key")).to_be_visible()
        self.operators.write_text(before)
        reloads = sum("operators reloaded" in line for line in self.relay.lines)
        self.relay.process.send_signal(signal.SIGHUP)
        while sum("operators reloaded" in line for line in self.relay.lines) == reloads:
            time.sleep(0.05)

    def test_an_uncertain_payment_needs_attention(self):
        reference = self.pay_without_an_answer()
        page = self.open("support")
        expect(page.get_by_role("link", name=reference)).to_be_visible()
        page.get_by_role("button", name=f"Ask FORT now about {reference}").click()
        expect(page.locator(".timeline")).to_contain_text("Queried by the operator sara.support")

    def test_times_are_of_the_readers_zone_with_utc_at_hand(self):
        page = self.open("viewer")
        self.find(page, self.pay())
        first = page.locator("time").first
        expect(first).to_have_text(re.compile(r"\+04:00$"))
        expect(first).to_have_attribute("title", re.compile("UTC$"))

    def test_an_attacker_page_cannot_frame_or_post(self):
        page = self.open("finance")
        reference = self.pay()
        attacker = page.context.new_page()
        attacker.route("http://attacker.example/", lambda route: route.fulfill(
            content_type="text/html", body=f"""<form method=post action="{self.address}/payment/refund?reference={reference}">
            <input name=amount value=1.00><input name=confirmation value=1.00></form>
            <iframe src="{self.address}"></iframe><script>document.forms[0].submit()</script>"""))
        with attacker.expect_response(re.compile("/payment/refund")) as sent:
            attacker.goto("http://attacker.example/")
        self.assertEqual(sent.value.status, 403)
        expect(attacker.get_by_role("heading", name="The form is of another site")).to_be_visible()
        self.find(page, reference)
        expect(page.locator(".badge").first).to_have_text("Captured")

    def test_finds_a_payment_by_each_key(self):
        reference = self.pay(amount=12345)
        page = self.open("viewer")
        self.find(page, reference)
        order = next(order for order in self.sandbox.books() if order["merchant_reference"] == reference)
        apples = page.get_by_text("Apple's transaction").locator("xpath=following-sibling::dd").inner_text().strip()
        for text in [reference[:-1], "sara@example.com", "1111", str(order["fort_id"]), apples]:
            page.get_by_role("searchbox").fill(text)
            page.get_by_role("searchbox").press("Enter")
            expect(page.get_by_role("heading", level=1)).to_have_text("Payments")
            expect(page.get_by_role("link", name=reference)).to_be_visible()
        page.goto(self.address + "/payments")
        self.unfold_filters(page)
        page.get_by_label("Amount").fill("123.45")
        page.get_by_label("Currency").fill("AED")
        page.get_by_label("Outcome").select_option("captured")
        page.get_by_role("button", name="Search").click()
        page.get_by_role("link", name=reference).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(reference)

    def test_another_name_of_the_relay_is_a_page_that_says_so(self):
        page = self.open("viewer")
        answer = page.goto(f"http://console.example:{self.admin_port}/console/payments")
        self.assertEqual(answer.status, 421)
        expect(page.get_by_role("heading", name="The console is not under this name")).to_be_visible()
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('section')).borderRadius"), "12px")

    def test_exports_what_the_filters_show(self):
        email = f"{uuid.uuid4().hex}@example.com"
        references = {self.pay(amount, customer_email=email) for amount in (10000, 20000)}
        self.pay(10012, customer_email=email)
        page = self.open("support")
        page.get_by_role("searchbox").fill(email)
        page.get_by_role("searchbox").press("Enter")
        page.get_by_label("Outcome").select_option("captured")
        page.get_by_role("button", name="Search").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="All of them as CSV").click()
        self.assertRegex(download.value.suggested_filename, r"^payments_email_captured_[0-9-]+\.csv$")
        rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
        self.assertEqual({row["merchant_reference"] for row in rows}, references)
        page = self.open("viewer")
        page.goto(self.address + "/payments")
        expect(page.get_by_text("CSV takes the role support.")).to_be_visible()
        self.assertEqual(page.request.get(self.address + "/payments.csv").status, 403)

    def test_the_whole_journal_as_csv(self):
        page = self.open("support")
        answer = page.request.get(self.address + "/payments.csv", timeout=300_000)
        rows = list(csv.DictReader(io.StringIO(answer.text())))
        references = {row["merchant_reference"] for row in rows}
        self.assertGreaterEqual(len(references), PAYMENTS)
        self.assertEqual(len(references), len(rows))

    def test_a_killed_relay_loses_sessions_and_no_payment(self):
        references = [self.pay() for _ in range(3)]
        uncertain = self.pay_without_an_answer()
        page = self.open("finance")
        self.find(page, references[0])
        self.refund(page, "30.00")
        # FORT refunds, and the relay is killed before it gets the answer.
        self.sandbox.inject(
            {"fault": "charge_and_never_answer", "command": "REFUND"}, {"fault": "never_answer", "command": "CHECK_STATUS"})
        page.get_by_role("button", name="Refund 30.00 AED").click(no_wait_after=True)
        for _ in range(200):
            book = next(order for order in self.sandbox.books() if order["merchant_reference"] == references[0])
            if book["refunded_amount"] == 3000:
                break
            time.sleep(0.02)
        self.relay.process.kill()
        self.relay.process.wait()
        self.sandbox.inject()
        type(self).start_relay(self.admin_port)
        page.goto(f"{self.address}/payment?reference={references[0]}")
        expect(page.get_by_role("status")).to_contain_text("Your session has ended")
        self.log_in(page, "finance")
        expect(page.get_by_role("heading", level=1)).to_have_text(references[0])
        for _ in range(20):
            if page.locator(".badge", has_text="Partially refunded").count():
                break
            page.get_by_role("button", name="Ask FORT now").click()
            time.sleep(0.5)
        expect(page.locator(".badge").first).to_have_text("Partially refunded")
        book = next(order for order in self.sandbox.books() if order["merchant_reference"] == references[0])
        self.assertEqual((book["refunded_amount"], book["refunds"]), (3000, 1))
        page.goto(self.address + "/payments")
        for reference in [*references, uncertain]:
            expect(page.get_by_role("link", name=reference, exact=True)).to_be_visible()

    def test_payments_appear_as_they_happen(self):
        page = self.open("viewer")
        page.get_by_role("link", name="Live").click()
        expect(page.get_by_role("status")).to_have_text("Payments appear here as they happen.")
        reference = self.pay()
        expect(self.row(page, reference)).to_contain_text("Captured")
        expect(self.row(page, reference)).to_contain_text("+04:00")
        page.get_by_role("button", name="Pause").click()
        unseen = self.pay()
        page.wait_for_timeout(2_000)
        expect(self.row(page, unseen)).to_have_count(0)
        page.get_by_role("button", name="Go on").click()
        expect(self.row(page, unseen)).to_be_visible()
        other = page.context.new_page()
        other.goto(self.address)
        other.get_by_role("button", name="Log out").click()
        expect(page.get_by_role("status")).to_contain_text("The session has ended")
        self.quiet(page)

    def test_times_are_of_the_zone_that_the_reader_chose(self):
        page = self.open("viewer")
        page.get_by_label("Show times in").fill("Asia/Kolkata")
        page.get_by_role("button", name="Use it").click()
        expect(page.locator("#zone")).to_contain_text("Asia/Kolkata")
        page.goto(f"{self.address}/payment?reference={self.pay()}")
        expect(page.locator("main time").first).to_contain_text("+05:30")
        page.goto(f"{self.address}/changes")
        expect(page.get_by_label("Zone", exact=True)).to_have_value("Asia/Kolkata")
        self.quiet(page)

    def test_operators_leave_notes_and_take_payments(self):
        reference = self.pay_without_an_answer()
        page = self.open("support")
        page.get_by_role("button", name=f"Take {reference}").click()
        expect(page.get_by_text("You have taken it").first).to_be_visible()
        page.get_by_role("link", name=reference).click()
        page.get_by_label("For other operators").fill(f"سارة called twice {HOSTILE}")
        page.get_by_role("button", name="Write the note").click()
        expect(page.get_by_text(f"سارة called twice {HOSTILE}")).to_be_visible()
        page.goto(f"{self.address}/audit?operator=sara.support&reference={reference}")
        expect(page.get_by_text("note written")).to_be_visible()
        self.quiet(page)

    # Ten questions of a support desk, as in docs/console.md

    def search(self, page, text):
        page.get_by_role("searchbox").fill(text)
        page.get_by_role("searchbox").press("Enter")

    def unfold_filters(self, page):
        more = page.locator("details", has=page.get_by_text("More filters"))
        if more.get_attribute("open") is None:
            more.get_by_text("More filters").click()

    def filter(self, page, **fields):
        self.unfold_filters(page)
        for label, text in fields.items():
            page.get_by_label(label, exact=True).fill(text)
        page.get_by_role("button", name="Search").click()

    def row(self, page, reference):
        return page.get_by_role("row").filter(has=page.get_by_role("link", name=reference, exact=True))

    def test_question_was_the_card_charged(self):
        email = f"{uuid.uuid4().hex}@example.com"
        paid, other = self.pay(10000, customer_email=email), self.pay(30000, customer_email=email)
        page = self.open("viewer")
        self.search(page, email)
        now = datetime.now(ZONE)
        self.filter(
            page, Amount="100.00", Currency="AED", From=(now - timedelta(minutes=30)).strftime("%Y-%m-%d %H:%M"),
            Before=(now + timedelta(minutes=30)).strftime("%Y-%m-%d %H:%M"))
        expect(page.get_by_label("Zone")).to_have_value("+04:00")
        expect(page.get_by_role("link", name=other)).to_have_count(0)
        page.get_by_role("link", name=paid).click()
        expect(page.get_by_text("The customer has paid.")).to_be_visible()

    def test_question_did_the_refund_go_out(self):
        reference = self.pay()
        page = self.open("finance")
        self.find(page, reference)
        self.refund(page, "25.00")
        page.get_by_role("button", name="Refund 25.00 AED").click()
        page = self.open("viewer")
        self.find(page, reference)
        operation = page.locator(".operation")
        expect(operation).to_contain_text("Refund of 25.00 AED")
        expect(operation.locator(".badge")).to_have_text("Done")

    def test_question_was_she_charged_twice(self):
        email = f"{uuid.uuid4().hex}@example.com"
        first, second = self.pay(customer_email=email), self.pay(customer_email=email)
        declined = self.pay(10012, customer_email=email)
        page = self.open("finance")
        self.find(page, second)
        page.get_by_text("Email", exact=True).locator("xpath=following-sibling::dd").get_by_role("link").click()
        for reference, outcome in [(first, "Captured"), (second, "Captured"), (declined, "Declined")]:
            expect(self.row(page, reference)).to_contain_text(outcome)
        page.get_by_role("link", name=second).click()
        expect(page.get_by_role("link", name="Refund…")).to_be_visible()

    def test_question_which_payments_of_the_night_are_uncertain(self):
        reference, paid = self.pay_without_an_answer(), self.pay()
        page = self.open("viewer")
        page.get_by_role("link", name="Payments", exact=True).click()
        page.get_by_label("Outcome").select_option("uncertain")
        today = datetime.now(ZONE)
        self.filter(page, From=today.strftime("%Y-%m-%d"), Before=(today + timedelta(days=1)).strftime("%Y-%m-%d"))
        expect(page.get_by_role("link", name=reference)).to_be_visible()
        expect(page.get_by_role("link", name=paid)).to_have_count(0)
        page.go_back()
        page.get_by_label("Outcome").select_option("uncertain")
        self.filter(page, From="2001-01-01", Before="2001-01-02")
        expect(page.get_by_text("No payment is like that.")).to_be_visible()

    def test_question_the_shop_never_got_the_event(self):
        reference = self.pay()
        page = self.open("support")
        self.find(page, reference)
        expect(page.locator("section", has=page.get_by_role("heading", name="Events"))).to_contain_text("payment.captured")
        page.get_by_role("button", name="Send its events again").click()
        expect(page.get_by_role("status")).to_contain_text("on their way")

    def test_question_a_customer_calls_with_a_name_and_a_number(self):
        number, family = f"{uuid.uuid4().int % 10**7:07d}", "".join(chr(97 + int(digit, 16)) for digit in uuid.uuid4().hex[:9])
        reference = self.pay(customer_name=f"Zoë {family}", phone_number=f"+971 50 {number}")
        page = self.open("viewer")
        for text in [f"{family.upper()}, Zoe", f"+971 50 {number}", f"0097150{number}", f"(050) {number[:3]}-{number[3:]}", f"50{number}"]:
            self.search(page, text)
            expect(self.row(page, reference)).to_be_visible()
        self.search(page, "+971 50")
        expect(page.get_by_role("alert")).to_contain_text("takes a phone number of 8")
        self.search(page, f"Zoë {family} II")
        expect(page.get_by_text("A name is found whole")).to_be_visible()
        self.quiet(page, "Failed to load resource: the server responded with a status of 40")

    def test_question_which_were_declined_with_one_code(self):
        expired, funds = self.pay(10012), self.pay(10029)
        page = self.open("viewer")
        page.get_by_role("link", name="Payments", exact=True).click()
        page.get_by_label("Outcome").select_option("declined")
        self.filter(page, **{"Code": "13012", "Card network": "visa", "Changed since": "today"})
        expect(self.row(page, expired)).to_be_visible()
        expect(self.row(page, funds)).to_have_count(0)

    def test_question_the_banks_letter_names_the_authorization_code(self):
        reference = self.pay()
        page = self.open("viewer")
        self.find(page, reference)
        code = page.get_by_text("Authorization code", exact=True).locator("xpath=following-sibling::dd").inner_text().strip()
        self.search(page, f"auth {code}")
        expect(self.row(page, reference)).to_be_visible()

    def test_question_what_does_14008_mean(self):
        page = self.open("viewer")
        self.search(page, "14008")
        page.get_by_role("link", name="what it means").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Response code 14008")

    def test_question_why_was_it_declined(self):
        page = self.open("viewer")
        self.find(page, self.pay(10012))
        said = page.locator("section", has=page.get_by_role("heading", name="What FORT said"))
        expect(said).to_contain_text("Card expired.")
        expect(page.get_by_text("The card was not charged.")).to_be_visible()

    def test_question_the_banks_letter_names_forts_number(self):
        reference = self.pay()
        number = next(order for order in self.sandbox.books() if order["merchant_reference"] == reference)["fort_id"]
        page = self.open("viewer")
        self.search(page, str(number))
        page.get_by_role("link", name=reference).click()
        expect(page.locator("dd", has_text=str(number))).to_be_visible()

    def test_question_how_much_did_we_take_today(self):
        self.pay()
        page = self.open("viewer")
        page.get_by_role("link", name="Settlement").click()
        page.get_by_label("Day").fill(datetime.now(ZONE).strftime("%Y-%m-%d"))
        page.get_by_label("Zone").fill("+04:00")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("row", name=re.compile("default.*AED")).first).to_be_visible()

    def test_question_who_refunded_this(self):
        reference = self.pay()
        page = self.open("finance")
        self.find(page, reference)
        self.refund(page, "5.00")
        page.get_by_role("button", name="Refund 5.00 AED").click()
        page = self.open("viewer")
        self.find(page, reference)
        expect(page.locator(".timeline")).to_contain_text("By the operator sara.finance")


class ConsoleOnSQLite(Desk, unittest.TestCase):
    Journal = SQLite

    # How it looks

    def test_the_picture_of_the_readme(self):
        """docs/images/console.png is what this makes."""
        reference = self.pay(25000, customer_name="سارة القحطاني")
        page = self.open("finance", (1280, 820))
        self.find(page, reference)
        self.refund(page, "40.00")
        page.get_by_role("button", name="Refund 40.00 AED").click()
        expect(page.locator(".badge").first).to_have_text("Partially refunded")
        self.find(page, reference)
        self.assertLess(len(page.screenshot(path=Path(os.environ.get("SCREENSHOTS", self.folder), "console.png"))), 150_000)

    def test_every_page_in_every_size_and_scheme(self):
        arabic = self.pay(amount=25000, customer_name="سارة القحطاني")
        declined = self.pay(10012)
        uncertain = self.pay_without_an_answer()
        held = self.pay(10500, "KWD", "AUTHORIZATION")
        token = json.dumps(mint_token(10000))
        for size in [(390, 844), (2000, 1200)]:
            for scheme in ["light", "dark"]:
                page = self.open("finance", size, scheme)
                payment = lambda reference, path="": f"/payment{path}?reference={reference}"
                pages = {
                    "attention": "", "payments": "/payments?outcome=captured", "none": "/payments?q=nobody%40example.com",
                    "settlement": "/settlement", "no-settlement": "/settlement?day=2001-01-01", "no-zone": "/payments?claimed_from=x", "payment": payment(arabic), "declined": payment(declined), "uncertain": payment(uncertain),
                    "refund": payment(arabic, "/refund"), "confirmation": payment(arabic, "/refund") + "&amount=40.00",
                    "wrong-amount": payment(held, "/capture") + "&amount=4000", "not-possible": payment(held, "/refund"),
                    "codes": "/codes", "code": "/codes/00008", "tokens": "/tokens", "signatures": "/signatures",
                    "health": "/health", "configuration": "/configuration", "live": "/live", "changes": "/changes", "audit": "/audit",
                    "no-payment": payment("NOTHING"), "no-page": "/nothing",
                }
                for name, path in pages.items():
                    page.goto(self.address + path)
                    self.look(page, name, size, scheme)
                page.goto(self.address + "/tokens")
                page.get_by_label("An Apple Pay token").fill(token)
                page.get_by_role("button", name="Look into it").click()
                expect(page.get_by_text("Valid", exact=True)).to_be_visible()
                self.look(page, "token", size, scheme)
                page.goto(self.address + "/signatures")
                page.get_by_label("FORT's request or answer").fill('{"command": "PURCHASE", "amount": "100"}')
                page.get_by_label("The signature, if").fill("a" * 64)
                page.get_by_role("button", name="Explain").click()
                self.look(page, "signature", size, scheme)
                page.get_by_role("button", name="Log out").click()
                expect(page.get_by_label("Your operator's key")).to_be_visible()
                self.look(page, "login", size, scheme)
                self.quiet(page, "Failed to load resource: the server responded with a status of 40")

    def look(self, page, name, size, scheme):
        """axe finds nothing, and nothing is wider than the window."""
        found = Axe().run(page)
        self.assertEqual(found.violations_count, 0, f"{name} {size} {scheme}: {found.generate_report()}")
        widths = page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]")
        self.assertLessEqual(widths[0], widths[1], f"{name} {size} {scheme}")
        if folder := os.environ.get("SCREENSHOTS"):
            page.screenshot(path=f"{folder}/{name}-{size[0]}-{scheme}.png", full_page=True)


class ConsoleOnPostgres(Desk, unittest.TestCase):
    Journal = Postgres


if __name__ == "__main__":
    unittest.main()
