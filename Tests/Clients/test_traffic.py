"""The checker of recorded traffic: what it lets pass and, above all, what it does not."""

import pytest

import schemas
import small_schemas
from bad_traffic import BAD
from messages import (
    CACHED,
    CALL,
    ELICIT,
    LIST,
    NEW_CALL,
    NEW_LIST,
    PROGRESS,
    REFUSED,
    TOOL,
    asked,
    opened,
    said,
    told,
)
from small_schemas import NEW, OLD, STATELESS
from traffic import check


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemas")
    small_schemas.write(folder)
    return schemas.load(folder)


GOOD = {
    "results": [*opened(NEW), LIST, said(result={"tools": [TOOL]})],
    "results of an old revision": [*opened(OLD), CALL, said(result={"content": []})],
    "an empty result": [*opened(NEW), asked("ping"), said(result={})],
    "an error": [*opened(NEW), CALL, said(error={"code": -32602, "message": "no"})],
    "an error for what could not be read": [
        *opened(NEW),
        said(None, error={"code": -32700, "message": "no"}),
    ],
    "a notification": [
        *opened(NEW),
        told(method="notifications/progress", params=PROGRESS),
    ],
    "a question": [*opened(NEW), said("q", **ELICIT), 'time --> {"id":"q","result":{}}'],
    "a batch": [*opened(OLD), LIST, "time <-- [" + said(result={"tools": []})[9:] + "]"],
    "stateless results": [NEW_LIST, said(result={"tools": [TOOL]} | CACHED)],
    "stateless call": [NEW_CALL, said(result={"content": [], "resultType": "complete"})],
    "input required": [
        NEW_CALL,
        said(result={"resultType": "input_required", "inputRequests": {"a": ELICIT}}),
    ],
    "a state alone": [
        NEW_CALL,
        said(result={"resultType": "input_required", "requestState": "x"}),
    ],
    "an unknown revision refused": [
        asked("tools/list", revision="2999-01-01"),
        said(error=REFUSED),
    ],
    "what follows a revision refused": [
        *opened(NEW),
        asked("tools/list", 2, "2999-01-01"),
        said(2, error=REFUSED),
        LIST,
        said(result={"tools": []}),
        told(method="notifications/progress", params=PROGRESS),
    ],
    "a stateless request on a connection with a handshake": [
        *opened(NEW),
        asked("tools/list", 2, STATELESS),
        said(2, result={"tools": []} | CACHED),
    ],
}


@pytest.mark.parametrize("lines", GOOD.values(), ids=GOOD)
def test_good(lines, small):
    conversation = check("\n".join(lines), small)
    assert conversation.violations == []
    assert conversation.checked == sum("<--" in line for line in lines)


@pytest.mark.parametrize("why, lines", BAD.values(), ids=BAD)
def test_bad(why, lines, small):
    assert why in "\n".join(check("\n".join(lines), small).violations)


def test_the_official_schemas_say_the_same(official):
    for lines in GOOD.values():
        test_good(lines, official)
    for why, lines in BAD.values():
        test_bad(why, lines, official)


def test_plain_json_rpc_is_not_looked_at(small):
    lines = [asked("initialize"), said(result={}), asked("salons/list", 2), said(2, result={})]
    conversation = check("\n".join(lines), small)
    assert conversation.checked == 0 and conversation.violations == []
