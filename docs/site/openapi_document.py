"""Reads docs/openapi.yaml: operations, schemas, examples."""

from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
METHODS = ("get", "put", "post", "delete", "patch")


class _Loader(yaml.SafeLoader):
    """Dates stay the text that they are in JSON."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


class Document:
    def __init__(self, path=ROOT / "docs/openapi.yaml"):
        self.root = yaml.load(path.read_text(encoding="utf-8"), _Loader)
        self.info = self.root["info"]
        self.tags = self.root["tags"]
        self.schemas = self.root["components"]["schemas"]
        self.security_schemes = self.root["components"]["securitySchemes"]

    def resolved(self, node):
        """What a `$ref` names, with the members that stand beside it; anything else as it is."""
        while isinstance(node, dict) and "$ref" in node:
            target = self.root
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = {**target, **{name: value for name, value in node.items() if name != "$ref"}}
        return node

    def operations(self, tag=None):
        """Each as (method, path, operation), with the parameters of its path among its own."""
        for path, item in self.root["paths"].items():
            for method in METHODS:
                if method not in item:
                    continue
                operation = dict(item[method])
                if tag and tag not in operation["tags"]:
                    continue
                parameters = item.get("parameters", []) + operation.get("parameters", [])
                operation["parameters"] = [self.resolved(parameter) for parameter in parameters]
                yield method.upper(), path, operation

    def examples(self, schema):
        """Those that the schema, or the one that it refers to, gives."""
        schema = self.resolved(schema)
        return [schema["example"]] if "example" in schema else list(schema.get("examples", []))

    def body_examples(self, content):
        """Those of a body: its own, or its schema's."""
        if "example" in content:
            return [content["example"]]
        if "examples" in content:
            return [self.resolved(example)["value"] for example in content["examples"].values()]
        return self.examples(content.get("schema", {}))


def name_of(reference):
    """`Payment` of `#/components/schemas/Payment`."""
    return reference.rsplit("/", 1)[1]
