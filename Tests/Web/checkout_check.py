"""Pays on the checkout page of `payrelay-dev` in Chromium: every button, with the mouse and with the keyboard alone.

    python3 Tests/Web/checkout_check.py .build/debug/payrelay [FOLDER FOR SCREENSHOTS]
"""

import hashlib
import hmac
import json
import re
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from contextlib import contextmanager
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent / "browser"))
from shop import DOCUMENT, OrderTokens, Shop

PHRASE = "sandbox-request-phrase"
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"
SIZES = [(390, 844), (1280, 900)]
SCHEMES = ["light", "dark"]
# Refused payments are failed requests, and Chromium logs each of them. Nothing else may be logged.
EXPECTED_LOG = re.compile(r"^Failed to load resource: the server responded with a status of 4(00|09|22) ")

screenshots = sys.argv[2] if len(sys.argv) > 2 else None


@contextmanager
def development(program, *arguments):
    """`payrelay-dev` at free ports; its page's address and that of the sandbox's books."""
    command = [program + "-dev", "dev", "--port", "0", "--admin-port", "0", "--sandbox-port", "0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        text = ""
        for line in process.stdout:
            text += line
            if line.startswith("curl "):
                break
        yield re.search(r"Open (https?://\S+/) to pay", text)[1], re.search(r"http://\S+/_sandbox/orders", text)[0]
    finally:
        process.terminate()
        process.wait(20)


class Checkout:
    """The page in a browser window of one size and one colour scheme."""

    def __init__(self, browser, address, books, size=(1280, 900), scheme="light", scale=1):
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, device_scale_factor=scale,
            # Chromium trusts only the system's authorities. Trust in the authority of `dev --host` is tested elsewhere.
            ignore_https_errors=address.startswith("https:"))
        self.page = self.context.new_page()
        self.books_address, self.name, self.log = books, f"{size[0]}-{scheme}", []
        self.page.on("console", lambda line: self.log.append(line.text) if line.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda error: self.log.append(str(error)))
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', event => console.error('violates', event.violatedDirective))")
        self.address = address
        self.page.goto(address)
        self.sheet = self.page.get_by_role("dialog")
        self.pay = self.sheet.get_by_role("button", name="Pay with simulated Apple Pay")

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def open(self, name):
        """Clicks, and waits until the sheet can be used."""
        self.expect_another_result()
        self.button(name).click()
        self.wait_until_ready()

    def wait_until_ready(self):
        expect(self.pay).to_have_attribute("aria-disabled", "false")

    def wait_until_closed(self):
        """The sheet goes once the payment has ended."""
        expect(self.sheet).to_have_count(0, timeout=40_000)

    def expect_another_result(self):
        """The next result is not the one that is there."""
        self.number = int(self.page.locator("#result").get_attribute("data-number") or 0) + 1

    def expect_result(self):
        expect(self.page.locator("#result")).to_have_attribute("data-number", str(self.number), timeout=40_000)

    def expect_outcome(self, outcome):
        self.expect_result()
        expect(self.page.locator("#result .outcome")).to_have_text(outcome, timeout=40_000)

    def parts(self, part):
        return self.page.locator(f"[data-part={part}]").all_text_contents()

    def books(self):
        return json.load(urllib.request.urlopen(self.books_address))

    def accessible(self, state):
        """axe finds nothing wrong, and nothing is wider than the window."""
        found = Axe().run(self.page)
        assert found.violations_count == 0, f"{self.name} {state}: {found.generate_report()}"
        widths = self.page.evaluate("[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]")
        assert widths[0] <= widths[1], f"{self.name} {state}: {widths}"
        if screenshots:
            self.page.screenshot(path=f"{screenshots}/{state}-{self.name}.png", full_page=True)

    def close(self):
        unexpected = [line for line in self.log if not EXPECTED_LOG.match(line)]
        assert not unexpected, f"{self.name}: {unexpected}"
        self.context.close()


def canonical(value):
    """FORT's text of a value, written here from its documents."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}={canonical(member)}" for name, member in value.items()) + "}"
    return str(value)


def check_exchange(checkout, outcome):
    """What is shown is what the sandbox has in its books, and its signature is that of the text beside it."""
    sent, got = json.loads(checkout.parts("page-sent")[0]), json.loads(checkout.parts("page-got")[-1])
    to_fort, answer = json.loads(checkout.parts("fort-sent")[0]), json.loads(checkout.parts("fort-answered")[0])
    text = checkout.parts("signed-text")[0]
    order = checkout.books()[-1]
    assert got["outcome"] == outcome and got["merchant_reference"] == sent["merchant_reference"]
    assert order["merchant_reference"] == to_fort["merchant_reference"] == sent["merchant_reference"]
    assert str(order["amount"]) == to_fort["amount"] == str(sent["amount"])
    assert to_fort["apple_data"] == sent["token"]["paymentData"]["data"]
    assert order["fort_id"] == answer["fort_id"] == got["fort_id"]
    pairs = "".join(f"{name}={canonical(to_fort[name])}" for name in sorted(to_fort) if name != "signature")
    assert text == PHRASE + pairs + PHRASE
    assert hmac.new(PHRASE.encode(), text.encode(), hashlib.sha256).hexdigest() == to_fort["signature"]


def pays_with_the_mouse(checkout):
    for name, outcome in [
        ("Pay with simulated Apple Pay", "captured"), ("it succeeds", "captured"), ("it is declined", "declined"),
        ("it is uncertain", "captured"),
    ]:
        checkout.open(name)
        checkout.pay.click()
        checkout.wait_until_closed()
        checkout.expect_outcome(outcome)
        check_exchange(checkout, outcome)
        if name == "it is uncertain":
            assert json.loads(checkout.parts("page-got")[0])["outcome"] == "uncertain"
            assert json.loads(checkout.parts("fort-sent")[1])["query_command"] == "CHECK_STATUS"


def an_unanswered_payment_is_looked_at_again(checkout):
    """10408 is charged and never answered: the page knows it when the relay does."""
    checkout.page.locator("[name=amount]").fill("10408")
    checkout.open("Pay with simulated Apple Pay")
    checkout.pay.click()
    # The sheet closes without a second attempt.
    expect(checkout.sheet).to_have_count(0, timeout=40_000)
    checkout.expect_outcome("uncertain")
    expect(checkout.page.locator("#result")).to_contain_text("does not know yet")
    checkout.accessible("uncertain")
    checkout.expect_another_result()
    checkout.button("Look again").click()
    checkout.expect_outcome("captured")
    expect(checkout.page.locator("#again")).to_be_hidden()
    check_exchange(checkout, "captured")


def the_payment_goes_on_without_the_sheet(checkout):
    """Escape while the payment is processed closes the sheet, and the outcome is shown all the same."""
    checkout.open("it is uncertain")
    # Before the token is made, nothing is sent, and Escape cancels.
    with checkout.page.expect_request("**/v1/payments"):
        checkout.pay.click()
    checkout.page.keyboard.press("Escape")
    expect(checkout.sheet).to_have_count(0)
    checkout.expect_outcome("captured")


def nothing_is_sent(checkout):
    """A customer who cancels, in each way, and a stale token."""
    before = checkout.books()
    checkout.expect_another_result()
    checkout.button("the customer cancels").click()
    checkout.wait_until_closed()
    checkout.expect_outcome("canceled")
    assert checkout.parts("page-sent") == []
    checkout.open("it succeeds")
    checkout.sheet.get_by_role("button", name="Cancel").click()
    checkout.wait_until_closed()
    checkout.expect_outcome("canceled")
    checkout.open("the token is stale")
    checkout.pay.click()
    checkout.wait_until_closed()
    checkout.expect_outcome("token-refused")
    expect(checkout.page.locator("#result")).to_contain_text("check freshness")
    assert json.loads(checkout.parts("page-got")[0])["check"] == "freshness"
    assert checkout.parts("fort-sent") == []
    assert checkout.books() == before


def pays_with_the_keyboard(checkout):
    """Tab, Enter, Space and Escape are enough, and the focus goes back to the button."""
    def tab_to(name):
        checkout.page.evaluate("document.activeElement.blur()")
        for _ in range(40):
            checkout.page.keyboard.press("Tab")
            if checkout.button(name).evaluate("button => button === document.activeElement"):
                return
        raise AssertionError(f"Tab does not reach {name}")

    for name, key, outcome in [
        ("Pay with simulated Apple Pay", "Enter", "captured"), ("it succeeds", "Space", "captured"),
        ("it is declined", "Enter", "declined"), ("it is uncertain", "Enter", "captured"),
        ("the token is stale", "Enter", "token-refused"), ("it succeeds", "Escape", "canceled"),
        ("the customer cancels", None, "canceled"),
    ]:
        tab_to(name)
        checkout.expect_another_result()
        checkout.page.keyboard.press("Enter")
        if key:
            checkout.wait_until_ready()
            expect(checkout.pay).to_be_focused()
            # The focus does not leave the sheet.
            for _ in range(6):
                checkout.page.keyboard.press("Tab")
                assert checkout.page.evaluate(
                    "document.activeElement === document.body || !!document.activeElement.closest('dialog')")
            checkout.pay.focus()
            checkout.page.keyboard.press(key)
        checkout.wait_until_closed()
        checkout.expect_outcome(outcome)
        expect(checkout.button(name)).to_be_focused()


def a_total_changes_in_the_sheet(checkout):
    """The customer chooses a shipping method and enters a coupon code: the sheet shows the page's new total, and that is paid."""
    checkout.page.evaluate("""async () => {
        const { ApplePayCheckout } = await import('/payrelay.js')
        const { SimulatedApplePayError, simulatedApplePaySession } = await import('/_dev/simulated-apple-pay-session.js')
        const orderToken = async order => (await (await fetch('/_dev/order-tokens', {
            method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(order),
        })).json()).order_token
        const checkout = new ApplePayCheckout({
            orderToken, version: 12, environment: { ApplePaySession: simulatedApplePaySession(), ApplePayError: SimulatedApplePayError },
            async change({ changed, shippingMethod }, order) {
                const amount = shippingMethod?.identifier === 'courier' ? 11500 : 10000
                const errors = changed === 'couponCode' ? [new SimulatedApplePayError('couponCodeInvalid', undefined, 'No such code.')] : []
                return { amount, orderToken: await orderToken({ ...order, amount }), errors }
            },
        })
        const order = {
            merchant_reference: `DEV-${crypto.randomUUID().slice(0, 13)}`, command: 'PURCHASE', amount: 10000, currency: 'AED', language: 'en',
            customer_email: 'sara@example.com',
        }
        const button = Object.assign(document.createElement('button'), { textContent: 'Pay with shipping' })
        button.onclick = () => {
            window.result = checkout.pay(order, {
                countryCode: 'AE', currencyCode: 'AED', supportedNetworks: ['visa', 'mada'], merchantCapabilities: ['supports3DS'],
                total: { label: 'Shop', amount: '100.00' }, supportsCouponCode: true, requiredShippingContactFields: ['postalAddress'],
                shippingMethods: [['pickup', 'Pickup', '0.00'], ['courier', 'Courier', '15.00']]
                    .map(([identifier, label, amount]) => ({ identifier, label, amount, detail: '' })),
            })
        }
        document.querySelector('main').append(button)
    }""")
    checkout.button("Pay with shipping").click()
    checkout.wait_until_ready()
    checkout.sheet.get_by_label("Shipping").select_option("Courier, AED 15.00")
    expect(checkout.sheet.locator(".total")).to_contain_text("AED 115.00")
    checkout.sheet.get_by_label("Coupon code").fill("TEN")
    checkout.page.keyboard.press("Enter")
    expect(checkout.sheet.get_by_role("status")).to_have_text("No such code.")
    checkout.sheet.get_by_label("Card").select_option("mada")
    checkout.wait_until_ready()
    checkout.accessible("sheet-with-shipping")
    checkout.pay.click()
    checkout.wait_until_closed()
    assert checkout.page.evaluate("async () => (await window.result).payment.amount") == 11500
    assert (checkout.books()[-1]["amount"], checkout.books()[-1]["charged"]) == (11500, True)


def hostile_text_is_text(checkout):
    for field in ["order_description", "customer_name", "customer_email", "amount", "currency"]:
        checkout.page.reload()
        control = checkout.page.locator(f"[name={field}]")
        if field == "currency":
            control.evaluate("(select, text) => { select.options[0].value = text; select.options[0].text = text }", HOSTILE)
        else:
            control.evaluate("(input, text) => { input.maxLength = 500; input.value = text }", HOSTILE)
        checkout.expect_another_result()
        checkout.button("Pay with simulated Apple Pay").click()
        if field not in ("amount", "currency"):
            checkout.wait_until_ready()
            if field == "order_description":
                expect(checkout.sheet).to_contain_text(HOSTILE)
            checkout.pay.click()
            checkout.wait_until_closed()
            checkout.expect_result()
            assert json.loads(checkout.parts("page-sent")[0])[field] == HOSTILE
        checkout.expect_result()
        assert checkout.page.locator("img").count() == 0 and checkout.page.title() != "owned"


def nothing_jumps(checkout):
    """What is on the page stays where it is while the sheet opens and closes."""
    places = "[...document.querySelectorAll('h1, h2, form label, [data-customer]')].filter(e => e.checkVisibility() && !e.closest('dialog'))" \
             ".map(e => e.getBoundingClientRect()).map(box => [box.left, box.top + scrollY, box.width, box.height])"
    before = checkout.page.evaluate(places)
    checkout.open("Pay with simulated Apple Pay")
    assert checkout.page.evaluate(places) == before
    checkout.page.keyboard.press("Escape")
    checkout.expect_outcome("canceled")
    assert checkout.page.evaluate(places) == before


def every_state_is_accessible(checkout):
    checkout.accessible("start")
    checkout.open("it succeeds")
    checkout.accessible("sheet")
    checkout.pay.click()
    checkout.wait_until_closed()
    checkout.expect_outcome("captured")
    checkout.accessible("captured")
    checkout.open("it is declined")
    checkout.pay.click()
    expect(checkout.sheet.get_by_role("status")).to_have_text("Payment not completed")
    checkout.accessible("declined-sheet")
    checkout.wait_until_closed()
    checkout.expect_outcome("declined")
    checkout.accessible("declined")
    checkout.open("the token is stale")
    checkout.pay.click()
    checkout.wait_until_closed()
    checkout.expect_outcome("token-refused")
    checkout.accessible("stale")
    checkout.expect_another_result()
    checkout.button("the customer cancels").click()
    checkout.wait_until_closed()
    checkout.expect_outcome("canceled")
    checkout.accessible("canceled")


def the_sheet_fits(checkout):
    """The buttons of the sheet can be reached, however small the window is."""
    checkout.open("Pay with simulated Apple Pay")
    for button in checkout.sheet.get_by_role("button").all():
        button.scroll_into_view_if_needed()
        box, size = button.bounding_box(), checkout.page.viewport_size
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], box
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], box
    checkout.accessible("sheet-at-200-percent" if checkout.page.viewport_size["width"] == 640 else "sheet-fits")
    checkout.page.keyboard.press("Escape")
    checkout.wait_until_closed()


def apples_button_opens_apples_sheet(checkout):
    """If the browser has Apple Pay JS, its button is there and uses it; otherwise there is no such button."""
    expect(checkout.button("Pay with Apple Pay")).to_be_hidden()
    checkout.page.add_init_script("""
        window.ApplePaySession = class {
            static supportsVersion() { return true }
            static canMakePayments() { return true }
            constructor(version, request) { window.opened = request }
            begin() { setTimeout(() => this.oncancel({}), 0) }
        }""")
    checkout.page.reload()
    checkout.expect_another_result()
    checkout.button("Pay with Apple Pay").click()
    checkout.expect_outcome("canceled")
    assert checkout.page.evaluate("window.opened.total.amount") == "100.00"
    expect(checkout.sheet).to_have_count(0)
    checkout.accessible("apple")


def the_trust_page_is_accessible(checkout):
    checkout.page.goto(checkout.address + "trust")
    expect(checkout.page.locator("#authority")).to_contain_text(re.compile("payrelay-dev CA [0-9a-f]{8}\\sSHA-256 ([0-9A-F]{2}:){31}"))
    checkout.accessible("trust")
    with checkout.page.expect_download() as download:
        checkout.page.get_by_role("link", name="the certificate (.cer)").click()
    assert download.value.suggested_filename == "payrelay-dev-ca.cer"


def a_page_of_ones_own_pays_in_chromium(browser, program):
    """The page of docs/apple-pay-on-the-web.md behind a web server of its own, with the line that the page gives for Chrome."""
    (line,) = re.findall(r"`(<script [^`]*/_dev/apple-pay.js[^`]*)`", DOCUMENT)
    tokens = OrderTokens()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "keys.json").write_text(tokens.key_set)
        with development(program, "--order-token-keys", f"{folder}/keys.json", "--require-order-tokens") as (address, books):
            shop = Shop(int(re.search(r":([0-9]+)/", address)[1]), tokens)
            media_type, page = shop.files["/"]
            shop.files["/"] = media_type, page.replace("<script", line + "\n<script", 1)
            # This is for the sheet's own style.
            shop.policy += "; style-src 'self'"
            shop.forwarded = re.compile(shop.forwarded.pattern.replace("^/(", "^/(_dev/.*|", 1))
            shop.reset({
                "merchant_reference": f"OWN-{uuid.uuid4().hex[:12]}", "command": "PURCHASE", "amount": 10000, "currency": "AED",
                "language": "en", "customer_email": "sara@example.com"})
            checkout = Checkout(browser, shop.url, books)
            checkout.button("Pay with Apple Pay").click()
            checkout.wait_until_ready()
            checkout.pay.click()
            expect(checkout.page.locator("#status")).to_have_text("Thank you. Your order is paid.", timeout=40_000)
            assert [(order["amount"], order["charged"]) for order in checkout.books()] == [(10000, True)]
            checkout.close()
            shop.shutdown()
            shop.server_close()
    print("passed a_page_of_ones_own_pays_in_chromium", flush=True)


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])

        def run(check, address, books, **window):
            checkout = Checkout(browser, address, books, **window)
            check(checkout)
            checkout.close()
            print("passed", check.__name__, checkout.name, address, flush=True)

        a_page_of_ones_own_pays_in_chromium(browser, sys.argv[1])
        with development(sys.argv[1]) as addresses:
            for check in [
                pays_with_the_mouse, nothing_is_sent, pays_with_the_keyboard, hostile_text_is_text,
                apples_button_opens_apples_sheet, a_total_changes_in_the_sheet, the_payment_goes_on_without_the_sheet,
                an_unanswered_payment_is_looked_at_again,
            ]:
                run(check, *addresses)
            for size in SIZES:
                run(nothing_jumps, *addresses, size=size)
                for scheme in SCHEMES:
                    run(every_state_is_accessible, *addresses, size=size, scheme=scheme)
            # 1280 by 900 at 200 %; a small phone in landscape; the narrowest and the widest window.
            run(the_sheet_fits, *addresses, size=(640, 450), scale=2)
            for size in [(568, 320), (320, 568), (2000, 1200)]:
                run(the_sheet_fits, *addresses, size=size)
        # As a phone on the network: over TLS, and with order tokens that the relay demands.
        with tempfile.TemporaryDirectory() as folder:
            with development(sys.argv[1], "--host", "localhost", "--certificates", folder) as addresses:
                run(pays_with_the_mouse, *addresses, size=(390, 844))
                run(nothing_is_sent, *addresses, size=(390, 844))
                for scheme in SCHEMES:
                    run(the_trust_page_is_accessible, *addresses, size=(390, 844), scheme=scheme)
        browser.close()


main()
