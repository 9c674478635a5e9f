"""The user's own appointments: moving, cancelling, a calendar file, and changes that others make."""

import re

import pytest
from playwright.sync_api import expect

from host import DAYS, MONDAY, SALON, TUESDAY, label

BOOK, MOVE, CANCEL = "appointments_book", "appointments_reschedule", "appointments_cancel"
PHONE = "+34 600 123 456"
BOOKING = {"salonId": SALON, "phone": PHONE, "serviceId": "cut", "staffId": "ana"}
TEN, NOON = f"{label(TUESDAY)}, 10:00 AM", f"{label(TUESDAY)}, 12:00 PM"


def book(server, time):
    result = server.tool(BOOK, {**BOOKING, "appointmentTime": f"{TUESDAY}T{time}"})
    assert not result.get("isError"), result
    return result["structuredContent"]["appointment"]["id"]


def icalendar_ids(result):
    """The ids of the events of an export, whose long lines are folded."""
    calendar = result["structuredContent"]["calendar"].replace("\r\n ", "")
    return re.findall(r"\r\nUID:(.*)\r\n", calendar)


def own(host):
    return host.app.get_by_role("region", name="Your appointments").get_by_role("listitem")


def heading(host, name):
    return host.app.get_by_role("heading", name=name)


@pytest.fixture
def week(host):
    """The week with an appointment of the user on Tuesday at 10:00."""
    book(host.server, "10:00")
    return opened(host)


def opened(host, **settings):
    host.open({**DAYS, "serviceId": "style"}, **settings)
    expect(own(host)).to_contain_text(f"{TEN} · Cut · Ana")
    return host


def test_lists_only_own_appointments_at_the_salon(week):
    expect(own(week)).to_have_count(1)
    assert PHONE not in week.app.locator("body").inner_text()


def test_moves(week):
    week.press("Move")
    expect(heading(week, f"Choose a new time for {TEN} · Cut · Ana")).to_be_focused()
    # Times for the service and the person of the appointment, whose own time counts as free.
    expect(week.app.get_by_label("Service")).to_be_hidden()
    week.time(TEN).wait_for()
    week.time(NOON).click()
    expect(heading(week, f"Move to {NOON}")).to_be_focused()
    week.dialog().get_by_role("button", name="Move").click()
    expect(heading(week, "Moved")).to_be_focused()
    expect(own(week)).to_contain_text(f"{NOON} · Cut · Ana")
    (appointment,) = week.server.appointments()
    assert appointment["appointmentTime"].startswith(f"{TUESDAY}T12:00")
    (sent,) = week.called(MOVE)
    assert sent["id"] == appointment["id"] and sent["version"] == 1 and sent["idempotencyKey"]
    # The options of the user are back.
    expect(week.app.get_by_label("Service")).to_have_value("style")
    assert week.called(BOOK) == []


def test_keeps_the_time_of_an_appointment(week):
    week.press("Move")
    expect(heading(week, "Choose a new time")).to_be_focused()
    week.press("Keep it")
    expect(heading(week, "Choose a new time")).to_be_hidden()
    expect(week.app.get_by_label("Service")).to_have_value("style")
    assert week.called(MOVE) == []


def test_a_move_to_a_taken_time_offers_others(week):
    week.press("Move")
    week.time(TEN).wait_for()
    button = week.time(NOON)
    button.wait_for()
    book(week.server, "12:00")
    button.click()
    week.dialog().get_by_role("button", name="Move").click()
    expect(heading(week, "Not moved")).to_be_focused()
    week.dialog().get_by_role("button", name=label(TUESDAY)).first.click()
    week.dialog().get_by_role("button", name="Move").click()
    expect(heading(week, "Moved")).to_be_focused()


def test_cancels(week):
    week.press("Cancel")
    expect(heading(week, "Cancel this appointment?")).to_be_focused()
    week.press("Keep it")
    expect(week.dialog()).to_be_hidden()
    week.press("Cancel")
    week.press("Cancel the appointment")
    expect(heading(week, "Cancelled")).to_be_focused()
    expect(week.dialog()).to_contain_text(f"{TEN} · Cut · Ana")
    expect(own(week)).to_have_count(0)
    assert week.server.appointments() == []


def test_cancels_nothing_without_consent(week):
    week.server.consents = False
    week.press("Cancel")
    week.press("Cancel the appointment")
    expect(heading(week, "Not cancelled")).to_be_focused()
    assert len(week.server.appointments()) == 1


@pytest.mark.parametrize("tool, done", [(MOVE, "Moved"), (CANCEL, "Cancelled")])
def test_checks_a_change_without_an_answer(host, tool, done):
    book(host.server, "10:00")
    lost = {tool: {"error": {"code": -32001, "message": "timed out"}}}
    opened(host, answers=lost)

    def change():
        if tool == MOVE:
            host.press("Move")
            host.time(NOON).click()
            host.dialog().get_by_role("button", name="Move").click()
        else:
            host.press("Cancel")
            host.press("Cancel the appointment")

    change()
    doubt = host.app.locator("#doubts")
    expect(doubt).to_contain_text("In doubt: ")
    expect(doubt).to_contain_text("The key is app-")
    # The server never got it.
    host.press("Check")
    expect(heading(host, f"Not {done.lower()}")).to_be_focused()
    host.set(answers={})
    host.dialog().get_by_role("button", name="again").click()
    expect(heading(host, done)).to_be_focused()
    assert len(host.called(tool)) == 1


def test_gives_the_host_a_calendar_file(host):
    book(host.server, "10:00")
    opened(host, capabilities={"serverTools": {}, "downloadFile": {}})
    host.press("Add to calendar")
    expect(host.status()).to_contain_text("appointment.ics")
    (sent,) = host.sent("ui/download-file")
    (content,) = sent["params"]["contents"]
    calendar = content["resource"]["text"]
    assert content["type"] == "resource" and content["resource"]["mimeType"] == "text/calendar"
    assert calendar.count("BEGIN:VEVENT") == 1 and "SUMMARY" in calendar
    assert re.search(rf"\r\nDTSTART:{TUESDAY:%Y%m%d}T0[89]0000Z\r\nDTEND:", calendar), calendar
    assert "\r\nSUMMARY:Cut with Ana\\, Peluquería Sol\r\n" in calendar
    # A calendar program replaces the event by that of an export.
    (exported,) = icalendar_ids(host.server.tool("appointments_export", {}))
    assert f"\r\nUID:{exported}\r\n" in calendar
    assert PHONE not in calendar


def test_saves_a_calendar_file_itself_if_the_host_cannot(host):
    host.page.evaluate("host.sandbox = 'allow-scripts allow-downloads'")
    book(host.server, "10:00")
    opened(host)
    with host.page.expect_download() as download:
        host.press("Add to calendar")
    assert download.value.suggested_filename == "appointment.ics"


def test_follows_changes_if_the_host_supports_subscriptions(host):
    capabilities = {"serverTools": {}, "serverResources": {"subscribe": True}}
    book(host.server, "10:00")
    opened(host, capabilities=capabilities)
    (sent,) = host.sent("resources/subscribe")
    assert sent["params"] == {"uri": "novablend://appointments"}
    button = host.time(f"{label(MONDAY)}, 10:30 AM")
    button.focus()
    book(host.server, "12:00")
    host.send(method="notifications/resources/updated", params=sent["params"])
    expect(own(host)).to_have_count(2)
    # The person who uses the keyboard stays where they are.
    expect(button).to_be_focused()


def test_does_not_subscribe_at_other_hosts(week):
    assert week.sent("resources/subscribe") == []
