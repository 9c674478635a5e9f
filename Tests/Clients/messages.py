"""Lines of a trace, by hand."""

import json

from small_schemas import NEW, STATELESS
from traffic import VERSION


def asked(method, id=1, revision=None, **params):
    meta = {"_meta": {VERSION: revision}} if revision else {}
    message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params | meta}
    return "time --> " + json.dumps(message)


def said(id=1, **members):
    return told(id=id, **members)


def told(**members):
    return "time <-- " + json.dumps({"jsonrpc": "2.0"} | members)


def opened(revision):
    result = {"protocolVersion": revision, "capabilities": {}, "serverInfo": INFO}
    return asked("initialize", 0, protocolVersion=revision), said(0, result=result)


INFO = {"name": "x", "version": "1"}
TOOL = {"name": "x", "inputSchema": {"type": "object", "properties": {"phone": {}}}}
HIDDEN = {"name": "x", "inputSchema": {"type": "object", "properties": "(hidden)"}}
FORM = {"message": "Sure?", "requestedSchema": {"type": "object", "properties": {}}}
ELICIT = {"method": "elicitation/create", "params": FORM}
CACHED = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
PROGRESS = {"progressToken": 1, "progress": 0.5}
LIST, CALL = asked("tools/list"), asked("tools/call", name="x")
NEW_LIST = asked("tools/list", revision=STATELESS)
NEW_CALL = asked("tools/call", revision=STATELESS, name="x")
REFUSED = {"code": -32022, "message": "no", "data": {"supported": [NEW], "requested": "x"}}
