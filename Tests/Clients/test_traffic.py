"""Tests the checker of recorded traffic: it accepts valid traffic and reports invalid traffic."""

import pytest

import schemas
import small_schemas
from bad_traffic import INVALID
from messages import (
    CACHED,
    CALL,
    ELICIT,
    LIST,
    NEW_CALL,
    NEW_LIST,
    PROGRESS,
    TOOL,
    UNSUPPORTED_VERSION,
    handshake,
    request,
    response,
    sent,
)
from small_schemas import NEW, OLD, STATELESS
from traffic import check


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemas")
    small_schemas.write(folder)
    return schemas.load(folder)


VALID = {
    "results": [*handshake(NEW), LIST, response(result={"tools": [TOOL]})],
    "results of an old revision": [*handshake(OLD), CALL, response(result={"content": []})],
    "an empty result": [*handshake(NEW), request("ping"), response(result={})],
    "an error": [*handshake(NEW), CALL, response(error={"code": -32602, "message": "no"})],
    "an error for a message that could not be parsed": [
        *handshake(NEW),
        response(None, error={"code": -32700, "message": "no"}),
    ],
    "a notification": [
        *handshake(NEW),
        sent(method="notifications/progress", params=PROGRESS),
    ],
    "an elicitation": [*handshake(NEW), sent(id="q", **ELICIT), 'time --> {"id":"q","result":{}}'],
    "a batch": [*handshake(OLD), LIST, "time <-- [" + response(result={"tools": []})[9:] + "]"],
    "a stateless list": [NEW_LIST, response(result={"tools": [TOOL]} | CACHED)],
    "a stateless call": [NEW_CALL, response(result={"content": [], "resultType": "complete"})],
    "input required": [
        NEW_CALL,
        response(result={"resultType": "input_required", "inputRequests": {"a": ELICIT}}),
    ],
    "only a requestState": [
        NEW_CALL,
        response(result={"resultType": "input_required", "requestState": "x"}),
    ],
    "an error for an unknown revision": [
        request("tools/list", revision="2999-01-01"),
        response(error=UNSUPPORTED_VERSION),
    ],
    "messages after an error for an unknown revision": [
        *handshake(NEW),
        request("tools/list", 2, "2999-01-01"),
        response(2, error=UNSUPPORTED_VERSION),
        LIST,
        response(result={"tools": []}),
        sent(method="notifications/progress", params=PROGRESS),
    ],
    "a stateless request on a connection with a handshake": [
        *handshake(NEW),
        request("tools/list", 2, STATELESS),
        response(2, result={"tools": []} | CACHED),
    ],
}


@pytest.mark.parametrize("lines", VALID.values(), ids=VALID)
def test_valid_traffic_is_accepted(lines, small):
    checker = check("\n".join(lines), small)
    assert checker.violations == []
    assert checker.checked == sum("<--" in line for line in lines)


@pytest.mark.parametrize("violation, lines", INVALID.values(), ids=INVALID)
def test_invalid_traffic_is_reported(violation, lines, small):
    assert violation in "\n".join(check("\n".join(lines), small).violations)


def test_the_official_schemas_give_the_same_results(official):
    for lines in VALID.values():
        test_valid_traffic_is_accepted(lines, official)
    for violation, lines in INVALID.values():
        test_invalid_traffic_is_reported(violation, lines, official)


def test_plain_json_rpc_is_not_checked(small):
    lines = [
        request("initialize"),
        response(result={}),
        request("salons/list", 2),
        response(2, result={}),
    ]
    checker = check("\n".join(lines), small)
    assert checker.checked == 0 and checker.violations == []
