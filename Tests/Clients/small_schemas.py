"""Schemas as small as the checker's own tests allow, in the layout of the official ones."""

import json

OLD, NEW, STATELESS = "2024-11-05", "2025-11-25", "2026-07-28"


def write(folder):
    handshake = json.dumps({"$defs": HANDSHAKE})
    schemas = {
        OLD: handshake.replace("$defs", "definitions"),
        NEW: handshake,
        STATELESS: json.dumps({"$defs": MODERN}),
    }
    for revision, schema in schemas.items():
        (folder / revision).mkdir(parents=True)
        (folder / revision / "schema.json").write_text(schema)


def thing(*required, **properties):
    return {"type": "object", "required": list(required), "properties": properties}


def union(*names):
    return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}


def of(method, **params):
    needed = ["method", "params"] if params else ["method"]
    return thing(*needed, method={"const": method}, params=thing(*params, **params))


TEXT, NUMBER, OBJECT, LIST = ({"type": t} for t in ("string", "number", "object", "array"))
ID = {"type": ["string", "integer"]}
TOOLS = {
    "type": "array",
    "items": thing("name", "inputSchema", name=TEXT, inputSchema=thing("type", properties=OBJECT)),
}
ERROR = thing("code", "message", code={"type": "integer"}, message=TEXT)

BOTH = {
    "JSONRPCRequest": thing("jsonrpc", "id", "method", id=ID),
    "JSONRPCNotification": thing("jsonrpc", "method", method=TEXT),
    "JSONRPCResultResponse": thing("jsonrpc", "id", "result", id=ID, result=OBJECT),
    "JSONRPCErrorResponse": thing("jsonrpc", "error", id=ID, error=ERROR),
    "ListToolsRequest": of("tools/list"),
    "CallToolRequest": of("tools/call"),
    "ElicitRequest": of("elicitation/create", message=TEXT, requestedSchema=OBJECT),
    "ProgressNotification": of("notifications/progress", progressToken=ID, progress=NUMBER),
    "ServerNotification": union("ProgressNotification"),
    "EmptyResult": OBJECT,
}
HANDSHAKE = BOTH | {
    "InitializeRequest": of("initialize"),
    "InitializeResult": thing("protocolVersion", "capabilities", "serverInfo", serverInfo=OBJECT),
    "PingRequest": of("ping"),
    "ListToolsResult": thing("tools", tools=TOOLS),
    "CallToolResult": thing("content", content=LIST),
    "ClientRequest": union(
        "InitializeRequest", "PingRequest", "ListToolsRequest", "CallToolRequest"
    ),
    "ServerRequest": union("ElicitRequest"),
}
MODERN = BOTH | {
    "ResultType": TEXT,
    "ListToolsResult": thing("resultType", "tools", "ttlMs", "cacheScope", tools=TOOLS),
    "CallToolResult": thing("resultType", "content", content=LIST),
    "InputRequiredResult": thing(
        "resultType",
        inputRequests={"type": "object", "additionalProperties": union("ElicitRequest")},
    ),
    "CallToolResultResponse": thing(result=union("InputRequiredResult", "CallToolResult")),
    "ClientRequest": union("ListToolsRequest", "CallToolRequest"),
    "UnsupportedProtocolVersionError": thing(
        error={"allOf": [ERROR, thing("data", code={"const": -32022}, data=thing("supported"))]}
    ),
}
