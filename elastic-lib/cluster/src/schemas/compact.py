#!/usr/bin/env python3
"""Makes schemas.json from folders of CustomResourceDefinitions.

    compact.py PREFIX=FOLDER... > schemas.json

What validation needs is kept: names, types, limits, defaults, rules, columns of tables. Descriptions
are left out. A part that comes twice or more (the template of a pod, above all) is written once, as a
definition that the others name.

The result holds "definitions", a part each, and "kinds", keyed "PREFIX group/version Kind", each with
the "schema" of its objects, its "columns" and whether it has a "status" of its own.
"""
import collections
import json
import pathlib
import sys

import yaml

KEPT = {
    "type", "required", "enum", "pattern", "format", "default", "nullable", "minimum", "maximum",
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems",
    "anyOf", "oneOf", "allOf", "not",
}
# The names of ours for those of Kubernetes.
RENAMED = {
    "x-kubernetes-int-or-string": "intOrString",
    "x-kubernetes-preserve-unknown-fields": "open",
    "x-kubernetes-embedded-resource": "embedded",
    "x-kubernetes-list-type": "listType",
    "x-kubernetes-list-map-keys": "listKeys",
    "x-kubernetes-validations": "rules",
}
SHORTEST_SHARED = 48


def compact(schema):
    """What is kept of a schema."""
    out = {key: value for key, value in schema.items() if key in KEPT}
    for theirs, ours in RENAMED.items():
        if theirs in schema:
            out[ours] = schema[theirs]
    if out.get("intOrString"):
        out.pop("anyOf", None)
    if out.get("listType") == "atomic":
        out.pop("listType")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            out[key] = compact(schema[key])
    if "properties" in schema:
        out["properties"] = {name: compact(part) for name, part in sorted(schema["properties"].items())}
    return out


def parts(schema):
    """The schemas directly below one."""
    yield from ((key, schema[key]) for key in ("items", "additionalProperties") if key in schema)
    yield from schema.get("properties", {}).items()


def text(schema):
    return json.dumps(schema, sort_keys=True, separators=(",", ":"))


class Shared:
    """Parts that come more than once, by their text."""

    def __init__(self):
        self.counts = collections.Counter()
        self.names = {}
        self.definitions = {}

    def count(self, schema):
        self.counts[text(schema)] += 1
        if self.counts[text(schema)] == 1:
            for _, part in parts(schema):
                self.count(part)

    def written(self, schema, name):
        """A schema with its shared parts named."""
        key = text(schema)
        if self.counts[key] < 2 or len(key) < SHORTEST_SHARED:
            return self.spelled(schema)
        if key not in self.names:
            count = sum(known == name or known.startswith(name + "~") for known in self.definitions)
            self.names[key] = name if not count else f"{name}~{count + 1}"
            self.definitions[self.names[key]] = None
            self.definitions[self.names[key]] = self.spelled(schema)
        return {"$ref": self.names[key]}

    def spelled(self, schema):
        out = dict(schema)
        for key in ("items", "additionalProperties"):
            if key in schema:
                out[key] = self.written(schema[key], key)
        if "properties" in schema:
            out["properties"] = {n: self.written(p, n) for n, p in schema["properties"].items()}
        return out


def kinds(prefix, folder):
    """Each served version of each kind in a folder."""
    for file in sorted(pathlib.Path(folder).glob("*.yaml")):
        for crd in yaml.safe_load_all(file.read_text()):
            spec = crd["spec"]
            for version in spec["versions"]:
                if not version["served"]:
                    continue
                key = f"{prefix} {spec['group']}/{version['name']} {spec['names']['kind']}"
                yield key, {
                    "schema": compact(version["schema"]["openAPIV3Schema"]),
                    "columns": [
                        {k: c[k] for k in ("name", "jsonPath", "type", "priority") if k in c}
                        for c in version.get("additionalPrinterColumns", [])
                    ],
                    "status": "status" in version.get("subresources", {}),
                }


def main(arguments):
    found = dict(kind for argument in arguments for kind in kinds(*argument.split("=", 1)))
    shared = Shared()
    for kind in found.values():
        shared.count(kind["schema"])
    for key, kind in found.items():
        kind["schema"] = shared.written(kind["schema"], key.rsplit(" ", 1)[1])

    def block(entries):
        return ",\n".join(f"{json.dumps(name)}:{text(value)}" for name, value in sorted(entries.items()))

    print(f'{{"definitions":{{\n{block(shared.definitions)}\n}},"kinds":{{\n{block(found)}\n}}}}')


if __name__ == "__main__":
    main(sys.argv[1:])
