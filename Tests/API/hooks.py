"""Facts about this service that a generator of requests cannot know: signed tokens, and the operator's configuration."""

import json
import os
import random
import re
import subprocess
import sys
import unicodedata
import uuid

import schemathesis
from schemathesis import GenerationMode

PAYRELAY = os.environ["PAYRELAY"]


# The network of a card for each payment_option. MasterCard's cards have no rules beyond the schema.
NETWORKS = {"MASTERCARD": "MasterCard", "VISA": "Visa", "MADA": "mada", "AMEX": "AmEx"}


def mint(amount, network="MasterCard"):
    arguments = [PAYRELAY + "-dev", "token", "mint", "--minor", "--amount", str(amount), "--currency", "AED", "--network", network]
    return json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)


def shaped(token):
    """One of the shapes in which apps send it."""
    serialized = {**token, "paymentData": json.dumps(token["paymentData"])}
    return random.choice([token, serialized, {"token": token}])


@schemathesis.hook
def before_call(context, case, kwargs):
    """Corrects a body that is valid by the schema by the rules that no schema has, and keeps an invalid body from being taken for a repetition."""
    if case.meta is None:
        return
    is_right = case.meta.generation.mode == GenerationMode.POSITIVE
    path = case.operation.path
    if is_right and path == "/v1/tokens/verify":
        case.body = shaped(mint(10000))
    if not isinstance(case.body, dict):
        return
    # Other cases share parts of this case's body.
    body = dict(case.body)
    is_partial = path.endswith(("/capture", "/refund"))
    if is_right:
        # By the schema, 1.0 is a whole number. The service demands the spelling of a whole number.
        if isinstance(body.get("amount"), float):
            body["amount"] = int(body["amount"])
        # The only configured account has no name.
        body.pop("account", None)
        if path == "/v1/payments":
            # The schema cannot say that a mada card is not authorized, or that FORT demands a final zero for a Visa card in
            # three decimals.
            option, last_digit = body.get("payment_option"), str(body["amount"])[-1]
            if (option == "MADA" and body["command"] != "PURCHASE") or (option == "VISA" and last_digit != "0"):
                del body["payment_option"]
            body["token"] = shaped(mint(body["amount"], NETWORKS.get(body.get("payment_option"), "MasterCard")))
        elif path == "/v1/apple-pay/sessions":
            body.pop("domain", None)
            body.pop("validation_url", None)
        elif is_partial:
            # The value must be the payment's.
            body.pop("currency", None)
    elif is_partial or path.endswith("/void"):
        # An operation that was done is answered again under its name, whatever else the request says.
        if re.fullmatch("[A-Za-z0-9._-]{1,200}", str(body.get("maintenance_reference", "new"))):
            body["maintenance_reference"] = uuid.uuid4().hex
    case.body = body


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Python's regular expressions have no Unicode categories: they are written out as ranges."""
    document = json.dumps(raw_schema)
    for categories in set(re.findall(r"(?:\\\\p\{[A-Z][a-z]?\})+", document)):
        names = tuple(re.findall(r"\{(\w+)\}", categories))
        document = document.replace(categories, json.dumps(ranges(names))[1:-1])
    raw_schema.clear()
    raw_schema.update(json.loads(document))


def ranges(categories):
    """The characters of these Unicode categories, as they stand between the brackets of a regular expression."""
    text, first = "", None
    for point in range(sys.maxunicode + 2):
        belongs = point <= sys.maxunicode and unicodedata.category(chr(point)).startswith(categories)
        if belongs and first is None:
            first = point
        elif not belongs and first is not None:
            text += f"{chr(first)}-{chr(point - 1)}"
            first = None
    return text
