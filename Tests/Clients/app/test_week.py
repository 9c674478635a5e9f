"""The week: what it shows, and how it follows the host."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from host import DAYS, MONDAY, SALON, TIMES, TUESDAY, label

WEEK = {"start": f"{MONDAY - timedelta(days=1)}", "end": f"{MONDAY + timedelta(days=5)}"}
CUT = {"serviceId": "cut"}


def test_shows_the_result_of_the_model_and_then_the_whole_week(host):
    host.open()
    expect(host.app.get_by_role("heading", name="Peluquería Sol")).to_be_visible()
    expect(host.status()).to_contain_text("free times")
    # The week begins on Sunday in the United States.
    assert host.called(TIMES) == [{"salonId": SALON, **WEEK}]
    rows = host.app.get_by_role("row")
    expect(rows).to_have_count(7)
    expect(rows.nth(0)).to_contain_text("closed")
    for index in range(7):
        day = MONDAY + timedelta(days=index - 1)
        expect(rows.nth(index).get_by_role("rowheader")).to_have_text(label(day))
    expect(host.time(f"{label(TUESDAY)}, 10:00 AM, 2 free")).to_have_text("10:00 AM")
    expect(host.app.locator("#note")).to_have_text(
        "Times are on the salon's clock (Europe/Madrid)."
    )


def test_shows_only_the_result_if_the_host_lets_apps_call_no_tools(host):
    host.open(capabilities={})
    expect(host.status()).to_contain_text("does not let you book")
    expect(host.app.get_by_role("row").nth(0)).to_contain_text("not loaded")
    host.time(f"{label(TUESDAY)}, 10:00 AM").click()
    expect(host.dialog()).to_be_hidden()
    assert host.calls == []


def test_reads_the_text_of_results_without_structured_content(host):
    result = host.server.tool(TIMES, DAYS)
    del result["structuredContent"]
    host.open(result=result, capabilities={})
    expect(host.time(f"{label(TUESDAY)}, 10:00 AM")).to_be_visible()


def test_shows_the_error_of_the_model_and_loads_again(host):
    error = host.server.tool(TIMES, {**DAYS, "staffId": "unknown"})
    assert error["isError"]
    host.open(result=error)
    alert = host.app.get_by_role("alert")
    expect(alert).to_contain_text("staffId")
    host.press("Try again")
    expect(host.status()).to_contain_text("free times")
    expect(alert).to_be_hidden()


def test_selects_by_service_and_staff(host):
    host.open({**DAYS, **CUT})
    expect(host.status()).to_contain_text("free times")
    service, staff = host.app.get_by_label("Service"), host.app.get_by_label("Staff")
    expect(service).to_have_value("cut")
    expect(service).to_contain_text("Cut (30 min, 18.00 EUR)")
    staff.select_option("Bruno")
    # Bruno works in the afternoon.
    expect(host.time(f"{label(TUESDAY)}, 10:00 AM")).to_be_hidden()
    expect(host.time(f"{label(TUESDAY)}, 4:30 PM")).to_be_visible()
    # Only Ana offers this.
    service.select_option("style")
    expect(host.time(f"{label(TUESDAY)}, 10:00 AM")).to_be_visible()
    expect(staff).to_have_value("")
    expect(staff.get_by_role("option")).to_have_text(["anyone", "Ana"])
    sent = [{key: value for key, value in each.items() if "Id" in key} for each in host.called(TIMES)]
    assert sent == [
        {"salonId": SALON, "serviceId": "cut"},
        {"salonId": SALON, "serviceId": "cut", "staffId": "bruno"},
        {"salonId": SALON, "serviceId": "style"},
    ]


def test_shows_the_times_without_a_choice_of_services_and_staff(host):
    host.open(lost=["services_list"], answers={"staff_list": {"error": {"code": -32602}}})
    expect(host.status()).to_contain_text("free times")
    expect(host.app.locator("#options")).to_be_hidden()


def test_turns_pages(host):
    host.open()
    expect(host.status()).to_contain_text("free times")
    rows = host.app.get_by_role("row")
    host.press("Next week")
    expect(rows.nth(2)).to_contain_text(label(TUESDAY + timedelta(days=7)))
    host.press("Previous week")
    expect(rows.nth(2)).to_contain_text(label(TUESDAY))
    # There is nothing to book in the past.
    while host.app.get_by_role("button", name="Previous week").is_enabled():
        first = rows.nth(0).inner_text()
        host.press("Previous week")
        expect(rows.nth(0)).not_to_have_text(first)
        expect(host.app.get_by_role("grid")).not_to_have_attribute("aria-busy", "true")
    assert "past" in host.app.get_by_role("grid").inner_text() or rows.nth(0).inner_text()


def test_says_how_old_a_list_is_that_does_not_come_from_the_server(host):
    result = host.server.tool(TIMES, DAYS)
    times = result["structuredContent"]
    day = times["days"][1]
    day["unconfirmed"] = day.pop("free")
    times |= {"source": "computed", "provenance": {"source": "cache", "ageSeconds": 600}}
    host.open(result=result, capabilities={})
    expect(host.app.locator("#note")).to_contain_text("10 min old")
    expect(host.time(f"{label(TUESDAY)}, 10:00 AM, may be taken")).to_be_visible()


def test_follows_theme_locale_and_size(host):
    variables = {"--color-text-primary": "rgb(1, 2, 3)", "--evil": "red", "background": "red"}
    host.open(context={"theme": "light", "locale": "de-DE", "styles": {"variables": variables}})
    expect(host.app.get_by_role("row").nth(0)).to_contain_text(
        re.compile(f"^Mo., {MONDAY.day}. ")
    )
    expect(host.app.get_by_role("button", name=re.compile("10:00")).first).to_have_text("10:00")
    root = host.app.locator("html")
    expect(root).to_have_css("color-scheme", "light")
    expect(root).to_have_css("color", "rgb(1, 2, 3)")
    expect(root).to_have_attribute(
        "style", "color-scheme: light; --color-text-primary: rgb(1, 2, 3);"
    )
    changed = {"theme": "dark", "locale": "not a locale"}
    host.send(method="ui/notifications/host-context-changed", params=changed)
    expect(root).to_have_css("color-scheme", "dark")
    expect(host.app.get_by_role("rowheader").nth(1)).to_have_text(re.compile("[A-Za-z]"))
    size = host.sent("ui/notifications/size-changed")[-1]["params"]
    assert size["width"] == 640
    assert host.page.locator("iframe").evaluate("frame => frame.clientHeight") == size["height"]
    host.page.set_viewport_size({"width": 320, "height": 900})
    expect(host.app.locator("html")).to_have_js_property("scrollWidth", 320)
    # The page is higher, and says so.
    sizes = "host.messages.filter((each) => each.method === 'ui/notifications/size-changed')"
    host.wait_until(f"{sizes}.at(-1).params.height > {size['height']}")


@pytest.mark.parametrize("width", [320, 640, 1024])
def test_fits_without_horizontal_scrolling(host, width):
    host.page.set_viewport_size({"width": width, "height": 900})
    host.open({**DAYS, **CUT})
    expect(host.status()).to_contain_text("free times")
    host.choose(f"{label(TUESDAY)}, 10:00 AM")
    expect(host.app.locator("html")).to_have_js_property("scrollWidth", width)


LONG = "Balayage with toner, gloss, trim, blow-dry, and a head massage for very long hair"


@pytest.mark.parametrize("width", [320, 360, 640])
def test_a_long_service_name_does_not_widen_the_page(host, width):
    host.page.set_viewport_size({"width": width, "height": 700})
    services = host.server.tool("services_list", {"salonId": SALON})
    services["structuredContent"]["services"][0]["name"] = LONG
    host.open({**DAYS, **CUT}, answers={"services_list": {"result": services}})
    expect(host.app.get_by_label("Service")).to_contain_text(LONG)
    expect(host.app.get_by_label("Service")).to_have_value("cut")
    expect(host.status()).to_contain_text("free times")
    host.choose(f"{label(TUESDAY)}, 10:00 AM")
    expect(host.dialog()).to_contain_text(LONG)
    assert host.app.locator("html").evaluate("html => html.scrollWidth") == width


def test_the_form_is_under_the_chosen_day_and_visible(host):
    size = {"width": 360, "height": 700}
    host.page.set_viewport_size(size)
    # A host that gives the page a fixed height.
    host.page.add_style_tag(content="iframe { height: 700px !important; }")
    host.open({**DAYS, **CUT})
    expect(host.status()).to_contain_text("free times")
    for day in (MONDAY, TUESDAY + timedelta(days=3)):
        host.time(f"{label(day)}, 1:30 PM").click()
        row = host.app.get_by_role("row").filter(has_text=label(day))
        form = host.dialog()
        expect(row.locator("#dialog")).to_be_visible()
        expect(host.app.get_by_label("Phone")).to_be_focused()
        box = form.bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= size["height"], box
    # The times of a day are close together.
    tops = [host.time(f"{label(MONDAY)}, {time}").bounding_box()["y"] for time in ("10:00 AM", "11:30 AM")]
    assert 30 < tops[1] - tops[0] < 50, tops
    # The arrow keys move the cursor in the form, not between times.
    host.app.get_by_label("Phone").fill("123")
    host.page.keyboard.press("ArrowLeft")
    expect(host.app.get_by_label("Phone")).to_be_focused()


CONTRAST = """() => {
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const color = (name) => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = `var(--${name})`;
        context.fillStyle = getComputedStyle(probe).color;
        probe.remove();
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = Array.from(context.getImageData(0, 0, 1, 1).data, (each) =>
            each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
        const [low, high] = [color(one), color(other)].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const texts = ["text", "muted", "good", "doubtful", "bad"];
    const pairs = texts.flatMap((each) => [[each, "background"], [each, "raised"]]);
    return [...pairs, ["on-action", "action"]].map((pair) => [pair.join(" on "), contrast(...pair)]);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast(host, theme):
    host.open(context={"theme": theme})
    expect(host.app.locator("html")).to_have_css("color-scheme", theme)
    # Level AA of WCAG 2.2.
    found = host.app.locator("html").evaluate(CONTRAST)
    assert [pair for pair in found if pair[1] < 4.5] == []


def test_works_with_the_keyboard(host):
    host.open()
    expect(host.status()).to_contain_text("free times")
    keyboard = host.page.keyboard
    host.app.get_by_label("Staff").focus()
    keyboard.press("Tab")
    day, next_day = label(MONDAY), label(TUESDAY)

    def expect_focus(name):
        expect(host.time(name)).to_be_focused()

    expect_focus(f"{day}, 10:00 AM")
    keyboard.press("ArrowRight")
    expect_focus(f"{day}, 10:30 AM")
    keyboard.press("ArrowDown")
    expect_focus(f"{next_day}, 10:30 AM")
    keyboard.press("ArrowUp")
    keyboard.press("ArrowUp")
    expect_focus(f"{day}, 10:30 AM")
    keyboard.press("End")
    expect_focus(f"{day}, 7:30 PM")
    keyboard.press("ArrowRight")
    expect_focus(f"{day}, 7:30 PM")
    keyboard.press("Home")
    keyboard.press("ArrowLeft")
    expect_focus(f"{day}, 10:00 AM")
    keyboard.press("Enter")
    phone = host.app.get_by_label("Phone")
    expect(phone).to_be_focused()
    expect(host.time(f"{day}, 10:00 AM")).to_have_attribute("aria-pressed", "true")
    keyboard.press("Escape")
    expect(host.dialog()).to_be_hidden()
    expect_focus(f"{day}, 10:00 AM")
    keyboard.press("Enter")
    keyboard.press("Enter")
    expect(host.status()).to_have_text("Enter the phone number for the appointment.")
    keyboard.type("+34 600 123 456")
    keyboard.press("Enter")
    expect(host.app.get_by_role("heading", name="Booked")).to_be_focused()
    keyboard.press("Escape")
    # The grid is one stop of the Tab key, even after it has changed.
    expect(host.app.locator("#grid [tabindex='0']")).to_have_count(1)


def test_a_screen_reader_gets_names_and_roles(host):
    host.open({**DAYS, **CUT})
    expect(host.app.get_by_label("Service")).to_have_value("cut")
    expect(host.status()).to_contain_text("free times")
    host.choose(f"{label(TUESDAY)}, 10:00 AM")
    found = host.app.locator("body").aria_snapshot()
    for line in [
        "heading \"Peluquería Sol\" [level=1]", "combobox \"Service", "combobox \"Staff",
        "grid \"Free times\"", f"rowheader \"{label(TUESDAY)}\"",
        f"button \"{label(TUESDAY)}, 10:00 AM, 2 free\" [pressed]", "status:",
        f"region \"{label(TUESDAY)}, 10:00 AM · Cut\"", "textbox \"Phone\"",
    ]:
        assert line in found, found
