"""A merchant's client of the gateway Portmone, in another language than the relay and its sandbox, to hold both against.

Written from what is public about the gateway alone, and not from the project's sources, so that they cannot share a mistake.
Standard library only.

It believes no answer that it can check: it takes an answer's amounts for texts and computes with exact decimals, it folds the
casings of names into one, and after everything that moves money it asks `result`, whose bills must be of its payee, its order and
its amount.

Reads its account, one line of JSON, from standard input: url, login, password, payeeId, aPayMerchantName, signingKey, and
paymentData (json-string, object or base64). Then one command a line, for example

    {"do": "pay", "order": "A-1", "amount": "12.50", "currency": "UAH", "token": {...}}

and prints one line of JSON for each: what it knows afterwards, or {"error": ...}. Commands: pay, hold, confirm, reject, refund,
close, ask, link.
"""

import base64
import hashlib
import hmac
import json
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal


class Refused(Exception):
    """The gateway refused a request, with its code and its words."""


class Unbelievable(Exception):
    """An answer is not what it should be."""


class Uncertain(Exception):
    """There is no answer."""


STATUSES = {"CREATED", "PREAUTH", "PAYED", "REJECTED", "RETURN"}


def folded(name):
    """shopBillId, shopbillId and shop_bill_id are one name."""
    return name.replace("_", "").lower()


def decimal(text):
    """An exact decimal; everything else is no amount."""
    if not isinstance(text, str) or not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]{1,4})?", text, re.ASCII):
        raise Unbelievable(f"{text!r} is no amount")
    return Decimal(text)


def json_number(amount):
    """A number whose literal is the exact decimal again."""
    number = Decimal(amount)
    written = int(number) if number == number.to_integral_value() else float(number)
    if Decimal(repr(written)) != number:
        raise ValueError(amount)
    return written


def object_of_texts(answer):
    if not isinstance(answer, dict):
        raise Unbelievable("not an object")
    members = {}
    for name, value in answer.items():
        if not isinstance(value, str):
            raise Unbelievable(f"{name} is not a string")
        if folded(name) in members:
            raise Unbelievable(f"{name} stands there twice")
        members[folded(name)] = value
    return members


def code_of(members):
    return members.get("errorcode", "0") or "0"


class Portmone:
    def __init__(self, url, login, password, payeeId, aPayMerchantName, paymentData="json-string", signingKey=None):
        self.r3 = urllib.parse.urljoin(url, "/r3/api/gateway/")
        self.gateway = urllib.parse.urljoin(url, "/gateway/")
        self.credentials = {"login": login, "password": password, "payeeId": payeeId}
        self.apple_name = aPayMerchantName
        self.encoding = paymentData
        self.signing_key = signingKey
        self.identifier = 0

    def post(self, url, body):
        request = urllib.request.Request(
            url, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=300) as answer:
                if answer.status != 200 or answer.headers.get_content_type() != "application/json":
                    raise Unbelievable(f"{answer.status} {answer.headers.get_content_type()}")
                return answer.read(1 << 20)
        except urllib.error.HTTPError as error:
            raise Unbelievable(f"status {error.code}") from None
        except (urllib.error.URLError, OSError) as error:
            raise Uncertain(str(error)) from None

    def call(self, method, data, url=None):
        """Sends a method with its data; the result of its answer, as it stands."""
        self.identifier += 1
        url = url or self.r3
        envelope = {"method": method, "params": {"data": {**data, **self.credentials}}, "id": str(self.identifier)}
        body = self.post(url, envelope)
        if not body:
            raise Uncertain("an empty body")
        try:
            answer = json.loads(body)
        except ValueError:
            raise Uncertain("no JSON") from None
        if url == self.gateway:
            return answer
        if not isinstance(answer, dict) or set(answer) != {"result", "id"}:
            raise Unbelievable("no envelope")
        # It is sent as a number or a text, and comes back as text.
        if answer["id"] != str(self.identifier):
            raise Unbelievable("another request's answer")
        return answer["result"]

    def one(self, result):
        """An object, or an array of one."""
        if isinstance(result, list):
            if len(result) != 1:
                raise Unbelievable(f"{len(result)} objects")
            result = result[0]
        return object_of_texts(result)

    def charge(self, order, amount, currency, token, holds):
        data = {
            "aPayMerchantName": self.apple_name,
            "paymentData": self.encoded(token),
            "billAmount": json_number(amount),
            "shopOrderNumber": order,
            "billCurrency": currency,
        }
        if holds:
            data["preauthFlag"] = "Y"
        try:
            answer = self.one(self.call("APay", data))
        except Uncertain:
            return self.ask(order, amount)
        if "status" not in answer:
            raise Refused(f"{code_of(answer)} {answer.get('error', '')}")
        if answer["status"] not in STATUSES:
            raise Unbelievable(answer["status"])
        for name, expected in [("billnumber", order), ("billcurrency", currency)]:
            if answer.get(name) != expected:
                raise Unbelievable(f"{name} is {answer.get(name)!r}")
        if decimal(answer.get("billamount")) != Decimal(amount):
            raise Unbelievable("another amount")
        if answer["isneed3ds"] not in ("Y", "N"):
            raise Unbelievable("isNeed3DS")
        if (answer["isneed3ds"] == "Y") != (answer["status"] == "CREATED"):
            raise Unbelievable("isNeed3DS does not go with the status")
        if (answer["isneed3ds"] == "Y") != all(answer[name] for name in ("actionmpi", "pareq", "md")):
            raise Unbelievable("the bank's page")
        if (code_of(answer) == "0") == (answer["status"] == "REJECTED"):
            raise Unbelievable("errorCode does not go with the status")
        known = self.ask(order, amount)
        if answer["shopbillid"] not in known["bills"]:
            raise Unbelievable("result does not know the bill")
        known["needs_3ds"] = answer["isneed3ds"] == "Y"
        return known

    def encoded(self, token):
        data = token.get("paymentData", token)
        if self.encoding == "object":
            return data
        text = json.dumps(data)
        return text if self.encoding == "json-string" else base64.b64encode(text.encode()).decode()

    def ask(self, order, amount=None, url=None):
        """What `result` says of an order, with everything added up."""
        result = self.call("result", {"shopOrderNumber": order}, url)
        if isinstance(result, dict):
            members = object_of_texts(result)
            raise Refused(f"{code_of(members)} {members.get('error', '')}")
        entries = [object_of_texts(entry) for entry in result]
        bills, paid, held, returned = {}, Decimal(0), Decimal(0), Decimal(0)
        for entry in entries:
            if entry.get("payeeid") != self.credentials["payeeId"] or entry.get("shopordernumber") != order:
                raise Unbelievable("another payee's or order's bill")
            if entry.get("status") not in STATUSES or entry["shopbillid"] in bills:
                raise Unbelievable("status or shopBillId")
            value = decimal(entry.get("billamount"))
            if (value < 0) != (entry["status"] == "RETURN"):
                raise Unbelievable("the sign of an amount")
            bills[entry["shopbillid"]] = entry["status"]
            if entry["status"] == "PAYED":
                paid += value
            elif entry["status"] == "PREAUTH":
                held += value
            elif entry["status"] == "RETURN":
                returned -= value
            if amount is not None and entry["status"] != "RETURN" and value != Decimal(amount):
                raise Unbelievable("another amount")
        return {
            "order": order, "bills": bills, "paid": str(paid), "held": str(held), "returned": str(returned),
            "paid_twice": list(bills.values()).count("PAYED") > 1,
        }

    def operate(self, method, order, data=None, expected=None, amount=None, url=None):
        try:
            answer = self.one(self.call(method, {"shopOrderNumber": order, **(data or {})}, url))
        except Uncertain:
            return self.ask(order)
        if code_of(answer) != "0":
            raise Refused(f"{code_of(answer)} {answer.get('errormessage', '')}")
        if answer.get("status") != expected or answer.get("shopordernumber") != order:
            raise Unbelievable("status or order")
        if amount is not None and decimal(answer.get("billamount")) != amount:
            raise Unbelievable("another amount")
        known = self.ask(order)
        if answer["shopbillid"] not in known["bills"]:
            raise Unbelievable("result does not know the bill")
        return known

    def link(self, order, amount, currency):
        """The address of the gateway's own page."""
        moment = time.strftime("%Y%m%d%H%M%S")
        payee, login = self.credentials["payeeId"], self.credentials["login"]
        message = (payee + moment + order.encode().hex() + amount).upper() + login.encode().hex().upper()
        signature = hmac.new(self.signing_key.encode(), message.encode(), hashlib.sha256).hexdigest().upper()
        body = {
            "method": "createLinkPayment",
            "payee": {"payeeId": payee, "login": login, "dt": moment, "signature": signature, "shopSiteId": ""},
            "order": {
                "description": "", "shopOrderNumber": order, "billAmount": amount, "attribute1": "",
                "successUrl": "https://shop.example/ok", "failureUrl": "https://shop.example/no", "preauthFlag": "N",
                "billCurrency": currency, "expTime": "", "encoding": "UTF-8",
            },
            "token": {"tokenFlag": "N", "returnToken": "N", "token": "", "cardMask": "", "otherPaymentMethods": ""},
            "payer": {"lang": "uk", "emailAddress": "", "showEmail": "Y"},
        }
        answer = object_of_texts(json.loads(self.post(self.gateway, body)))
        if code_of(answer) != "0":
            raise Refused(f"{code_of(answer)} {answer.get('error', '')}")
        return {"link": answer["linkpayment"]}


def carry_out(client, command):
    order, amount, url = command["order"], command.get("amount"), None
    # The official plugin's path answers without an envelope.
    if command.get("at") == "gateway":
        url = client.gateway
    match command["do"]:
        case "pay":
            return client.charge(order, amount, command["currency"], command["token"], holds=False)
        case "hold":
            return client.charge(order, amount, command["currency"], command["token"], holds=True)
        case "confirm":
            data = {"postauthAmount": amount}
            return client.operate("confirmPreauth", order, data, "PAYED", Decimal(amount), url)
        case "reject":
            return client.operate("rejectPreauth", order, None, "REJECTED", None, url)
        case "refund":
            data = {"returnAmount": amount, "message": "returned"}
            return client.operate("return", order, data, "RETURN", -Decimal(amount), url)
        case "close":
            return client.operate("closeInvoice", order, None, "REJECTED", None, url)
        case "ask":
            return client.ask(order, None, url)
        case "link":
            return client.link(order, amount, command["currency"])
    raise ValueError(command["do"])


def main():
    client = Portmone(**json.loads(sys.stdin.readline()))
    for line in sys.stdin:
        try:
            known = carry_out(client, json.loads(line))
        except (Refused, Unbelievable, Uncertain) as error:
            known = {"error": type(error).__name__, "detail": str(error)}
        print(json.dumps(known), flush=True)


if __name__ == "__main__":
    main()
