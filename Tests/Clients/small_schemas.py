"""Minimal schemas for the tests of the checker, with the structure of the official schemas."""

import json

OLD, NEW, STATELESS = "2024-11-05", "2025-11-25", "2026-07-28"


def write(folder):
    handshake = json.dumps({"$defs": HANDSHAKE})
    texts = {
        OLD: handshake.replace("$defs", "definitions"),
        NEW: handshake,
        STATELESS: json.dumps({"$defs": MODERN}),
    }
    for revision, text in texts.items():
        (folder / revision).mkdir(parents=True)
        (folder / revision / "schema.json").write_text(text)


def schema(*required, **properties):
    return {"type": "object", "required": list(required), "properties": properties}


def union(*names):
    return {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in names]}


def message(method, **params):
    required = ["method", "params"] if params else ["method"]
    return schema(*required, method={"const": method}, params=schema(*params, **params))


TEXT, NUMBER, OBJECT, LIST = ({"type": t} for t in ("string", "number", "object", "array"))
ID = {"type": ["string", "integer"]}
TOOLS = {
    "type": "array",
    "items": schema(
        "name", "inputSchema", name=TEXT, inputSchema=schema("type", properties=OBJECT)
    ),
}
ERROR = schema("code", "message", code={"type": "integer"}, message=TEXT)

COMMON = {
    "JSONRPCRequest": schema("jsonrpc", "id", "method", id=ID),
    "JSONRPCNotification": schema("jsonrpc", "method", method=TEXT),
    "JSONRPCResultResponse": schema("jsonrpc", "id", "result", id=ID, result=OBJECT),
    "JSONRPCErrorResponse": schema("jsonrpc", "error", id=ID, error=ERROR),
    "ListToolsRequest": message("tools/list"),
    "CallToolRequest": message("tools/call"),
    "ElicitRequest": message("elicitation/create", message=TEXT, requestedSchema=OBJECT),
    "ProgressNotification": message("notifications/progress", progressToken=ID, progress=NUMBER),
    "ServerNotification": union("ProgressNotification"),
    "EmptyResult": OBJECT,
}
HANDSHAKE = COMMON | {
    "InitializeRequest": message("initialize"),
    "InitializeResult": schema("protocolVersion", "capabilities", "serverInfo", serverInfo=OBJECT),
    "PingRequest": message("ping"),
    "ListToolsResult": schema("tools", tools=TOOLS),
    "CallToolResult": schema("content", content=LIST),
    "ClientRequest": union(
        "InitializeRequest", "PingRequest", "ListToolsRequest", "CallToolRequest"
    ),
    "ServerRequest": union("ElicitRequest"),
}
MODERN = COMMON | {
    "ResultType": TEXT,
    "ListToolsResult": schema("resultType", "tools", "ttlMs", "cacheScope", tools=TOOLS),
    "CallToolResult": schema("resultType", "content", content=LIST),
    "InputRequiredResult": schema(
        "resultType",
        inputRequests={"type": "object", "additionalProperties": union("ElicitRequest")},
    ),
    "CallToolResultResponse": schema(result=union("InputRequiredResult", "CallToolResult")),
    "ClientRequest": union("ListToolsRequest", "CallToolRequest"),
    "UnsupportedProtocolVersionError": schema(
        error={"allOf": [ERROR, schema("data", code={"const": -32022}, data=schema("supported"))]}
    ),
}
