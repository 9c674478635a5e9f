"""What the programs are asked: commands, calls of methods, and errors of a server."""

import json
import re

SALON, MADRID, PARIS = (f"5a100000-0000-4000-8000-00000000000{number}" for number in (1, 4, 2))
UNKNOWN = "5a100000-0000-4000-8000-0000000000ff"
TIME, LATER = "2027-03-02T12:00Z", "2027-03-02T13:00Z"
PHONE = ["--phone", "+49 30 1234567"]
BOOK = ["book", SALON, TIME, *PHONE, "--key", "k1"]
# The programs have the real time when a server fails.
FUTURE = "2040-03-02T12:00Z"
BOOK_LATER = ["book", SALON, FUTURE, *PHONE, "--key", "k1"]
NEW_SALON = json.dumps({
    "id": UNKNOWN, "name": "New", "location": "Here", "open_time": 9.3, "close_time": 18,
    "exceptions": [{"date": "2027-12-24", "closed": True}],
})
# The params of a request of MCP without a handshake.
STATELESS = {
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
}

# In this order. APPOINTMENT and HOLD stand for the ids that the last command returned.
COMMANDS = [
    ["salons"], ["salons", "nova", "--fields", "name,phone"], ["salons", "--limit", "2"],
    ["salons", "--open-at", "2027-03-02 10:30"], ["salon", "show", "Atelier Nova"],
    ["services", "Sol"], ["staff", "Sol"], ["salons", "nothing has this name"],
    ["slots", SALON, "--day", "2027-03-02"], ["slots", "Sol", "--day", "2027-03-02", "--service", "Color"],
    ["slots", SALON, "--explain", "2027-03-02T03:00Z"], ["slots", SALON, "--day", "2027-03-02", "--all"],
    [*BOOK, "--dry-run"], BOOK, BOOK, ["book", SALON, TIME, *PHONE], ["book", SALON, "2027-03-02T03:00Z", *PHONE],
    ["book", SALON, LATER, *PHONE, "--key", "k1"], ["book", UNKNOWN, TIME, *PHONE],
    ["book", "Atelier Nova", "2027-03-01 09:30", *PHONE], ["slots", SALON, "--day", "2027-03-02", "--all"],
    ["book", "Sol", "2027-03-02 12:00", *PHONE, "--service", "Color", "--email", "a@example.com", "--notes", "n"],
    ["appointments"], ["appointments", "--salon", SALON, "--status", "all", "--limit", "1"],
    ["appointments", "--ical", "--remind", "1d"], ["week", SALON, "--from", "2027-03-02"],
    ["week", "Sol", "--from", "2027-03-02", "--service", "Color"],
    ["reschedule", "APPOINTMENT", "2027-03-02 17:00", "--dry-run"], ["reschedule", "APPOINTMENT", "2027-03-02 17:00"],
    ["reschedule", "APPOINTMENT", "2027-03-02 18:00", "--version", "1"], ["reschedule", UNKNOWN, LATER],
    ["cancel", "APPOINTMENT"], ["cancel", "APPOINTMENT", "--yes"], ["cancel", "APPOINTMENT", "--yes"],
    ["hold", SALON, LATER, *PHONE, "--key", "h1"], ["release", "HOLD", "--dry-run"], ["release", "HOLD"],
    ["release", "HOLD"], ["hold", "Sol", "2027-03-03 12:00", *PHONE, "--service", "Color", "--minutes", "1"],
    ["salon", "put", "SALON-FILE", "--dry-run"], ["salon", "put", "SALON-FILE"],
    ["salon", "put", "SALON-FILE", "--version", "0"], ["salon", "delete", UNKNOWN, "--dry-run", "--version", "1"],
    ["salon", "delete", UNKNOWN, "--yes", "--version", "7"], ["salon", "delete", UNKNOWN, "--yes"],
    ["salon", "delete", SALON, "--yes"], ["resolve"], ["resolve", "--discard", "k1"],
    ["cache"], ["cache", "validate"], ["cache", "clear", "--dry-run"], ["cache", "clear"], ["cache", "status"],
]

WRONG_COMMANDS = [
    ["salosn"], ["salons", "--limit", "x"], ["salons", "--json", "--limit", "x"], ["salons", "a", "b"], ["book"],
    ["salons", "--base-url", "salons.example"], ["salons"], ["salons", "--json"], ["help", "nothing"],
    ["slots", "--day", "2027-02-30", "Sol", "--sandbox"], ["book", "Sol", "noon", *PHONE, "--sandbox"],
    ["book", "Sol", TIME, "--phone", "1", "--sandbox", "--json"], ["salons", "--fields", "name", "--sandbox"],
    ["salons", "--config", "/nowhere"], ["salons", "--profile", "none"], ["salons", "--sandbox", "--timeout", "soon"],
    ["salons", "--sandbox", "--token-file", "/nowhere"], ["cache", "forget", "--sandbox"],
    ["cancel", "x", "--sandbox"], ["book", "o", TIME, *PHONE, "--sandbox", "--no-input"],
    ["book", SALON, TIME, *PHONE, "--sandbox", "--read-only"], ["serve", "--node-ipc"], ["completions", "tcsh"],
]


def values(output):
    """The ids in the result of a command, for the next ones."""
    try:
        result = json.loads(output)
    except ValueError:
        return {}
    found = {"APPOINTMENT": result.get("appointment", {}).get("id"), "HOLD": result.get("holdId")}
    return {name: value for name, value in found.items() if value}


def call(process, method, params):
    """Calls a method, and returns the text of its result, or of the whole reply if it is an error."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    process.stdin.write(json.dumps(request, ensure_ascii=False) + "\n")
    process.stdin.flush()
    while True:
        reply = process.stdout.readline().rstrip("\n")
        if not reply or "id" in json.loads(reply):
            break
    return reply.removeprefix('{"jsonrpc":"2.0","id":1,"result":').removesuffix("}")


def error(reply):
    """The text of the error in a reply; None if the call succeeded."""
    return reply.partition('"error":')[2] if reply.startswith('{"jsonrpc":"2.0","id":1,"error":') else None


def wrong_params(document, url):
    """Each method with parameters of which one is missing, unknown, or wrong."""
    for method in document["methods"]:
        name = method["name"]
        (example,) = method["examples"]
        text = json.dumps({param["name"]: param["value"] for param in example["params"]})
        params = json.loads(text.replace("https://salons.example", url))
        yield name, params | {"unknown": 1}
        for parameter in method["params"]:
            if parameter.get("required"):
                yield name, {key: params[key] for key in params if key != parameter["name"]}
            for value in ({"?": 1}, -17, "?"):
                yield name, params | {parameter["name"]: value}


def failures(document):
    """The errors of a server, each with commands that receive it.

    The name of an error is the beginning of the path of the scripted server: what fails, and with what."""
    operations = {
        operation["operationId"]: declared_errors(operation)
        for path in document["paths"].values() for operation in path.values()
    }
    kinds = sorted(set().union(*operations.values()))
    for error in [*kinds, "html-502", "text-400", "oauth-401", "other-409", "empty-500", "invalid-200"]:
        yield f"read/{error}", ["salons"]
        yield f"change/{error}", BOOK_LATER
        yield f"change/{error}", [*BOOK_LATER, "--json"]
    changes = {
        "rescheduleAppointment": ["change", "reschedule", "a1", FUTURE],
        "cancelAppointment": ["change", "cancel", "a1", "--yes"],
        "holdTime": ["change", "hold", SALON, FUTURE, *PHONE], "releaseHold": ["change", "release", "h1"],
        "putSalon": ["change", "salon", "put", "SALON-FILE"],
        "deleteSalon": ["change", "salon", "delete", SALON, "--yes"],
        "listAppointments": ["read", "appointments"], "listSlots": ["slots", "slots", SALON, "--day", "2040-03-02"],
    }
    for name, (part, *words) in changes.items():
        for error in sorted(operations[name]):
            yield f"{part}/{error}", [*words, "--json"]


def declared_errors(operation):
    return {
        f"{kind}-{status}"
        for status, response in operation["responses"].items() if int(status) >= 400
        for kind in re.findall(r"\w+", response["description"])
    }
