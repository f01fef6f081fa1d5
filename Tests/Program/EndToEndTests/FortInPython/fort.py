"""A strict FORT, in another language than the relay, to hold the relay against.

Written from APS's documents ("Apple Pay API", maintenance operations, CHECK_STATUS, the mobile SDK guide's SDK_TOKEN and
section 6.8) and not from the relay's sources, so that the two cannot share a mistake. Standard library only.

It refuses what FORT would refuse, and it remembers as a complaint whatever a careful client never sends: a wrong
signature, a parameter too many or too few, a value that is too long or has other characters, an order charged twice.

Reads its account, one line of JSON, from standard input; prints the URL at which it takes requests; ends when standard
input does. For the test beside it: GET /complaints, GET /received (the last request, byte for byte), and
POST /tell {"merchant_reference", "url", "format"}, which sends the order's transaction feedback.
"""

import base64
import binascii
import hashlib
import hmac
import http.server
import ipaddress
import json
import re
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request


class Account:
    """Names, phrases and the SHA type, as the dashboard shows them."""

    def __init__(self, type, access_code, merchant_identifier, request_phrase, response_phrase):
        self.type = type
        self.access_code = access_code
        self.merchant_identifier = merchant_identifier
        self.request_phrase = request_phrase
        self.response_phrase = response_phrase

    def signature(self, parameters, phrase):
        """The hash of every pair but the signature, between two phrases; with an HMAC type the phrase is the key too."""
        names = sorted((name for name in parameters if name != "signature"), key=str.encode)
        pairs = "".join(f"{name}={signed_text(parameters[name])}" for name in names)
        text = (phrase + pairs + phrase).encode()
        algorithm = self.type.removeprefix("hmac-")
        if self.type.startswith("hmac-"):
            return hmac.new(phrase.encode(), text, algorithm).hexdigest()
        return hashlib.new(algorithm, text).hexdigest()


def signed_text(value):
    """An object stands in the signed text as {a=1, b=2}, in the order in which it was sent."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}={signed_text(inner)}" for name, inner in value.items()) + "}"
    return str(value)


def with_inner_names_sorted(parameters):
    return {
        name: dict(sorted(value.items())) if isinstance(value, dict) else value for name, value in parameters.items()
    }


# What a value must look like. A pattern must match all of it.

def is_address(text):
    try:
        return bool(ipaddress.ip_address(text))
    except ValueError:
        return False


def base64_bytes(text):
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def is_cms(text):
    """An ASN.1 SEQUENCE, as every CMS message is."""
    return base64_bytes(text)[:1] == b"\x30"


def is_p256_key(text):
    """A SubjectPublicKeyInfo with an uncompressed point of the curve P-256 (RFC 5480)."""
    head = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
    return base64_bytes(text).startswith(head) and len(base64_bytes(text)) == 91


def is_sha256(text):
    return len(base64_bytes(text)) == 32


ALPHANUMERIC = r"[A-Za-z0-9]+"
EXTRA = r"[^\W_]([^\W_]|[.;/_\-,'@: ])*"
LANGUAGE = (True, 2, "en|ar")
REFERENCE = (True, 40, r"[A-Za-z0-9\-_.]+")
AMOUNT = (True, 10, r"[1-9][0-9]*")
CURRENCY = (True, 3, r"[A-Z]{3}")
DESCRIPTION = (False, 150, r"([^\W_]|['/._\-#:$, ])+")
FORT_ID = (False, 20, r"[0-9]+")

# Each parameter: whether it is mandatory, its limit in characters, what it must look like.

ACCOUNT = {
    "access_code": (True, 20, ALPHANUMERIC),
    "merchant_identifier": (True, 20, ALPHANUMERIC),
    "language": LANGUAGE,
    "signature": (True, 200, r"[0-9a-f]{64}|[0-9a-f]{128}"),
}
HEADER = {
    "apple_transactionId": (True, 100, r"[0-9A-Fa-f]+"),
    "apple_ephemeralPublicKey": (True, 200, is_p256_key),
    "apple_publicKeyHash": (True, 100, is_sha256),
}
PAYMENT_METHOD = {
    "apple_displayName": (True, 50, r".+"),
    "apple_network": (True, 20, "Visa|MasterCard|AmEx|Mada|Discover|JCB"),
    "apple_type": (True, 20, "credit|debit|prepaid|store"),
}
PAYMENT = ACCOUNT | {
    "digital_wallet": (True, 100, "APPLE_PAY"),
    "command": (True, 20, "AUTHORIZATION|PURCHASE"),
    "merchant_reference": REFERENCE,
    "amount": AMOUNT,
    "currency": CURRENCY,
    "customer_email": (True, 254, r"[A-Za-z0-9.+_\-]+@([A-Za-z0-9\-]+\.)+[A-Za-z0-9\-]+"),
    "apple_data": (True, 500, base64_bytes),
    "apple_signature": (True, 3000, is_cms),
    "apple_header": (True, None, HEADER),
    "apple_paymentMethod": (True, None, PAYMENT_METHOD),
    "customer_ip": (True, 45, is_address),
    "apple_applicationData": (False, 200, r"[0-9A-Fa-f]{64}"),
    "eci": (False, 16, "ECOMMERCE"),
    "order_description": DESCRIPTION,
    "statement_descriptor": (False, 50, r"[A-Za-z0-9._\-/' ]+"),
    "customer_name": (False, 40, r"([^\W_]|[_\\/\-.':, ])+"),
    "phone_number": (False, 19, r"[0-9+\-() ]+"),
    "recurring_mode": (False, 20, "UNSCHEDULED"),
    # Of the table of the Apple Pay SDK; 34 characters by the SDK's guide.
    "settlement_reference": (False, 34, r"[A-Za-z0-9\-_.]+"),
    "token_name": (False, 100, r"[A-Za-z0-9.@\-_]+"),
    # Of the table "ACI ReD Fraud - Request" in the integration guide.
    "device_fingerprint": (False, 4000, r"[A-Za-z0-9@\-._'/#\\:=?&;()$%+! ]+"),
    "merchant_extra": (False, 999, EXTRA),
} | {f"merchant_extra{number}": (False, 250, EXTRA) for number in range(1, 6)}

# Of the page "Recurring Payments API" and the guide's table; customer_ip of its example.
RECURRING = ACCOUNT | {
    "command": (True, 20, "PURCHASE"),
    "merchant_reference": REFERENCE,
    "amount": AMOUNT,
    "currency": CURRENCY,
    "customer_email": PAYMENT["customer_email"],
    "eci": (True, 16, "RECURRING"),
    "token_name": (True, 100, r"[A-Za-z0-9.@\-_]+"),
    "agreement_id": (False, 15, r"[A-Za-z0-9]+"),
    "payment_option": (False, 10, "MASTERCARD|VISA|AMEX"),
    "order_description": DESCRIPTION,
    "customer_ip": (False, 45, is_address),
    "customer_name": PAYMENT["customer_name"],
    "phone_number": PAYMENT["phone_number"],
    "settlement_reference": PAYMENT["settlement_reference"],
} | {name: PAYMENT[name] for name in PAYMENT if name.startswith("merchant_extra")}

ORDER = ACCOUNT | {"merchant_reference": REFERENCE, "fort_id": FORT_ID}
MAINTENANCE = ORDER | {"command": (True, 20, r"[A-Z_]+"), "order_description": DESCRIPTION}
SUM = {"amount": AMOUNT, "currency": CURRENCY}

# Each command: the parameter that names it, and its parameters.
COMMANDS = {
    "AUTHORIZATION": ("command", PAYMENT),
    "PURCHASE": ("command", PAYMENT),
    "CAPTURE": ("command", MAINTENANCE | SUM),
    "VOID_AUTHORIZATION": ("command", MAINTENANCE),
    "REFUND": ("command", MAINTENANCE | SUM | {"maintenance_reference": (False, 200, r"[A-Za-z0-9\-_.]+")}),
    "CHECK_STATUS": (
        "query_command",
        ORDER | {
            "query_command": (True, 50, "CHECK_STATUS"),
            "return_third_party_response_codes": (False, 3, "YES|NO"),
        },
    ),
    "SDK_TOKEN": (
        "service_command",
        ACCOUNT | {"service_command": (True, 20, "SDK_TOKEN"), "device_id": (True, 100, r"[A-Za-z0-9\-]+")},
    ),
}
SUCCESS = {
    "AUTHORIZATION": "02", "PURCHASE": "14", "CAPTURE": "04", "VOID_AUTHORIZATION": "08", "REFUND": "06",
    "CHECK_STATUS": "12", "SDK_TOKEN": "22",
}
FAILURE = {
    "AUTHORIZATION": "03", "PURCHASE": "13", "CAPTURE": "05", "VOID_AUTHORIZATION": "09", "REFUND": "07",
    "CHECK_STATUS": "12",
}
ON_HOLD = "20"
MESSAGES = {
    "000": "Success", "001": "Missing parameter", "002": "Invalid parameter format",
    "004": "Invalid command", "007": "Duplicate order number", "008": "Signature mismatch",
    "009": "Invalid merchant identifier", "010": "Invalid access code", "027": "Extra parameter",
    "032": "Invalid parameter length", "034": "Invalid operation", "036": "Order does not exist",
    "044": "Token name does not exist",
    "042": "Captured amount exceeds the authorized amount", "048": "Refund amount exceeds the captured amount",
    "066": "Merchant reference already exists", "073": "Invalid JSON request",
}


class Refusal(Exception):
    """What FORT does not carry out.

    complaint: what a careful client would not have sent; None where any client may come to this.
    """

    def __init__(self, message, complaint=None, status="00"):
        super().__init__(complaint or MESSAGES[message])
        self.status, self.message, self.complaint = status, message, complaint


def check(parameters, fields):
    """Every parameter against its row, and none that has no row."""
    for name, value in parameters.items():
        if name not in fields:
            raise Refusal("027", f"{name} is not a parameter of it")
        limit, look = fields[name][1:]
        if isinstance(look, dict):
            if not isinstance(value, dict):
                raise Refusal("002", f"{name} is not an object")
            check(value, look)
            continue
        if not isinstance(value, str):
            raise Refusal("002", f"{name} is not a string")
        if len(value) > limit:
            raise Refusal("032", f"{name} has {len(value)} characters, {limit} are allowed")
        fits = look(value) if callable(look) else re.fullmatch(look, value)
        if not fits:
            raise Refusal("002", f"{name} does not look like one")
        if value != value.strip():
            raise Refusal("002", f"{name} has spaces around it")
    for name, (is_mandatory, *_) in fields.items():
        if is_mandatory and name not in parameters:
            raise Refusal("001", f"{name} is missing")


def object_of_unique_names(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise ValueError("a name stands there twice")
    return dict(pairs)


class Order:
    def __init__(self, parameters, fort_id):
        self.command = parameters["command"]
        self.currency = parameters["currency"]
        self.authorized = int(parameters["amount"])
        self.captured = self.authorized if self.command == "PURCHASE" else 0
        self.refunded = 0
        self.is_void = False
        self.maintenance_references = set()
        self.fort_id = fort_id
        self.status = SUCCESS[self.command]
        # What was said last, without its signature; and whether it is on hold, until feedback tells that it has succeeded.
        self.last_answer = {}
        self.is_on_hold = parameters["merchant_reference"].endswith(".held")


class Fort:
    def __init__(self, account):
        self.account = account
        self.orders = {}
        self.complaints = []
        self.token_names = set()
        self.received = b"{}"
        self.lock = threading.Lock()

    def answer(self, body, content_type):
        """Carries a request out, whole, before the next one.

        Returns the bytes of the signed answer.
        """
        with self.lock:
            self.received = body
            parameters, command = {}, "a request"
            try:
                parameters = self.read(body, content_type)
                command = next((c for c, (name, _) in COMMANDS.items() if parameters.get(name) == c), None)
                self.check_authenticity(parameters)
                if command is None:
                    raise Refusal("004", "there is no such command")
                is_recurring = command == "PURCHASE" and "digital_wallet" not in parameters
                check(parameters, RECURRING if is_recurring else COMMANDS[command][1])
                answer = self.carry_out(command, parameters)
            except Refusal as refusal:
                if refusal.complaint:
                    self.complaints.append(f"{command}: {refusal.complaint}")
                answer = self.answered(parameters, refusal.status, refusal.message)
            return json.dumps(self.signed(answer)).replace("/", "\\/").encode()

    def read(self, body, content_type):
        if content_type.partition(";")[0].strip().lower() != "application/json":
            raise Refusal("073", f"its Content-Type is {content_type}")
        try:
            parameters = json.loads(body.decode("utf-8"), object_pairs_hook=object_of_unique_names)
        except ValueError as error:
            raise Refusal("073", f"it is not JSON: {error}")
        if not isinstance(parameters, dict):
            raise Refusal("073", "it is not an object")
        return parameters

    def check_authenticity(self, parameters):
        if parameters.get("merchant_identifier") != self.account.merchant_identifier:
            raise Refusal("009", "the merchant_identifier is another's")
        if parameters.get("access_code") != self.account.access_code:
            raise Refusal("010", "the access_code is another's")
        phrase = self.account.request_phrase
        # The documents leave open whether inner names are sorted: a signature must be right either way.
        for reading in (parameters, with_inner_names_sorted(parameters)):
            expected = self.account.signature(reading, phrase)
            if not hmac.compare_digest(expected, str(parameters.get("signature"))):
                raise Refusal("008", "the signature is wrong")

    def signed(self, parameters):
        """APS's documents print signatures in upper case."""
        signature = self.account.signature(parameters, self.account.response_phrase)
        return parameters | {"signature": signature.upper()}

    def answered(self, parameters, status, message="000", **more):
        """Every parameter of the request comes back, except Apple's; APS adds others without notice."""
        echoed = {n: v for n, v in parameters.items() if n != "signature" and not n.startswith("apple_")}
        return echoed | more | {
            "status": status, "response_code": status + message, "response_message": MESSAGES[message],
            "reconciliation_reference": "606319036341/٥",
        }

    def carry_out(self, command, parameters):
        if command == "SDK_TOKEN":
            token = hashlib.sha256(parameters["device_id"].encode()).hexdigest()[:32]
            return self.answered(parameters, "22", sdk_token=token)
        reference = parameters["merchant_reference"]
        order = self.orders.get(reference)
        if command in ("AUTHORIZATION", "PURCHASE"):
            if order:
                raise Refusal("007", f"{reference} was charged before", FAILURE[command])
            token_name = parameters.get("token_name")
            if token_name and token_name not in self.token_names:
                raise Refusal("044", f"there is no token {token_name}")
            order = self.orders[reference] = Order(parameters, str(149295435400084008 + len(self.orders)))
        elif order is None:
            raise Refusal("036", status=FAILURE[command])
        elif parameters.get("fort_id", order.fort_id) != order.fort_id:
            raise Refusal("036", "the fort_id is another order's", FAILURE[command])
        elif command == "CHECK_STATUS":
            return self.status(order, parameters)
        else:
            self.maintain(order, command, parameters)
            order.status = SUCCESS[command]
        stored = {}
        if "recurring_mode" in parameters:
            stored = {"token_name": hashlib.sha256(reference.encode()).hexdigest(), "agreement_id": "AGR123456789"}
            self.token_names.add(stored["token_name"])
        order.last_answer = self.answered(
            parameters, order.status, fort_id=order.fort_id, payment_option="VISA", authorization_code="P100", **stored)
        if order.is_on_hold:
            return order.last_answer | {
                "status": ON_HOLD, "response_code": ON_HOLD + "000", "response_message": "On hold"
            }
        return order.last_answer

    def maintain(self, order, command, parameters):
        """What a relay that keeps its own books would not ask for is a complaint."""
        def refuse(message, complaint):
            raise Refusal(message, complaint, FAILURE[command])

        amount = int(parameters.get("amount", 0))
        if parameters.get("currency", order.currency) != order.currency:
            refuse("002", "the currency is not the order's")
        if order.is_void:
            refuse("034", "the order is void")
        if command == "VOID_AUTHORIZATION":
            if order.command == "PURCHASE" or order.captured:
                refuse("034", "what was captured cannot be voided")
            order.is_void = True
        elif command == "CAPTURE":
            if order.captured + amount > order.authorized:
                refuse("042", "more is captured than was authorized")
            order.captured += amount
        else:
            if order.refunded + amount > order.captured:
                refuse("048", "more is refunded than was captured")
            name = parameters.get("maintenance_reference")
            if name in order.maintenance_references:
                refuse("066", "the maintenance_reference names another refund")
            order.maintenance_references |= {name} - {None}
            order.refunded += amount

    def status(self, order, parameters):
        """Two layers: status is the query's, transaction_status the payment's."""
        status = ON_HOLD if order.is_on_hold else order.status
        return self.answered(
            parameters, "12", fort_id=order.fort_id, transaction_status=status, transaction_code=status + "000",
            transaction_message="On hold" if order.is_on_hold else "Success",
            # Nothing is captured before the order is off hold.
            authorized_amount=str(order.authorized), captured_amount="0" if order.is_on_hold else str(order.captured),
            refunded_amount=str(order.refunded))

    def tell(self, merchant_reference, url, format):
        """Sends what was said last about the order as transaction feedback.

        Returns the status with which it was received.
        """
        with self.lock:
            self.orders[merchant_reference].is_on_hold = False
            message = self.signed(self.orders[merchant_reference].last_answer)
        if format == "json":
            body, type = json.dumps(message, ensure_ascii=False).encode(), "application/json; charset=UTF-8"
        else:
            body, type = urllib.parse.urlencode(message).encode(), "application/x-www-form-urlencoded"
        request = urllib.request.Request(url, body, {"Content-Type": type})
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    fort = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/tell":
            self.send(json.dumps({"status": self.fort.tell(**json.loads(body))}).encode())
        elif self.path == "/FortAPI/paymentApi":
            self.send(self.fort.answer(body, self.headers.get("Content-Type", "")))
        else:
            self.send_error(404)

    def do_GET(self):
        if self.path == "/complaints":
            self.send(json.dumps(self.fort.complaints).encode())
        elif self.path == "/received":
            self.send(self.fort.received)
        else:
            self.send_error(404)

    def send(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    Handler.fort = Fort(Account(**json.loads(sys.stdin.readline())))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}/FortAPI/paymentApi", flush=True)
    sys.stdin.read()
