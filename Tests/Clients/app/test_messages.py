"""Malformed and foreign messages, hosts that do not answer, and apps that exceed their rights."""

import json
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from host import DAYS, TIMES, TUESDAY, label

TEN = f"{label(TUESDAY)}, 10:00 AM"
MALFORMED = [
    None, 7, "text", [], {}, {"jsonrpc": "1.0", "method": "ping", "id": 1},
    {"jsonrpc": "2.0"}, {"jsonrpc": "2.0", "method": 7}, {"jsonrpc": "2.0", "id": 99, "result": {}},
    {"jsonrpc": "2.0", "id": None, "error": None},
    {"jsonrpc": "2.0", "method": "constructor"}, {"jsonrpc": "2.0", "method": "__proto__"},
    {"jsonrpc": "2.0", "method": "ui/notifications/tool-input", "params": "text"},
    {"jsonrpc": "2.0", "method": "ui/notifications/host-context-changed", "params": [1]},
    {
        "jsonrpc": "2.0",
        "method": "ui/notifications/host-context-changed",
        "params": {"theme": {}, "styles": 7, "locale": ["x"], "safeAreaInsets": {"top": "x"}},
    },
]


def post(host, message):
    host.page.evaluate("message => host.frame.contentWindow.postMessage(message, '*')", message)


def test_malformed_messages_change_nothing(host):
    host.open()
    expect(host.app.get_by_label("Service")).to_be_visible()
    expect(host.status()).to_contain_text("free times")
    before = host.app.locator("main").aria_snapshot()
    calls = len(host.calls)
    for message in MALFORMED:
        post(host, message)
    # The app still answers, after all of these.
    host.send(id="p", method="ping")
    host.wait_until("host.messages.some((each) => each.id === 'p')")
    assert host.app.locator("main").aria_snapshot() == before
    assert len(host.calls) == calls


def test_answers_requests_of_the_host(host):
    host.open()
    expect(host.status()).to_contain_text("free times")
    for method in "ping", "ui/resource-teardown", "toString", "unknown":
        host.send(id=method, method=method)
    host.wait_until("host.messages.some((each) => each.id === 'unknown')")
    answers = host.page.evaluate("host.messages.filter((each) => typeof each.id === 'string')")
    unknown = {"code": -32601, "message": "unknown method"}
    assert answers == [
        {"jsonrpc": "2.0", "id": "ping", "result": {}},
        {"jsonrpc": "2.0", "id": "ui/resource-teardown", "result": {}},
        {"jsonrpc": "2.0", "id": "toString", "error": unknown},
        {"jsonrpc": "2.0", "id": "unknown", "error": unknown},
    ]
    # After the teardown, the app calls no tool.
    calls = len(host.calls)
    host.press("Next week")
    expect(host.app.get_by_role("alert")).to_be_visible()
    assert len(host.calls) == calls


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"content": "text"},
        {"content": [{"type": "text", "text": "[]"}]},
        {"structuredContent": {"salon": {"id": "x"}, "days": []}},
        {"structuredContent": {"salon": {"id": 7}, "days": [{"date": "2027-03-02"}]}},
        {"structuredContent": {"salon": {"id": "x"}, "days": [{"date": "2027-99-99"}, None]}},
    ],
)
def test_a_result_that_is_not_valid_is_reported_and_can_be_loaded_again(host, result):
    host.open(result=result)
    expect(host.app.get_by_role("alert")).to_contain_text("not valid")
    assert host.calls == []
    host.press("Try again")
    expect(host.time(TEN)).to_be_visible()


def test_a_cancelled_call_is_reported(host):
    host.open(lost=["ui/initialize"])
    host.send(method="ui/notifications/tool-cancelled", params={"reason": "user"})
    expect(host.app.get_by_role("alert")).to_have_text("The request was cancelled.")


def test_messages_of_other_windows_are_ignored(host):
    result = host.server.tool(TIMES, DAYS)
    result["structuredContent"]["salon"]["name"] = "Forged"
    host.open(lost=["ui/initialize"])
    expect(host.status()).to_have_text("Loading…")
    started = {"hostCapabilities": {"serverTools": {}}, "hostContext": {"theme": "dark"}}
    for forged in (
        {"id": 1, "result": started},
        {"method": "ui/notifications/tool-result", "params": result},
        {"method": "ui/notifications/host-context-changed", "params": {"theme": "dark"}},
    ):
        host.page.evaluate("host.messages = []")
        host.page.evaluate("m => host.sendFromStranger(m)", {"jsonrpc": "2.0", **forged})
        host.wait_until("host.messages.includes('stranger has sent')")
    # What the host itself sends arrives later, and shows that the messages before were ignored.
    host.send(method="ui/notifications/host-context-changed", params={"theme": "light"})
    expect(host.app.locator("html")).to_have_css("color-scheme", "light")
    expect(host.app.get_by_role("heading", level=1)).to_have_text("Free times")
    expect(host.app.get_by_role("grid")).to_have_count(0)
    assert host.calls == [] and host.sent("ui/notifications/initialized") == []


def test_text_of_the_server_is_never_html(host):
    evil = "<img src=x onerror='document.body.id=1'><b>bold</b>"
    result = host.server.tool(TIMES, DAYS)
    times = result["structuredContent"]
    times["salon"]["name"] = evil
    times["timeZone"] = evil
    times["days"][0] = {"date": times["days"][0]["date"], "reason": evil}
    host.open(result=result, capabilities={})
    expect(host.app.get_by_role("heading", level=1)).to_have_text(evil)
    expect(host.app.locator("#note")).to_contain_text(evil)
    expect(host.app.get_by_role("grid")).to_contain_text(evil)
    expect(host.app.locator("img, b")).to_have_count(0)


def test_a_host_that_never_answers_gets_a_clear_error(host):
    # This timer starts before Playwright can replace the clock of the frame.
    html = host.server.app()["text"]
    short = html.replace("start: 10_000", "start: 100")
    assert short != html
    host.open(lost=["ui/initialize"], html=short)
    expect(host.app.get_by_role("alert")).to_have_text(
        "The client did not answer within 0.1 seconds. "
        "This page needs a client that supports MCP Apps."
    )
    assert host.calls == []


def test_a_load_without_an_answer_shows_an_error_and_no_old_times(host):
    host.page.clock.install()
    host.open()
    expect(host.status()).to_contain_text("free times")
    host.set(lost=[TIMES])
    host.page.evaluate("host.messages = []")
    host.press("Next week")
    host.wait_until("host.messages.some((each) => each.method === 'tools/call')")
    host.page.clock.fast_forward("00:30")
    expect(host.app.get_by_role("alert")).to_contain_text("did not answer within 30 seconds")
    expect(host.app.get_by_role("alert")).to_contain_text("Nothing was changed")
    expect(host.app.get_by_role("grid")).to_be_hidden()
    host.set(lost=[])
    host.press("Try again")
    next_week = TUESDAY + timedelta(days=7)
    expect(host.time(f"{label(next_week)}, 10:00 AM")).to_be_visible()


def test_an_older_answer_does_not_replace_a_newer_one(host):
    host.open()
    expect(host.status()).to_contain_text("free times")
    host.set(silent=[TIMES])
    host.press("Next week")
    host.wait_until("host.withheld.length === 1")
    host.set(silent=[])
    host.press("Previous week")
    expect(host.status()).to_contain_text("free times")
    host.page.evaluate("host.answerLate()")
    host.send(id="after", method="ping")
    host.wait_until("host.messages.some((each) => each.id === 'after')")
    expect(host.time(TEN)).to_be_visible()


def test_hosts_may_report_the_results_of_the_calls_of_the_app(host):
    host.open()
    expect(host.app.get_by_label("Service")).to_be_visible()
    expect(host.status()).to_contain_text("free times")
    before = host.app.locator("main").aria_snapshot()
    calls = len(host.calls)
    for tool, arguments in ("staff_list", {"salonId": DAYS["salonId"]}), (TIMES, DAYS):
        host.send(method="ui/notifications/tool-input", params={"arguments": arguments})
        result = host.server.tool(tool, arguments)
        host.send(method="ui/notifications/tool-result", params=result)
    host.send(id="after", method="ping")
    host.wait_until("host.messages.some((each) => each.id === 'after')")
    assert host.app.locator("main").aria_snapshot() == before
    assert len(host.calls) == calls


FORGER = """<!DOCTYPE html><script>
    const calls = %s;
    calls.forEach(([name, args], index) => parent.postMessage({
        jsonrpc: "2.0", id: index, method: "tools/call", params: { name, arguments: args },
    }, "*"));
</script>"""


@pytest.mark.parametrize("consents", [False])
def test_an_app_that_forges_messages_changes_nothing(host):
    salon = DAYS["salonId"]
    booking = {"salonId": salon, "appointmentTime": f"{TUESDAY}T10:00", "phone": "+34 600 123 456"}
    calls = [
        ("salons_delete", {"id": salon}),
        ("salons_put", {"salon": {"id": salon}}),
        ("appointments_book", booking),
        ("appointments_book", {**booking, "requestState": "AAAA", "confirm": True}),
        ("appointments_hold", {**booking, "minutes": "forever"}),
        ("appointments_resolve", {"discard": "unknown"}),
        ("appointments_cancel", {"id": "any", "version": 1}),
    ]
    host.open(html=FORGER % json.dumps(calls))
    host.wait_until(f"host.messages.length === {len(calls)}")
    host.wait_until(f"host.answered.length === {len(calls)}")
    answers = {each["id"]: each for each in host.page.evaluate("host.answered")}
    # The host rejects tools that are not meant for apps, and the server asks before it does the rest.
    assert all("must not call" in answers[index]["error"]["message"] for index in range(2))
    assert all(answers[index]["result"]["isError"] for index in range(2, len(calls)))
    assert "Nothing was done" in answers[2]["result"]["content"][0]["text"]
    assert host.server.appointments() == []
    assert host.server.tool("salons_get", {"id": salon})["structuredContent"]["salon"]["id"] == salon
