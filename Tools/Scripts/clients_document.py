"""What the generators of the clients need from the document of `rpc.discover`."""

import keyword
import re

NULL = {"type": "null"}


def called(document):
    """The methods that return a named type. The clients handle subscriptions by themselves."""
    return [method for method in document["methods"] if reference(method["result"]["schema"])]


def name_choices(document):
    """Gives a name to each list of values that a parameter can have, and refers to it where it is used. Returns
    the values by name. If a parameter has different values in different methods, the names contain the method."""
    choices = {}
    for method in document["methods"]:
        for param in method["params"]:
            schema = required_part(param["schema"])
            schema = schema.get("items", schema)
            if "enum" in schema:
                choices.setdefault(param["name"], []).append((method["name"], schema))
    values = {}
    for param, uses in choices.items():
        is_shared = all(schema == uses[0][1] for _, schema in uses)
        for method, schema in uses:
            name = class_name(param if is_shared else f"{method}/{param}")
            values[name] = [value for value in schema.pop("enum") if value is not None]
            schema["$ref"] = name
    return dict(sorted(values.items()))


def errors(document):
    """The errors of all methods, by code."""
    found = {error["code"]: error for method in document["methods"] for error in method["errors"]}
    return [found[code] for code in sorted(found)]


def effect(method):
    """What a client must know about a method that changes something at the server; None for any other."""
    errors = {error["data"]["name"]: error for error in method["errors"]}
    if "bookingRequiresConnection" not in errors:
        return None
    # If no response says whether the change was made, this is the error.
    (in_doubt,) = [error for name, error in errors.items() if name.endswith("InDoubt")]
    has_key = any(param["name"] == "idempotencyKey" for param in method["params"])
    return {"hasKey": has_key, "inDoubt": error_name(in_doubt)}


def required_part(schema, is_selected=False):
    """The schema without null. The elements of some lists have two schemas: that of the whole element, and that
    of the members that a caller has selected; `is_selected` says which one is meant."""
    parts = [part for part in schema.get("anyOf", [schema]) if part != NULL]
    return parts[-1] if is_selected else parts[0]


def is_selectable(schema):
    """Whether a schema is that of a list whose callers may select members of its elements."""
    return len([part for part in schema.get("items", {}).get("anyOf", []) if part != NULL]) == 2


def selectable_member(document, name):
    """The name of the member of a result with a list whose callers may select members; None for no list."""
    properties = document["components"]["schemas"][name]["properties"]
    return next((key for key, each in properties.items() if is_selectable(required_part(each))), None)


def selected_schemas(document):
    """The names of the schemas of elements with selected members."""
    return {
        reference(required_part(required_part(member)["items"], is_selected=True))
        for schema in document["components"]["schemas"].values()
        for member in schema["properties"].values()
        if is_selectable(required_part(member))
    }


def selected_name(name):
    """The name of the type of a result whose elements have only selected members."""
    return f"Selected{name}"


def default(schema):
    """The value of a member that is absent; None if it has none."""
    return required_part(schema).get("default")


def is_time(schema):
    return schema.get("format") == "date-time"


def paging(document, method):
    """How to get the next page of a list: the name of the parameter and that of the member of the result. None for
    a method that returns no pages."""
    params = {param["name"] for param in method["params"]}
    members = document["components"]["schemas"].get(reference(method["result"]["schema"]), {})
    for param, member in [("cursor", "nextCursor"), ("afterId", "nextAfterId")]:
        if param in params and member in members.get("properties", {}):
            return param, member
    return None


def events(document):
    """The names of the types of what a subscription receives: those of a change and of an outage."""
    (notification,) = document["x-notifications"]
    return [reference(part) for part in notification["params"]["anyOf"]]


def reference(schema):
    """The name of the type that a schema refers to, or None."""
    return schema["$ref"].rpartition("/")[2] if "$ref" in schema else None


def snake_case(name):
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])|/", "_", name).lower()
    # PEP 8: a keyword gets an underscore.
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def camel_case(name):
    return re.sub(r"/(.)", lambda match: match[1].upper(), name)


def class_name(name):
    return camel_case(f"/{name}")


def error_name(error):
    return class_name(error["data"]["name"]) + "Error"
