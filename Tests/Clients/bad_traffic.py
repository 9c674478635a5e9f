"""Traffic with something wrong in it, and what a checker must say about it."""

from messages import (
    CACHED,
    CALL,
    ELICIT,
    HIDDEN,
    LIST,
    NEW_CALL,
    NEW_LIST,
    asked,
    opened,
    said,
    told,
)
from small_schemas import NEW, OLD

BAD = {
    "no protocolVersion": (
        "'protocolVersion' is a required property",
        [asked("initialize", protocolVersion=NEW), said(result={})],
    ),
    "a revision that nobody knows": ("no schema for 2999-01-01", opened("2999-01-01")),
    "a result of another method": (
        "ListToolsResult $: 'tools' is a required",
        [*opened(NEW), LIST, said(result={"content": []})],
    ),
    "a tool without a name": (
        "$.tools[0]: 'name' is a required",
        [*opened(NEW), LIST, said(result={"tools": [{}]})],
    ),
    "a schema that is no schema": (
        "$.tools[0].inputSchema.properties",
        [*opened(NEW), LIST, said(result={"tools": [HIDDEN]})],
    ),
    "an old result that is wrong": (
        "2024-11-05 CallToolResult $.content",
        [*opened(OLD), CALL, said(result={"content": {}})],
    ),
    "a result that is no object": (
        "$.result: [] is not",
        [*opened(NEW), asked("ping"), said(result=[])],
    ),
    "an answer twice": ("nobody asked 1", [*opened(NEW), LIST, *[said(result={"tools": []})] * 2]),
    "an answer to another id": (
        'nobody asked "1"',
        [*opened(NEW), LIST, said("1", result={"tools": []})],
    ),
    "no jsonrpc": (
        "'jsonrpc' is a required",
        [*opened(NEW), LIST, 'time <-- {"id":1,"result":{"tools":[]}}'],
    ),
    "an error without a message": (
        "$.error: 'message' is a required",
        [*opened(NEW), CALL, said(error={"code": -32602})],
    ),
    "an error whose code is text": (
        "$.error.code",
        [*opened(NEW), CALL, said(error={"code": "x", "message": "no"})],
    ),
    "a notification that MCP has not": (
        "no ServerNotification $/progress",
        [*opened(NEW), told(method="$/progress", params={})],
    ),
    "a notification with half its params": (
        "$.params: 'progressToken' is a required",
        [*opened(NEW), told(method="notifications/progress", params={"progress": 1})],
    ),
    "a question without its form": (
        "ElicitRequest $.params",
        [*opened(NEW), said("q", method="elicitation/create", params={"message": "Sure?"})],
    ),
    "a question that MCP has not": (
        "no ServerRequest ask/me",
        [*opened(NEW), said("q", method="ask/me", params={})],
    ),
    "a question without a handshake": (
        "2026-07-28 no ServerRequest elicitation/create",
        [NEW_CALL, said("q", **ELICIT)],
    ),
    "no ttlMs": (
        "'ttlMs' is a required",
        [NEW_LIST, said(result={"tools": [], "resultType": "complete"})],
    ),
    "no resultType": ("'resultType' is a required", [NEW_CALL, said(result={"content": []})]),
    "a resultType that nobody knows": (
        "resultType 'x'",
        [NEW_CALL, said(result={"content": [], "resultType": "x"})],
    ),
    "input required by a list": (
        "ListToolsResult: resultType 'input_required'",
        [NEW_LIST, said(result={"tools": []} | CACHED | {"resultType": "input_required"})],
    ),
    "input required without input": (
        "neither inputRequests nor requestState",
        [NEW_CALL, said(result={"resultType": "input_required"})],
    ),
    "input required without a form": (
        "InputRequiredResult $.inputRequests.a",
        [NEW_CALL, said(result={"resultType": "input_required", "inputRequests": {"a": {}}})],
    ),
    "a refusal that does not say what is supported": (
        "$.error: 'data' is a required",
        [NEW_LIST, said(error={"code": -32022, "message": "no"})],
    ),
    "no message": ("no message", [*opened(NEW), 'time <-- "12 bytes that are no JSON"']),
}
