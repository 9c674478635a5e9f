"""Takes pictures of the week at three widths, in light and dark.

Usage: screenshots.py FOLDER

To look at them, and for the documents. The week is always the same one, so that pictures differ only if the
app does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from playwright.sync_api import expect  # noqa: E402

from host import DAYS, TUESDAY, Host, Server, label, running_browser  # noqa: E402

WIDTHS = [320, 640, 1024]
TEN = f"{label(TUESDAY)}, 10:00 AM"


def chosen(host):
    host.choose(TEN)


def held(host):
    host.choose(TEN)
    host.press("Hold")
    expect(host.app.get_by_role("heading", name="Held: ")).to_be_focused()


def booked(host):
    host.choose(TEN)
    host.press("Book")
    expect(host.app.get_by_role("heading", name="Booked")).to_be_focused()


def in_doubt(host):
    host.set(answers={"appointments_book": {"error": {"code": -32001, "message": "timed out"}}})
    host.choose(TEN)
    host.press("Book")
    expect(host.app.get_by_role("heading", name="In doubt: ")).to_be_focused()


STEPS = [chosen, held, booked, in_doubt]


def take(browser, folder, width, theme, step):
    """A picture of the whole app after a step."""
    context = browser.new_context(viewport={"width": width, "height": 800}, locale="en-US")
    page = context.new_page()
    with Server() as server:
        host = Host(page, server)
        page.evaluate("theme => document.body.classList.add(theme)", theme)
        host.open({**DAYS, "serviceId": "cut"}, context={"theme": theme, "locale": "en-US"})
        expect(host.app.get_by_label("Service")).to_have_value("cut")
        expect(host.status()).to_contain_text("free times")
        step(host)
        expect(host.app.get_by_role("grid")).not_to_have_attribute("aria-busy", "true")
        # Chromium draws only what is in the window.
        page.mouse.move(0, 0)
        height = page.locator("iframe").evaluate("frame => frame.clientHeight")
        page.set_viewport_size({"width": width, "height": height})
        page.locator("iframe").screenshot(path=folder / f"week-{step.__name__}-{width}-{theme}.png")
    context.close()


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with running_browser() as browser:
        for width in WIDTHS:
            for theme in "light", "dark":
                for step in STEPS:
                    take(browser, folder, width, theme, step)


if __name__ == "__main__":
    main()
