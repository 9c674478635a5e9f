"""Holding and booking in the week, and every outcome."""

import re

import pytest
from playwright.sync_api import expect

from host import DAYS, SALON, TUESDAY, label

CUT = {**DAYS, "serviceId": "cut", "staffId": "ana"}
BOOK, HOLD, RELEASE = "appointments_book", "appointments_hold", "appointments_release"
TEN = f"{label(TUESDAY)}, 10:00 AM"
HALF_PAST = f"{label(TUESDAY)}, 10:30 AM"
PHONE = "+34 600 123 456"
BOOKING = {"salonId": SALON, "phone": PHONE, "serviceId": "cut", "staffId": "ana"}


@pytest.fixture
def week(host):
    return opened(host)


def opened(host):
    host.open(CUT)
    expect(host.app.get_by_label("Staff")).to_have_value("ana")
    expect(host.status()).to_contain_text("free times")
    return host


def heading(host, name):
    return host.app.get_by_role("heading", name=name)


def test_books(week):
    week.choose(TEN)
    week.press("Book")
    expect(heading(week, "Booked")).to_be_focused()
    expect(week.dialog()).to_contain_text(f"{TEN} · Cut · Ana · 18.00 EUR")
    (appointment,) = week.server.appointments()
    assert appointment["appointmentTime"].startswith(f"{TUESDAY}T10:00")
    (sent,) = week.called(BOOK)
    # Exact, so that a person who has chosen it need not be asked which time is meant.
    assert re.fullmatch(rf"{TUESDAY}T10:00\+0[12]:00", sent["appointmentTime"])
    assert appointment["phone"] == PHONE and appointment["serviceId"] == "cut"
    expect(week.time(TEN)).to_have_count(0)
    # The model learns what the user did.
    (update,) = week.sent("ui/update-model-context")
    assert appointment["id"] in update["params"]["content"][0]["text"]
    assert PHONE not in update["params"]["content"][0]["text"]
    week.press("Close")
    expect(week.dialog()).to_be_hidden()


def test_two_equal_bookings_have_different_keys(week):
    week.app.get_by_label("Staff").select_option("anyone")
    for _ in range(2):
        week.choose(TEN)
        week.press("Book")
        expect(heading(week, "Booked")).to_be_focused()
    assert len(week.server.appointments()) == 2
    first, second = week.called(BOOK)
    assert first["idempotencyKey"] != second["idempotencyKey"]


@pytest.mark.parametrize("consents", [False])
def test_books_nothing_without_consent(week):
    week.choose(TEN)
    week.press("Book")
    expect(heading(week, "Not booked")).to_be_focused()
    expect(week.dialog()).to_contain_text("Nothing was done")
    week.press("Change")
    week.press("Hold")
    expect(heading(week, "Not held")).to_be_focused()
    assert week.server.appointments() == []


def test_holds_and_books(week):
    week.choose(TEN)
    week.press("Hold")
    expect(heading(week, f"Held: {TEN} · Cut · Ana")).to_be_focused()
    expect(week.dialog()).to_contain_text(re.compile(r"until \d+:\d\d [AP]M"))
    # No other time can be chosen, so that the hold is not forgotten.
    week.time(HALF_PAST).click()
    week.page.keyboard.press("Escape")
    expect(week.status()).to_have_text("Book or release the held time first.")
    week.press("Book")
    expect(heading(week, "Booked")).to_be_focused()
    (hold,), (booking,) = week.called(HOLD), week.called(BOOK)
    assert booking["holdId"] and booking["appointmentTime"] == hold["appointmentTime"]
    assert len(week.server.appointments()) == 1


def test_holds_and_releases(week):
    week.choose(TEN)
    week.press("Hold")
    expect(heading(week, "Held: ")).to_be_focused()
    expect(week.time(TEN)).to_have_count(0)
    week.press("Release")
    expect(heading(week, "Released")).to_be_focused()
    expect(week.time(TEN)).to_be_visible()
    assert week.server.appointments() == []


def test_says_when_a_hold_has_ended(host):
    host.page.clock.install()
    opened(host)
    host.choose(TEN)
    host.press("Hold")
    expect(heading(host, "Held: ")).to_be_focused()
    host.page.clock.fast_forward("05:01")
    expect(host.dialog()).to_contain_text("The hold has ended.")
    # The server still holds it, so it is free for this booking.
    host.press("Book")
    expect(heading(host, "Booked")).to_be_focused()


def test_offers_other_times_for_one_that_was_taken(week):
    taken = week.server.tool(BOOK, {**BOOKING, "appointmentTime": f"{TUESDAY}T10:00"})
    assert not taken.get("isError")
    week.choose(TEN)
    week.press("Book")
    expect(heading(week, "Not booked")).to_be_focused()
    expect(week.dialog()).to_contain_text("The slot is taken")
    week.dialog().get_by_role("button", name=HALF_PAST).click()
    expect(week.app.get_by_label("Phone")).to_have_value(PHONE)
    week.press("Book")
    expect(heading(week, "Booked")).to_be_focused()
    times = sorted(each["appointmentTime"] for each in week.server.appointments())
    assert [time[11:16] for time in times] == ["10:00", "10:30"]


def test_shows_a_phone_number_that_the_server_rejects(week):
    week.choose(TEN, phone="1")
    week.press("Book")
    expect(heading(week, "Not booked")).to_be_focused()
    expect(week.dialog()).to_contain_text("must be a phone number")
    week.press("Change")
    week.app.get_by_label("Phone").fill(PHONE)
    week.press("Book")
    expect(heading(week, "Booked")).to_be_focused()


def doubt(host):
    return heading(host, f"In doubt: {TEN} · Cut · Ana")


def leave_in_doubt(host, **settings):
    """Books 10:00, without a valid answer."""
    host.set(**settings)
    host.choose(TEN)
    host.press("Book")


def wait_for_doubt(host):
    host.page.clock.fast_forward("04:30")
    expect(doubt(host)).to_be_focused()
    expect(host.app.locator("#doubts")).to_contain_text("did not answer within 270 seconds")
    expect(host.dialog()).to_be_hidden()


@pytest.fixture
def clocked(host):
    """A week whose clock the test sets."""
    host.page.clock.install()
    return opened(host)


def test_says_that_the_client_may_be_asking_for_consent(clocked):
    leave_in_doubt(clocked, silent=[BOOK])
    expect(clocked.status()).to_have_text("Booking…")
    clocked.page.clock.fast_forward("00:05")
    expect(clocked.status()).to_have_text("Booking… Your client may be asking you to confirm.")
    # Nothing else can be started in the meantime.
    clocked.page.keyboard.press("Escape")
    clocked.time(HALF_PAST).click()
    expect(clocked.dialog()).to_contain_text(TEN)
    clocked.page.evaluate("host.answerLate()")
    expect(heading(clocked, "Booked")).to_be_focused()
    assert len(clocked.called(BOOK)) == 1


def test_a_lost_answer_leaves_the_booking_in_doubt_until_the_user_checks(clocked):
    leave_in_doubt(clocked, silent=[BOOK])
    wait_for_doubt(clocked)
    # The app never sends a booking again by itself.
    assert len(clocked.called(BOOK)) == 1
    clocked.set(silent=[])
    clocked.press("Check")
    expect(heading(clocked, "Booked")).to_be_focused()
    expect(doubt(clocked)).to_have_count(0)
    sent, dry_run = clocked.called(BOOK)
    assert dry_run == {**sent, "dryRun": True}
    assert len(clocked.server.appointments()) == 1


def test_a_late_answer_ends_the_doubt(clocked):
    leave_in_doubt(clocked, silent=[BOOK])
    wait_for_doubt(clocked)
    clocked.page.evaluate("host.answerLate()")
    expect(heading(clocked, "Booked")).to_be_focused()
    expect(doubt(clocked)).to_have_count(0)


def test_a_lost_request_books_nothing_and_is_repeated_with_the_same_key(clocked):
    leave_in_doubt(clocked, lost=[BOOK])
    wait_for_doubt(clocked)
    assert clocked.called(BOOK) == []
    (lost,) = [m for m in clocked.sent("tools/call") if m["params"]["name"] == BOOK]
    clocked.set(lost=[])
    clocked.press("Check")
    expect(heading(clocked, "Not booked")).to_be_focused()
    expect(clocked.dialog()).to_contain_text("no trace")
    assert clocked.server.appointments() == []
    clocked.press("Book again")
    expect(heading(clocked, "Booked")).to_be_focused()
    assert clocked.called(BOOK)[-1] == lost["params"]["arguments"]
    assert len(clocked.server.appointments()) == 1


def test_a_lost_booking_of_a_held_time_is_repeated_with_the_same_key(clocked):
    clocked.choose(TEN)
    clocked.press("Hold")
    expect(heading(clocked, "Held: ")).to_be_focused()
    clocked.set(lost=[BOOK])
    clocked.press("Book")
    wait_for_doubt(clocked)
    clocked.set(lost=[])
    clocked.press("Check")
    clocked.press("Book again")
    expect(heading(clocked, "Booked")).to_be_focused()
    (lost, _, sent) = [m for m in clocked.sent("tools/call") if m["params"]["name"] == BOOK]
    assert sent["params"] == lost["params"] and "holdId" in sent["params"]["arguments"]
    assert len(clocked.server.appointments()) == 1


def test_a_check_without_an_answer_leaves_the_booking_in_doubt(clocked):
    leave_in_doubt(clocked, lost=[BOOK, "appointments_resolve"])
    wait_for_doubt(clocked)
    clocked.press("Check")
    expect(clocked.status()).to_have_text("Checking…")
    clocked.page.clock.fast_forward("00:30")
    expect(clocked.app.locator("#doubts")).to_contain_text("still not known")
    expect(doubt(clocked)).to_be_focused()


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"result": 7},
        {"result": {}},
        {"error": "text"},
        {"error": {"code": -32001, "message": "timed out"}},
        {"result": {"content": [{"type": "text", "text": "Booked!"}]}},
        {"result": {"isError": True, "content": [{"type": "text", "text": "cancelled"}]}},
        {"result": {"structuredContent": {"appointment": {}, "idempotencyKey": "of another"}}},
    ],
)
def test_an_answer_that_proves_nothing_leaves_the_booking_in_doubt(week, answer):
    leave_in_doubt(week, answers={BOOK: answer})
    expect(doubt(week)).to_be_focused()
    assert week.server.appointments() == []


def test_an_answer_of_the_server_that_is_in_doubt_is_resolved_by_key(week):
    error = {"code": 1206, "message": "The outcome is unknown", "data": {"name": "bookingInDoubt"}}
    result = {"isError": True, "structuredContent": {"error": error}}
    leave_in_doubt(week, answers={BOOK: {"result": result}})
    expect(doubt(week)).to_be_focused()
    (sent,) = [m for m in week.sent("tools/call") if m["params"]["name"] == BOOK]
    key = sent["params"]["arguments"]["idempotencyKey"]
    for outcome, title in [("inDoubt", "In doubt: "), ("notFound", "In doubt: "), ("booked", "Booked")]:
        others = {"idempotencyKey": "other", "action": "book", "outcome": "notBooked"}
        found = {"idempotencyKey": key, "action": "book", "outcome": outcome, "reason": outcome}
        resolved = {"structuredContent": {"resolutions": [others, found]}}
        week.set(answers={"appointments_resolve": {"result": resolved}})
        week.press("Check")
        expect(heading(week, title)).to_be_focused()
    assert week.called(BOOK) == []


def test_a_request_that_the_client_rejects_is_not_booked(week):
    error = {"code": -32602, "message": "unknown tool"}
    leave_in_doubt(week, answers={BOOK: {"error": error}})
    expect(heading(week, "Not booked")).to_be_focused()
    expect(week.dialog()).to_contain_text("unknown tool")


def test_a_booking_that_was_abandoned_elsewhere_is_made_with_a_new_key(week):
    data = {"name": "serverRejected", "status": 410}
    error = {"code": 1003, "message": "its idempotency key was voided", "data": data}
    result = {"isError": True, "structuredContent": {"error": error}}
    leave_in_doubt(week, answers={BOOK: {"result": result}})
    expect(heading(week, "Not booked")).to_be_focused()
    (voided,) = [m for m in week.sent("tools/call") if m["params"]["name"] == BOOK]
    week.set(answers={})
    week.press("Change")
    week.press("Book")
    expect(heading(week, "Booked")).to_be_focused()
    (sent,) = week.called(BOOK)
    assert sent.pop("idempotencyKey") != voided["params"]["arguments"].pop("idempotencyKey")
    assert sent == voided["params"]["arguments"]


def test_a_hold_without_an_answer_may_be_held(clocked):
    clocked.set(silent=[HOLD])
    clocked.choose(TEN)
    clocked.press("Hold")
    clocked.page.clock.fast_forward("04:30")
    expect(heading(clocked, "Perhaps held")).to_be_focused()
    expect(clocked.dialog()).to_contain_text("becomes free by itself")
