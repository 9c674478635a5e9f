"""Functions that make lines of a trace, and messages for them."""

import json

from small_schemas import NEW, STATELESS
from traffic import VERSION


def request(method, id=1, revision=None, **params):
    """A request from the client. `revision` makes it stateless."""
    meta = {"_meta": {VERSION: revision}} if revision else {}
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params | meta}
    return "time --> " + json.dumps(message)


def response(id=1, **members):
    """A response from the server."""
    return sent(id=id, **members)


def sent(**members):
    """A message from the server."""
    return "time <-- " + json.dumps({"jsonrpc": "2.0"} | members)


def handshake(revision):
    """The two messages of a handshake that agrees on a revision."""
    result = {"protocolVersion": revision, "capabilities": {}, "serverInfo": INFO}
    return request("initialize", 0, protocolVersion=revision), response(0, result=result)


INFO = {"name": "x", "version": "1"}
TOOL = {"name": "x", "inputSchema": {"type": "object", "properties": {"phone": {}}}}
HIDDEN = {"name": "x", "inputSchema": {"type": "object", "properties": "(hidden)"}}
FORM = {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}}
ELICIT = {"method": "elicitation/create", "params": FORM}
CACHED = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
PROGRESS = {"progressToken": 1, "progress": 0.5}
LIST, CALL = request("tools/list"), request("tools/call", name="x")
NEW_LIST = request("tools/list", revision=STATELESS)
NEW_CALL = request("tools/call", revision=STATELESS, name="x")
UNSUPPORTED_VERSION = {
    "code": -32022,
    "message": "no",
    "data": {"supported": [NEW], "requested": "x"},
}
