#!/usr/bin/env python3
"""Makes Examples/collection/payrelay.postman_collection.json of docs/openapi.yaml: a collection of requests that Postman and Bruno
import. With --check it writes nothing and fails if the file is not up to date."""

import json
import re
import sys

from openapi_document import ROOT, Document

FILE = ROOT / "Examples/collection/payrelay.postman_collection.json"
# Members and parameters whose value a user sets once for all requests.
VARIABLES = {"merchant_reference", "token", "token_name", "agreement_id", "currency", "command", "amount", "customer_email"}
# Members that a request does not share with the others.
OWN = {
    "createRecurringPayment": {"merchant_reference", "amount"}, "capturePayment": {"amount"}, "refundPayment": {"amount"},
    "directFeedback": VARIABLES - {"merchant_reference"}, "notificationFeedback": VARIABLES - {"merchant_reference"},
}
# Whole bodies that are a variable.
WHOLE = {"verifyToken": "{{token}}"}
FEEDBACK = """FORT signs feedback with the response phrase. The relay answers 401 `feedback-not-proven` until `signature` fits."""


def collection():
    document = Document()
    payment = document.examples(document.schemas["PaymentRequest"])[0]
    recurring = document.examples(document.schemas["RecurringPaymentRequest"])[0]
    variables = {
        "base_url": (document.root["servers"][0]["url"], "The relay."),
        "api_key": ("", "An API key with the scopes of the requests: `payrelay keys generate`. A relay without keys needs none."),
        "merchant_reference": (payment["merchant_reference"], "The order. Each new payment needs a new one."),
        "command": (payment["command"], "PURCHASE or AUTHORIZATION."),
        "amount": (str(payment["amount"]), "In minor units: 10000 is 100.00 AED."),
        "currency": (payment["currency"], ""),
        "customer_email": (payment["customer_email"], ""),
        "token": (json.dumps(payment["token"]), "Apple's token. For the sandbox: `payrelay-dev token mint --amount 100.00 --currency AED`."),
        "token_name": (recurring["token_name"], "FORT's name of a stored card, of an earlier payment with `recurring_mode`."),
        "agreement_id": (recurring["agreement_id"], "FORT's number of the agreement, of the same payment."),
        "version": ("0" * 16, "Of payrelay.js: the first 16 hexadecimal digits of its SHA-256."),
    }
    return {
        "info": {
            "name": "payrelay",
            "description": "The requests of payrelay's HTTP interface, made of docs/openapi.yaml. Set `base_url`, `api_key` and `token` first.",
            "version": document.info["version"],
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
        },
        "auth": bearer("{{api_key}}"),
        "variable": [{"key": name, "value": value, "type": "string", "description": said} for name, (value, said) in variables.items()],
        "item": [
            {"name": tag["name"], "description": tag["description"],
             "item": [request(document, *operation) for operation in document.operations(tag["name"])]}
            for tag in document.tags
        ],
    }


def bearer(value):
    return {"type": "bearer", "bearer": [{"key": "token", "value": value, "type": "string"}]}


def request(document, method, path, operation):
    name = operation["operationId"]
    description = "\n\n".join(filter(None, [operation.get("description"), FEEDBACK if "feedback" in operation["tags"] else None]))
    made = {
        "method": method,
        "header": [
            {"key": parameter["name"], "value": str(parameter.get("example", "")), "description": parameter.get("description", ""), "disabled": True}
            for parameter in operation["parameters"] if parameter["in"] == "header"
        ],
        "url": url(path, operation),
        "description": description.strip(),
    }
    if operation.get("security") == []:
        made["auth"] = {"type": "noauth"}
    if "requestBody" in operation:
        content = document.resolved(operation["requestBody"])["content"]["application/json"]
        examples = document.body_examples(content)
        made["header"].insert(0, {"key": "Content-Type", "value": "application/json"})
        made["body"] = {
            "mode": "raw", "raw": WHOLE.get(name) or body(name, examples[0]), "options": {"raw": {"language": "json"}},
        }
    return {"name": f"{operation['summary'].rstrip('.')} ({name})", "request": made, "response": []}


def url(path, operation):
    path = re.sub(r"{(\w+)}", r"{{\1}}", path)
    query = [
        {"key": parameter["name"], "value": str(parameter.get("example", "")), "description": parameter.get("description", ""),
         "disabled": not parameter.get("required", False)}
        for parameter in operation["parameters"] if parameter["in"] == "query"
    ]
    raw = "{{base_url}}" + path
    used = "&".join(f"{item['key']}={item['value']}" for item in query if not item["disabled"])
    made = {"raw": f"{raw}?{used}" if used else raw, "host": ["{{base_url}}"], "path": path.strip("/").split("/")}
    return made | ({"query": query} if query else {})


def body(name, example):
    """The example with variables in place of what a user sets once. A number and an object are written without quotes."""
    shared = VARIABLES - OWN.get(name, set())
    written = json.dumps({member: f"{{{{{member}}}}}" if member in shared else value for member, value in example.items()},
                         indent=2, ensure_ascii=False)
    return re.sub(r'"({{(?:token|amount)}})"', r"\1", written)


def main(arguments):
    written = json.dumps(collection(), indent=2, ensure_ascii=False) + "\n"
    if "--check" in arguments:
        if not FILE.exists() or FILE.read_text(encoding="utf-8") != written:
            sys.exit(f"{FILE.relative_to(ROOT)} is not up to date: run `make collection`")
        return
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
