#!/usr/bin/env python3
"""Orders and pays in a real browser at Examples/web-shop: its page and its backend, a running relay, FORT's sandbox behind it, and an
ApplePaySession by a script in the place of Safari's. The variables are those of browser_check.py."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent / "browser"))
from programs import PAYRELAY, ROOT, Program, Relay, Sandbox, mint_token

SESSION = (Path(__file__).resolve().parent / "browser/apple_pay_session.js").read_text()
SECRET = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldY"
SHIPPED = "Thank you. Your order is paid and on its way."
DECLINED = "The card was declined. Nothing was charged. Order again to try another card."
CHECKING = "Your payment is being checked. Please do not pay again."
NOT_PROCESSED = "Your order is not paid. Nothing was charged. Please order again."


class ShopCheck(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        def use(program):
            return cls.enterClassContext(program)

        folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, folder)
        subprocess.run([
            PAYRELAY, "order-token", "key", "--kid", "k1", "--client", "shop", "--backend", f"{folder}/backend.json",
            "--relay", f"{folder}/keys.json"], check=True, stdout=subprocess.DEVNULL)
        # While it is bound and not listened at, only the shop can get the port: the relay's settings need it before the shop
        # runs.
        place = use(socket.socket())
        place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
        cls.sandbox = use(Sandbox(folder))
        relay = use(Relay(cls.sandbox, folder, "relay", {
            "PAYRELAY_EVENTS_URL": f"http://127.0.0.1:{port}/events", "PAYRELAY_EVENTS_SECRET": SECRET,
            "PAYRELAY_HTTP_TRUSTED_PROXIES": "127.0.0.1", "PAYRELAY_NOT_FOUND_AFTER_SECONDS": "8"}))
        cls.shop = use(Program([str(ROOT / "Examples/web-shop/serve.mjs")], {
            "PORT": str(port), "RELAY_URL": f"http://127.0.0.1:{relay.port}", "EVENTS_SECRET": SECRET,
            "ORDER_TOKEN_KEY_FILE": f"{folder}/backend.json", "ORDERS_FILE": f"{folder}/orders.jsonl"}, program="node"))
        cls.shop.wait_for("listening at")
        cls.url = f"http://127.0.0.1:{port}/"
        cls.browser = use(sync_playwright()).chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)

    def order(self, customer="authorize", token=None, choices=(), **counts):
        """The page with an order of these products, and a customer who does this in the sheet."""
        context = self.browser.new_context()
        self.addCleanup(context.close)
        self.page = context.new_page()
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if customer:
            self.page.add_init_script(SESSION)
            self.page.add_init_script("Object.assign(applePay, %s)" % json.dumps({
                "customer": customer, "token": token, "choices": choices, "contacts": [{"emailAddress": "sara@example.com"}],
                "validationURL": self.sandbox.validation_url}))
        self.page.goto(self.url)
        for product, count in counts.items():
            self.page.fill(f"input[name={product}]", str(count))
        self.submit()

    def submit(self):
        self.page.click("#order")
        self.page.wait_for_selector("#checkout:visible")
        self.reference = self.page.url.split("#")[1]

    def await_state(self, text):
        self.page.wait_for_selector(f"#state:text-is(\"{text}\")")
        if folder := os.environ.get("SCREENSHOTS"):
            self.page.screenshot(path=f"{folder}/{self._testMethodName}.png")

    def hide_payments(self):
        """As a relay answers if the reference is another client's or an external payment's."""
        def answering(status, slug):
            problem = {"type": f"urn:payrelay:problem:{slug}", "title": "title", "status": status, "detail": "detail"}
            return lambda route: route.fulfill(status=status, json=problem)

        self.page.route("**/v1/payments", answering(422, "reference-taken"))
        self.page.route("**/v1/payments/*", answering(404, "no-such-payment"))

    @property
    def shipments(self):
        return self.shop.lines.count(f"shipped {self.reference}\n")

    def charges(self):
        return sum(order["charged"] for order in self.sandbox.books() if order["merchant_reference"] == self.reference)

    def assert_another_order_is_offered(self, offered):
        self.assertEqual((self.page.is_visible("#cart"), self.page.is_visible("#checkout")), (offered, not offered))
        self.assertEqual(self.page.url, self.url if offered else f"{self.url}#{self.reference}")
        self.assertTrue(offered or self.page.is_disabled("#pay"))

    def tearDown(self):
        self.assertEqual(self.complaints, [])

    def test_what_is_paid_for_is_shipped_once_and_a_reload_shows_it(self):
        self.order(token=mint_token(21000), coffee=2, cup=1)
        self.assertEqual(self.page.inner_text("#total"), "210.00 AED")
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.page.reload()
        self.await_state(SHIPPED)
        self.assertTrue(self.page.is_disabled("#pay"))
        self.assertEqual((self.shipments, self.charges()), (1, 1))
        self.assertEqual(self.page.evaluate("() => [...applePay.violations, ...applePay.misuses]"), [])

    def test_a_shipping_method_that_is_chosen_in_the_sheet_is_paid_for(self):
        self.order(token=mint_token(6000), choices=[["shippingMethod", {"identifier": "courier"}]], coffee=1)
        self.assertEqual(self.page.inner_text("#total"), "45.00 AED")
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.assertEqual(self.page.inner_text("#total"), "60.00 AED")
        self.assertEqual((self.shipments, self.charges()), (1, 1))
        self.assertEqual(self.page.evaluate("() => [applePay.sheets[0].amount, ...applePay.misuses]"), ["60.00"])

    def test_a_shipping_method_that_the_backend_does_not_have_closes_the_sheet_and_charges_nothing(self):
        self.order(token=mint_token(4500), choices=[["shippingMethod", {"identifier": "drone"}]], coffee=1)
        self.page.click("#pay")
        self.await_state("That did not work, and nothing was charged. Please try again.")
        self.assertEqual((self.shipments, self.charges()), (0, 0))

    def test_a_customer_who_cancels_may_pay_after_a_reload(self):
        self.order(customer="cancel", token=mint_token(4500), coffee=1)
        self.page.click("#pay")
        self.await_state("You have not paid. Nothing was charged.")
        self.page.reload()
        self.page.wait_for_selector("#pay:enabled")
        self.page.evaluate("() => { applePay.customer = 'authorize' }")
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.assertEqual((self.shipments, self.charges()), (1, 1))

    def test_a_token_that_the_relay_refuses_ships_nothing_and_may_be_tried_again(self):
        self.order(token={"paymentData": {}, "paymentMethod": {}, "transactionIdentifier": ""}, cup=1)
        self.page.click("#pay")
        self.await_state("That did not work, and nothing was charged. Please try again.")
        self.page.wait_for_selector("#pay:enabled")
        self.assertEqual((self.shipments, self.charges()), (0, 0))

    def test_a_declined_card_is_followed_by_another_order_with_another_card(self):
        # FORT declines a token over another amount.
        self.order(token=mint_token(9000), coffee=1)
        self.page.click("#pay")
        self.await_state(DECLINED)
        self.assert_another_order_is_offered(True)
        self.assertEqual((self.shipments, self.charges()), (0, 0))
        declined = self.reference
        self.page.evaluate("token => { applePay.token = token }", mint_token(4500))
        self.submit()
        self.assertNotEqual(self.reference, declined)
        self.assertEqual(self.page.inner_text("#state"), "")
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.assertEqual((self.shipments, self.charges()), (1, 1))
        # The page's address, which the browser may still have.
        page = self.page.context.new_page()
        page.goto(f"{self.url}#{declined}")
        page.wait_for_selector(f"#state:text-is(\"{DECLINED}\")")
        page.wait_for_selector("input[name=cup]:visible")
        self.assertEqual(page.url, self.url)

    def test_an_uncertain_payment_is_followed_by_another_order_only_when_the_backend_knows_that_it_came_to_nothing(self):
        self.order(token=mint_token(4500), coffee=1)
        self.page.clock.install()
        self.sandbox.inject({"fault": "http_500", "command": "PURCHASE", "count": 1})
        self.addCleanup(self.sandbox.inject)
        with self.page.expect_response("**/v1/payments"):
            self.page.click("#pay")
        self.page.clock.fast_forward(30_000)
        self.await_state(CHECKING)
        self.assert_another_order_is_offered(False)
        self.await_state(NOT_PROCESSED)
        self.assert_another_order_is_offered(True)
        self.assertEqual((self.shipments, self.charges()), (0, 0))

    def test_a_payment_that_never_arrived_can_be_made_without_a_reload(self):
        self.order(token=mint_token(4500), coffee=1)
        self.page.clock.install()
        requests = re.compile("/v1/payments")
        self.page.route(requests, lambda route: route.abort())
        with self.page.expect_request(requests):
            self.page.click("#pay")
        self.page.clock.fast_forward(30_000)
        self.await_state(CHECKING)
        self.assert_another_order_is_offered(False)
        self.page.unroute(requests)
        self.page.wait_for_selector("#pay:enabled")
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.assertEqual((self.shipments, self.charges()), (1, 1))

    def test_a_token_that_pays_another_order_is_followed_by_no_offer(self):
        token = mint_token(4500)
        self.order(token=token, coffee=1)
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.order(token=token, coffee=1)
        self.page.click("#pay")
        self.await_state(CHECKING)
        for _ in range(3):
            with self.page.expect_response("**/orders/*"):
                self.assert_another_order_is_offered(False)
        self.assertEqual((self.shipments, self.charges()), (0, 0))

    def test_an_order_that_was_paid_elsewhere_is_followed_and_no_other_is_offered(self):
        self.order(token=mint_token(4500), coffee=1)
        self.hide_payments()
        self.page.click("#pay")
        self.await_state(CHECKING)
        self.assert_another_order_is_offered(False)
        # The customer leaves the page and tries again.
        self.page.reload()
        self.page.wait_for_selector("#pay:enabled")
        self.page.click("#pay")
        self.await_state(CHECKING)
        self.assert_another_order_is_offered(False)
        self.assertEqual((self.shipments, self.charges()), (0, 0))

    def test_an_order_that_is_shipped_is_paid_although_the_relay_shows_no_payment(self):
        self.order(token=mint_token(4500), coffee=1)
        self.page.click("#pay")
        self.await_state(SHIPPED)
        self.hide_payments()
        self.page.reload()
        self.await_state(SHIPPED)
        self.assertTrue(self.page.is_disabled("#pay"))

    def test_a_browser_without_apple_pay_says_so(self):
        self.order(customer=None, coffee=1)
        self.await_state("This browser has no Apple Pay.")
        self.assertFalse(self.page.is_visible("#pay"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
