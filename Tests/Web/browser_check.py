#!/usr/bin/env python3
"""Pays in a real browser: the page of docs/apple-pay-on-the-web.md under its Content-Security-Policy, /payrelay.js of a running
relay, FORT's sandbox behind it, and an ApplePaySession by a script in the place of Safari's. PAYRELAY is the binary, CHROMIUM the
browser. SCREENSHOTS is a folder, where what the customer sees is kept."""

import json
import os
import re
import shutil
import sys
import tempfile
import time
import unittest
import uuid
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "browser"))
from nginx import Nginx
from programs import Relay, Sandbox, mint_token
from shop import DOCUMENT, SCOPE, OrderTokens, Shop

SESSION = (Path(__file__).resolve().parent / "browser/apple_pay_session.js").read_text()
CHECKING = "Your payment is being checked. Please do not pay again."


class BrowserCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        def use(program):
            return cls.enterClassContext(program)

        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.tokens = OrderTokens()
        Path(cls.folder, "keys.json").write_text(cls.tokens.key_set)
        cls.sandbox = use(Sandbox(cls.folder))
        # FORT's silence is short here, so that it fits into the sheet's time.
        cls.relay = use(Relay(cls.sandbox, cls.folder, "relay", {
            "PAYRELAY_ANSWER_AFTER_SECONDS": "2", "PAYRELAY_FORT_TIMEOUT_SECONDS": "3"}))
        cls.shop = Shop(cls.relay.port, cls.tokens)
        cls.addClassCleanup(cls.shop.server_close)
        cls.addClassCleanup(cls.shop.shutdown)
        playwright = use(sync_playwright())
        cls.browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def open(self, amount=10000, customer="authorize", url=None, token=None, contacts=None, scope=SCOPE, **order):
        """The page with an order of its own, and a customer who does this in the sheet."""
        self.order = {
            "merchant_reference": f"WEB-{uuid.uuid4().hex[:12]}", "command": "PURCHASE", "amount": amount, "currency": "AED",
            "language": "en", "customer_email": "sara@example.com", **order,
        }
        self.shop.reset(self.order, scope)
        context = self.browser.new_context()
        self.addCleanup(context.close)
        self.page = page = context.new_page()
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self.heard)
        page.add_init_script(SESSION)
        page.add_init_script("Object.assign(applePay, %s)" % json.dumps({
            "customer": customer, "token": token or mint_token(amount), "contacts": contacts,
            "validationURL": self.sandbox.validation_url}))
        page.goto(url or self.shop.url)

    def heard(self, message):
        """The browser itself reports each answer that is an error, and each connection that is lost."""
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self.complaints.append(message.text)

    def pay(self, **order):
        self.open(**order)
        self.page.click("#pay")

    def await_status(self, text, seconds=30):
        self.page.wait_for_function("text => document.getElementById('status').textContent === text", arg=text,
                                    timeout=seconds * 1000)
        if folder := os.environ.get("SCREENSHOTS"):
            self.page.screenshot(path=f"{folder}/{self._testMethodName}.png")

    @property
    def sheet(self):
        return self.page.evaluate("() => applePay.sheets.at(-1)")

    @property
    def completions(self):
        return [(end["status"], [error["code"] for error in end["errors"]]) for end in self.sheet["completions"]]

    def sent(self, method, path):
        return [body for verb, where, body in self.shop.requests if verb == method and where.startswith(path)]

    def charges(self):
        orders = [order for order in self.sandbox.books() if order["merchant_reference"] == self.order["merchant_reference"]]
        self.assertLessEqual(len(orders), 1)
        self.assertTrue(all(order["charge_requests"] == 1 for order in orders), orders)
        return sum(order["charged"] for order in orders)

    def tearDown(self):
        # The sandbox is silent for one test and answers in the next.
        self.sandbox.inject()
        self.assertEqual(self.complaints, [])
        self.assertEqual(self.page.evaluate("() => [...applePay.violations, ...applePay.misuses]"), [])
        self.assertLessEqual(self.charges(), 1)
        self.assertLessEqual(len(set(self.sent("POST", "/v1/payments"))), 1, "every POST has the same bytes")

    def test_a_purchase_is_captured_and_an_authorization_is_held(self):
        for command in ("PURCHASE", "AUTHORIZATION"):
            self.pay(command=command)
            self.await_status("Thank you. Your order is paid.")
            self.assertEqual((self.sheet["amount"], self.completions), ("100.00", [(0, [])]))
            self.assertEqual(self.sheet["session"]["domainName"], "shop.example")
            self.assertEqual(self.charges(), 1)

    def test_a_declined_card_is_a_failure(self):
        self.pay(amount=10012)
        self.await_status("The payment was not accepted. Please choose another way to pay.")
        self.assertEqual((self.completions, self.charges()), ([(1, [])], 0))

    def test_an_answer_that_comes_late_is_waited_for(self):
        for amount in (15777, 10408, 10020):
            self.pay(amount=amount)
            self.await_status("Thank you. Your order is paid.")
            self.assertEqual((self.completions, self.charges()), ([(0, [])], 1))
            self.assertEqual(len(self.sent("POST", "/v1/payments")), 1)
            self.assertGreater(len(self.sent("GET", "/v1/payments/")), 0)

    def test_a_fort_that_is_silent_is_uncertain_and_a_reload_finds_the_outcome(self):
        self.sandbox.inject({"fault": "never_answer", "command": "CHECK_STATUS"})
        self.pay(amount=10408)
        self.await_status(CHECKING)
        self.assertEqual((self.sheet["state"], self.completions), ("completed", [(1, [])]))
        self.assertFalse(self.page.is_visible("#pay"))
        self.sandbox.inject()
        self.page.reload()
        self.await_status("Thank you. Your order is paid.", seconds=60)
        self.assertEqual((self.charges(), len(self.sent("POST", "/v1/payments"))), (1, 1))

    def test_a_customer_who_cancels_has_sent_nothing_and_may_pay(self):
        self.pay(customer="cancel")
        self.page.wait_for_selector("#pay:visible")
        self.assertEqual((self.sheet["state"], self.sent("POST", "/v1/payments"), self.charges()), ("canceled", [], 0))
        self.page.evaluate("() => { applePay.customer = 'authorize' }")
        self.page.click("#pay")
        self.await_status("Thank you. Your order is paid.")

    def test_a_customer_who_does_nothing_has_sent_nothing(self):
        self.pay(customer="nothing")
        self.page.wait_for_function("() => applePay.sheets.at(-1).session")
        self.page.reload()
        self.page.wait_for_selector("#pay:visible")
        self.assertEqual((self.sent("POST", "/v1/payments"), self.charges()), ([], 0))

    def test_a_sheet_that_closes_after_the_authorization_cancels_nothing(self):
        self.pay(customer="authorize and close", amount=10408)
        self.await_status("Thank you. Your order is paid.")
        self.assertEqual((self.sheet["state"], self.completions, self.charges()), ("canceled", [], 1))

    def test_a_token_that_is_refused_says_which_check(self):
        token = mint_token(10000)
        token["paymentData"]["data"] = mint_token(10000)["paymentData"]["data"]
        self.pay(token=token)
        self.await_status("Nothing was charged (token-refused).")
        self.assertEqual((self.completions, self.charges()), ([(1, [])], 0))

    def test_a_stale_token_is_refused(self):
        with Relay(self.sandbox, self.folder, "strict", {"PAYRELAY_TOKEN_FRESHNESS_SECONDS": "1"}) as strict:
            token = mint_token(10000)
            time.sleep(3)
            self.shop.relay_port = strict.port
            self.addCleanup(setattr, self.shop, "relay_port", self.relay.port)
            error = self.evaluate_pay(token=token)
        self.assertEqual((error["code"], error["status"], error["check"]), ("refused", 422, "freshness"))
        self.assertEqual((self.completions, self.charges()), ([(1, [])], 0))

    def test_a_field_that_is_refused_is_named(self):
        error = self.evaluate_pay(customer_email="sara@")
        self.assertEqual((error["slug"], [each["field"] for each in error["errors"]]), ("invalid-fields", ["customer_email"]))
        self.assertEqual((self.completions, self.charges()), ([(1, [])], 0))

    def test_a_field_of_the_sheet_is_corrected_in_the_sheet(self):
        result = self.evaluate_pay(
            options={"fromSheet": {"customer_email": "shippingContact"}}, customer_email=None,
            contacts=[{"emailAddress": "sara@"}, {"emailAddress": "sara@example.com"}])
        self.assertEqual((result["outcome"], self.charges()), ("captured", 1))
        self.assertEqual(self.completions, [(1, ["shippingContactInvalid"]), (0, [])])
        self.assertEqual(len(self.sent("POST", "/v1/payments")), 2)
        # Two authorizations, each with its own bytes.
        self.shop.requests.clear()

    def test_an_answer_that_is_cut_is_asked_for_again(self):
        self.open()
        self.shop.cut = 2
        self.page.click("#pay")
        self.await_status("Thank you. Your order is paid.")
        self.assertEqual((len(self.sent("POST", "/v1/payments")), self.completions, self.charges()), (3, [(0, [])], 1))

    def test_a_browser_without_fetch_metadata_is_recognized_by_its_origin(self):
        self.open()
        self.shop.dropped = ("sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest")
        self.page.click("#pay")
        self.await_status("Thank you. Your order is paid.")
        self.assertEqual((self.completions, self.charges()), ([(0, [])], 1))

    def test_a_reload_in_the_moment_of_paying_finds_the_outcome(self):
        self.open()
        self.shop.cut = 1000
        self.page.click("#pay")
        self.page.wait_for_function("() => applePay.sheets.at(-1)?.state === 'authorized'")
        while not self.charges():
            time.sleep(0.05)
        self.page.reload()
        self.await_status("Thank you. Your order is paid.")

    def test_without_the_scope_the_error_names_the_reason(self):
        self.pay(scope="payments:create payments:read")
        self.await_status("Nothing was charged (not-permitted).")
        self.assertEqual((self.sheet["state"], self.charges()), ("aborted", 0))

    def test_an_order_that_differs_from_its_token_is_refused(self):
        self.open()
        self.order = {**self.order, "merchant_reference": f"{self.order['merchant_reference']}-b"}
        error = self.evaluate_pay(is_open=True)
        self.assertEqual((error["slug"], [each["field"] for each in error["errors"]]), ("other-order", ["merchant_reference"]))

    def test_an_order_that_is_paid_already_is_not_paid_again(self):
        self.pay()
        self.await_status("Thank you. Your order is paid.")
        self.page.evaluate("token => { applePay.token = token }", mint_token(10000))
        result = self.evaluate_pay(is_open=True)
        self.assertEqual((result["outcome"], self.completions, self.charges()), ("captured", [(0, [])], 1))
        self.assertEqual(result["attempts"], ["POST: 422 reference-taken", "GET: 200 captured"])
        self.shop.requests.clear()

    def test_a_cart_that_changed_after_the_payment_is_told_at_once(self):
        for amount, said, expected in (
                (10012, "The payment was not accepted. Please choose another way to pay.", ("refused", "declined", 0)),
                (9000, "Thank you. Your order is paid.", ("uncertain", "captured", 1))):
            self.pay(amount=amount)
            self.await_status(said)
            self.order = self.shop.order = {**self.order, "amount": 10000}
            self.page.evaluate("token => { applePay.token = token }", mint_token(10000))
            result = self.evaluate_pay(is_open=True)
            self.assertEqual((result.get("outcome") or result["code"], result["payment"]["outcome"], self.charges()), expected)
            self.assertEqual(result["attempts"], ["POST: 422 reference-taken", f"GET: 200 {expected[1]}, of another order"])
            self.assertEqual(self.completions, [(1, [])])
            self.shop.requests.clear()

    def test_nginx_forwards_as_documented(self):
        with Nginx(self.shop, self.relay.port, self.folder) as nginx:
            self.pay(url=nginx.url)
            self.await_status("Thank you. Your order is paid.")
            for path in ("/v1/payments/X/refund", "/v1/payments/../payments/X/refund", "/v1/tokens/verify", "/metrics"):
                with self.subTest(path):
                    self.assertEqual(nginx.status("POST", path), 404)
        self.assertEqual((self.completions, self.charges()), ([(0, [])], 1))

    def test_the_module_of_a_version_is_kept_and_its_hash_is_checked(self):
        (path, integrity), = re.findall(r'<link rel="modulepreload" href="(\S+)" integrity="(\S+)">', DOCUMENT)
        page = self.shop.files["/checkout.js"][1].replace("/payrelay.js", path)
        files = dict(self.shop.files)
        self.addCleanup(lambda: setattr(self.shop, "files", files))
        for hash, works in ((integrity, True), (integrity.replace(integrity[7:11], "AAAA"), False)):
            link = f'<link rel="modulepreload" href="{path}" integrity="{hash}">\n<script'
            self.shop.files = {"/": ("text/html", files["/"][1].replace("<script", link, 1)),
                               "/checkout.js": ("text/javascript", page)}
            self.open()
            if works:
                self.page.click("#pay")
                self.await_status("Thank you. Your order is paid.")
                with self.page.expect_request(re.compile("payrelay.js")) as request:
                    self.page.reload()
                self.assertTrue(request.value.response().headers["cache-control"].endswith("immutable"))
            else:
                self.page.wait_for_timeout(500)
                self.assertTrue(any("integrity" in text for text in self.complaints), self.complaints)
                self.assertTrue(self.page.locator("#pay").is_hidden())
                self.complaints = []

    def test_the_policy_of_the_page_is_in_force(self):
        self.open(customer="nothing")
        self.page.evaluate("""() => {
            const script = document.createElement('script')
            script.textContent = 'window.isInline = true'
            document.body.append(script)
        }""")
        self.page.wait_for_function("() => applePay.violations.length > 0")
        self.assertIsNone(self.page.evaluate("() => window.isInline ?? null"))
        self.page.evaluate("() => { applePay.violations = [] }")
        self.complaints = [text for text in self.complaints if "Content Security Policy" not in text]

    def evaluate_pay(self, is_open=False, options={}, **order):
        """Pays from a script of the test: what `pay` resolves or rejects with."""
        if not is_open:
            self.open(**order)
        request = {
            "countryCode": "AE", "currencyCode": "AED", "supportedNetworks": ["visa"], "merchantCapabilities": ["supports3DS"],
            "total": {"label": "Example Shop", "amount": "100.00"}, "requiredShippingContactFields": ["email"],
        }
        order = {name: value for name, value in self.order.items() if value is not None}
        # The click itself does nothing. Apple's sheet demands one.
        self.page.mouse.click(1, 1)
        return self.page.evaluate("""async ([order, request, options]) => {
            const { ApplePayCheckout } = await import('/payrelay.js')
            const orderToken = async () => (await fetch('/my/order-token?', { method: 'POST' })).text()
            try {
                return await new ApplePayCheckout({ orderToken, ...options }).pay(order, request)
            } catch (error) {
                return { ...error, message: error.message }
            }
        }""", [order, request, options])


if __name__ == "__main__":
    unittest.main(verbosity=2)
