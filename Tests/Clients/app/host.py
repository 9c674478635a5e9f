"""A host of MCP Apps: the page host.html in Chromium, connected to `novablend serve --sandbox`."""

import os
import re
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path

from playwright.sync_api import sync_playwright

from environment import BINARIES, DEADLINE
from lines import Client

PAGE = Path(__file__).with_name("host.html")
# This salon of the sandbox has services and staff.
SALON = "5a100000-0000-4000-8000-000000000004"
EXTENSION = "io.modelcontextprotocol/ui"
MEDIA_TYPE = "text/html;profile=mcp-app"
CAPABILITIES = {
    "elicitation": {"form": {}},
    "extensions": {EXTENSION: {"mimeTypes": [MEDIA_TYPE]}},
}
TIMES = "salons_availability"


def ordinary_monday():
    """A Monday from next week on, in a week without holidays of the salon."""
    day = date.today() + timedelta(days=7 - date.today().weekday())
    while (day.month, day.day) >= (12, 15) or (day.month, day.day) <= (1, 6):
        day += timedelta(days=7)
    return day


MONDAY = ordinary_monday()
TUESDAY = MONDAY + timedelta(days=1)
# The days that the model has asked for. The app shows the whole week.
DAYS = {"salonId": SALON, "start": f"{MONDAY}", "end": f"{TUESDAY}"}


def label(day):
    """A date as the app shows it."""
    return f"{day:%a}, {day:%b} {day.day}"


@contextmanager
def running_browser():
    """Yields Debian's Chromium without a window."""
    # Chromium does not start as root with its sandbox, and containers often have only root. The pages
    # are ours.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=arguments, timeout=DEADLINE * 1000
        )
        yield browser
        browser.close()


class Server(Client):
    """A client of `novablend serve --sandbox` that has started a session."""

    def __init__(self, capabilities=CAPABILITIES, consents=True):
        super().__init__([BINARIES / "novablend", "serve", "--sandbox"], consents=consents)
        self._capabilities = capabilities

    def __enter__(self):
        super().__enter__()
        self.started = self.call(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities=self._capabilities,
            clientInfo={"name": "host", "version": "1"},
        )["result"]
        self.notify("notifications/initialized")
        return self

    def tool(self, name, arguments):
        """The whole result of a tool call."""
        return self.call("tools/call", name=name, arguments=arguments)["result"]

    def appointments(self):
        return self.tool("appointments_list", {})["structuredContent"]["appointments"]

    def tools(self):
        return {tool["name"]: tool for tool in self.call("tools/list")["result"]["tools"]}

    def app(self):
        """The contents of the app that shows free times."""
        uri = self.tools()[TIMES]["_meta"]["ui"]["resourceUri"]
        (contents,) = self.call("resources/read", uri=uri)["result"]["contents"]
        return contents


class Host:
    """A page with the app."""

    def __init__(self, page, server):
        self.page = page
        self.server = server
        # The names and arguments of the tool calls that reached the server.
        self.calls = []
        self.requests = []
        self.errors = []
        page.set_default_timeout(DEADLINE * 1000)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._log)
        page.expose_function("callTool", self._call)
        page.expose_function("subscribe", self._subscribe)
        page.goto(PAGE.as_uri())
        self.app = page.frame_locator("iframe").first

    def _log(self, message):
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _call(self, name, arguments):
        self.calls.append((name, arguments))
        return self.server.tool(name, arguments)

    def _subscribe(self, uri):
        return self.server.call("resources/subscribe", uri=uri)["result"]

    def open(self, arguments=DAYS, result=None, html=None, **settings):
        """Opens the app with the result of a call, and waits for its first message."""
        tools = self.server.tools()
        settings |= {
            "visibility": {name: tool["_meta"]["ui"]["visibility"] for name, tool in tools.items()},
            "toolResult": {
                "arguments": arguments,
                "result": self.server.tool(TIMES, arguments) if result is None else result,
            },
        }
        self.set(**settings)
        self.page.evaluate("html => host.open(html)", html or self.server.app()["text"])
        self.wait_until("host.messages.length > 0")

    def set(self, **settings):
        self.page.evaluate("settings => Object.assign(host, settings)", settings)

    def send(self, **message):
        self.page.evaluate("message => host.send(message)", message)

    def sent(self, method):
        """The messages of the app with a method."""
        messages = self.page.evaluate("host.messages")
        return [m for m in messages if isinstance(m, dict) and m.get("method") == method]

    def wait_until(self, condition):
        """Waits for a condition of the page, in JavaScript."""
        self.page.wait_for_function(condition)

    def called(self, tool):
        """The arguments of the calls of a tool that reached the server."""
        return [arguments for name, arguments in self.calls if name == tool]

    # What the user sees and does

    def status(self):
        return self.app.get_by_role("status")

    def dialog(self):
        return self.app.locator("#dialog")

    def time(self, name):
        """The button of a time, such as `Tue, Mar 2, 10:00 AM`."""
        return self.app.get_by_role("button", name=re.compile("^" + re.escape(name)))

    def press(self, name):
        self.app.get_by_role("button", name=name, exact=True).click()

    def choose(self, time, phone="+34 600 123 456"):
        self.time(time).click()
        self.app.get_by_label("Phone").fill(phone)
