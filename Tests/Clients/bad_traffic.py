"""Invalid traffic, and a part of the violation that the checker must report for it."""

from messages import (
    CACHED,
    CALL,
    ELICIT,
    HIDDEN,
    LIST,
    NEW_CALL,
    NEW_LIST,
    handshake,
    request,
    response,
    sent,
)
from small_schemas import NEW, OLD

INVALID = {
    "no protocolVersion": (
        "'protocolVersion' is a required property",
        [request("initialize", protocolVersion=NEW), response(result={})],
    ),
    "an unknown revision": ("no schema for 2999-01-01", handshake("2999-01-01")),
    "a result of a different method": (
        "ListToolsResult $: 'tools' is a required",
        [*handshake(NEW), LIST, response(result={"content": []})],
    ),
    "a tool without a name": (
        "$.tools[0]: 'name' is a required",
        [*handshake(NEW), LIST, response(result={"tools": [{}]})],
    ),
    "an invalid schema": (
        "$.tools[0].inputSchema.properties",
        [*handshake(NEW), LIST, response(result={"tools": [HIDDEN]})],
    ),
    "an invalid result of an old revision": (
        "2024-11-05 CallToolResult $.content",
        [*handshake(OLD), CALL, response(result={"content": {}})],
    ),
    "a result that is not an object": (
        "$.result: [] is not",
        [*handshake(NEW), request("ping"), response(result=[])],
    ),
    "a second response to a request": (
        "there was no request 1",
        [*handshake(NEW), LIST, *[response(result={"tools": []})] * 2],
    ),
    "a response with a different id": (
        'there was no request "1"',
        [*handshake(NEW), LIST, response("1", result={"tools": []})],
    ),
    "no jsonrpc": (
        "'jsonrpc' is a required",
        [*handshake(NEW), LIST, 'time <-- {"id":1,"result":{"tools":[]}}'],
    ),
    "an error without a message": (
        "$.error: 'message' is a required",
        [*handshake(NEW), CALL, response(error={"code": -32602})],
    ),
    "an error whose code is text": (
        "$.error.code",
        [*handshake(NEW), CALL, response(error={"code": "x", "message": "no"})],
    ),
    "a notification that MCP does not define": (
        "no ServerNotification $/progress",
        [*handshake(NEW), sent(method="$/progress", params={})],
    ),
    "a notification without a required parameter": (
        "$.params: 'progressToken' is a required",
        [*handshake(NEW), sent(method="notifications/progress", params={"progress": 1})],
    ),
    "an elicitation without a form": (
        "ElicitRequest $.params",
        [*handshake(NEW), sent(id="q", method="elicitation/create", params={"message": "Sure?"})],
    ),
    "a server request that MCP does not define": (
        "no ServerRequest ask/me",
        [*handshake(NEW), sent(id="q", method="ask/me", params={})],
    ),
    "an elicitation without a handshake": (
        "2026-07-28 no ServerRequest elicitation/create",
        [NEW_CALL, sent(id="q", **ELICIT)],
    ),
    "no ttlMs": (
        "'ttlMs' is a required",
        [NEW_LIST, response(result={"tools": [], "resultType": "complete"})],
    ),
    "no resultType": ("'resultType' is a required", [NEW_CALL, response(result={"content": []})]),
    "an unknown resultType": (
        "resultType 'x'",
        [NEW_CALL, response(result={"content": [], "resultType": "x"})],
    ),
    "input required for a list": (
        "ListToolsResult: resultType 'input_required'",
        [NEW_LIST, response(result={"tools": []} | CACHED | {"resultType": "input_required"})],
    ),
    "input required without input": (
        "neither inputRequests nor requestState",
        [NEW_CALL, response(result={"resultType": "input_required"})],
    ),
    "input required without a form": (
        "InputRequiredResult $.inputRequests.a",
        [NEW_CALL, response(result={"resultType": "input_required", "inputRequests": {"a": {}}})],
    ),
    "an unsupported version error without the supported versions": (
        "$.error: 'data' is a required",
        [NEW_LIST, response(error={"code": -32022, "message": "no"})],
    ),
    "text that is not a message": (
        "not a message",
        [*handshake(NEW), 'time <-- "12 bytes that are not JSON"'],
    ),
}
