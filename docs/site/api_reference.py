"""Writes the page of the HTTP interface from docs/openapi.yaml, as Markdown."""

import json
import re

from openapi_document import Document, name_of

PROBLEM = "urn:payrelay:problem:"


def page(document=None):
    return Reference(document or Document()).text()


def line(text):
    """One line, as a cell of a table takes it."""
    return " ".join(str(text or "").split()).replace("|", "\\|")


def code(text):
    """A code span in a cell, also of a pattern that holds a backtick or a pipe."""
    # Python-Markdown takes a pipe in code for no end of a cell, and a backslash for itself.
    text = line(text).replace("\\|", "|")
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


def as_json(value):
    """JSON of lines that a page can show: short objects and lists stay on one line."""
    def written(value, indent):
        short = json.dumps(value, ensure_ascii=False)
        if len(short) + indent <= 96 or not isinstance(value, (dict, list)) or not value:
            return short
        inner = " " * (indent + 2)
        if isinstance(value, dict):
            rows = [f"{inner}{json.dumps(name)}: {written(child, indent + 2)}" for name, child in value.items()]
            return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
        return "[\n" + ",\n".join(inner + written(child, indent + 2) for child in value) + "\n" + " " * indent + "]"

    return written(value, 0)


def table(heads, rows):
    """Columns that no row fills are left out."""
    rows = list(rows)
    used = [number for number in range(len(heads)) if any(row[number] for row in rows)]
    written = [[heads[number] for number in used], ["---"] * len(used)]
    written += [[row[number] for number in used] for row in rows]
    return ["| " + " | ".join(row) + " |" for row in written] + [""]


class Reference:
    def __init__(self, document):
        self.document = document
        self.lines = []

    def text(self):
        self.introduction()
        for tag in self.document.tags:
            self.lines += [f"## {tag['name'].capitalize()}", "", tag["description"], ""]
            for method, path, operation in self.document.operations(tag["name"]):
                self.operation(method, path, operation)
        self.lines += ["## Schemas", "", "The members of the bodies. Lengths are counted in characters.", ""]
        for name, schema in self.document.schemas.items():
            self.schema(name, schema)
        return "\n".join(self.lines)

    def introduction(self):
        self.lines += ["# HTTP interface", "", self.document.info["description"], ""]
        self.lines += [
            "This page is made from the [OpenAPI document](openapi.yaml). A relay serves the same document at `/openapi.yaml`. "
            "The [collection](examples/collection.md) has each request for Postman and Bruno.", "",
        ]
        rows = []
        for method, path, operation in self.document.operations():
            rows.append([f"[`{method} {path}`](#{operation['operationId']})", line(operation["summary"])])
        self.lines += table(["request", "what it does"], rows)

    # Operations

    def operation(self, method, path, operation):
        self.lines += [f"### {method} {path} {{#{operation['operationId']}}}", "", f"**{operation['summary']}**", ""]
        if "description" in operation:
            self.lines += [operation["description"], ""]
        self.lines += [f"- **Authentication:** {self.authentication(operation)}", f"- **Operation:** `{operation['operationId']}`", ""]
        if operation["parameters"]:
            self.lines += ["**Parameters**", ""]
            self.lines += table(
                ["name", "in", "type", "", "example"],
                ([f"`{parameter['name']}`" + (" (required)" if parameter.get("required") else ""), parameter["in"],
                  self.type(parameter["schema"]), self.said(parameter),
                  code(parameter["example"]) if "example" in parameter else ""]
                 for parameter in operation["parameters"]))
        if "requestBody" in operation:
            self.request_body(self.document.resolved(operation["requestBody"]))
        self.responses(operation["responses"])

    def authentication(self, operation):
        alternatives = operation.get("security", self.document.root["security"])
        words = []
        for alternative in alternatives:
            for scheme, scopes in alternative.items():
                kind = {"bearer": "an API key or a JWT", "orderToken": "an order token"}[scheme]
                words.append(kind + (" with the scope " + ", ".join(f"`{scope}`" for scope in scopes) if scopes else ""))
        return (", or ".join(words) or "none") + "."

    def request_body(self, body):
        self.lines += ["**Body**" + ("" if body.get("required") else ", optional"), ""]
        if "description" in body:
            self.lines += [body["description"], ""]
        for media, content in body["content"].items():
            self.lines += [f"`{media}`: {self.type(content['schema'])}", ""]
            if media == "application/json":
                for example in self.document.body_examples(content):
                    self.example(example)

    def responses(self, responses):
        self.lines += ["**Answers**", ""]
        rows, examples, headers = [], [], {}
        for status, response in responses.items():
            response = self.document.resolved(response)
            headers.update(response.get("headers", {}))
            bodies = []
            for media, content in response.get("content", {}).items():
                if media == "application/problem+json":
                    bodies.append(", ".join(f"[`{name}`](problems.md#{name})" for name in problems(content["schema"])))
                else:
                    bodies.append(self.type(content["schema"]) + ("" if media == "application/json" else f" as `{media}`"))
                    if media == "application/json" and status == "200":
                        examples += self.document.body_examples(content)
            rows.append([status, line(response["description"]), "; ".join(bodies)])
        self.lines += table(["status", "when", "body or problem"], rows)
        if headers:
            self.lines += table(
                ["header", "in some answers"],
                ([f"`{name}`", line(self.document.resolved(header).get("description", ""))] for name, header in headers.items()))
        for number, example in enumerate(examples):
            title = "Example of an answer" if number == 0 else "Another"
            self.example(example, f"{title}, {describe(example)}" if describe(example) else title)

    def example(self, value, title="Example"):
        self.lines += [f'??? example "{title}"', ""]
        self.lines += ["    " + row for row in ["```json", *as_json(value).split("\n"), "```"]] + [""]

    # Schemas

    def schema(self, name, schema):
        self.lines += [f"### {name} {{#schema-{name}}}", ""]
        if "description" in schema:
            self.lines += [schema["description"].strip(), ""]
        rows = list(self.members(schema))
        if rows:
            self.lines += table(["member", "type", ""], rows)
        elif "enum" in schema:
            self.lines += ["One of " + ", ".join(f"`{value}`" for value in schema["enum"]) + ".", ""]
        else:
            self.lines += [self.type(schema), ""]
        for number, example in enumerate(self.document.examples(schema)):
            self.example(example, f"Example: {describe(example)}" if describe(example) else "Example")

    def members(self, schema, prefix=""):
        """Rows of a table: each member, then those of an object that it holds."""
        required = schema.get("required", [])
        for part in schema.get("allOf", []):
            if "$ref" in part:
                yield ["", self.type(part), "All of its members, and:"]
            else:
                yield from self.members(part, prefix)
        for name, member in schema.get("properties", {}).items():
            mark = " (required)" if name in required else ""
            yield [f"`{prefix}{name}`{mark}", self.type(member), self.said(member)]
            if "$ref" in member:
                continue
            items = member.get("items", {})
            if "properties" in member:
                yield from self.members(member, f"{prefix}{name}.")
            elif "properties" in items:
                yield from self.members(items, f"{prefix}{name}[].")

    def said(self, node):
        """The description that stands at the place itself, and the default."""
        text = line(node.get("description", ""))
        schema = node.get("schema", node)
        if "items" in schema and "description" in schema["items"]:
            text = f"{text} {line(schema['items']['description'])}".strip()
        if "default" in schema:
            text = f"{text} Default: `{schema['default']}`.".strip()
        return text

    def type(self, schema):
        if "$ref" in schema:
            return f"[{name_of(schema['$ref'])}](#schema-{name_of(schema['$ref'])})"
        if "const" in schema:
            return code(json.dumps(schema["const"]))
        if "enum" in schema:
            return ", ".join(code(json.dumps(value)) for value in schema["enum"])
        for several, word in (("anyOf", "or"), ("oneOf", "or"), ("allOf", "and")):
            parts = [self.type(part) for part in schema.get(several, [])]
            if any(parts):
                return f" {word} ".join(part for part in parts if part)
        kind = schema.get("type", "")
        kind = " or ".join(kind) if isinstance(kind, list) else kind
        if kind == "array":
            kind = "list of " + (self.type(schema["items"]) if "items" in schema else "anything")
        words = [kind or schema.get("format", "")]
        if "type" in schema and "format" in schema:
            words.append(f"({schema['format']})")
        return " ".join(filter(None, [*words, limits(schema)]))


def limits(schema):
    written = []
    if "minimum" in schema or "maximum" in schema:
        written.append(f"{schema.get('minimum', '')} to {schema.get('maximum', '')}".strip()
                       if "maximum" in schema and "minimum" in schema
                       else f"at least {schema['minimum']}" if "minimum" in schema else f"at most {schema['maximum']}")
    if "maxLength" in schema:
        low = schema.get("minLength", 0)
        written.append(f"{low} to {schema['maxLength']} characters" if low not in (0, schema["maxLength"]) else f"at most {schema['maxLength']} characters")
    if "maxItems" in schema:
        written.append(f"at most {schema['maxItems']}")
    if "pattern" in schema:
        written.append(code(schema["pattern"]))
    return ", ".join(written)


def problems(schema):
    """The names of the problems that a schema allows."""
    return re.findall(PROBLEM + "([a-z-]+)", json.dumps(schema))


def describe(example):
    """What tells one example from the others."""
    if not isinstance(example, dict):
        return ""
    if str(example.get("type", "")).startswith(PROBLEM):
        return example["type"].removeprefix(PROBLEM)
    words = [example.get("command"), example.get("outcome")]
    return " ".join(f"`{word}`" for word in words if word) if all(words) else ""
