"""Fixtures: one browser for all tests. Each test has its own page and server."""

import pytest
from playwright.sync_api import expect

from environment import DEADLINE
from host import Host, Server, running_browser

expect.set_options(timeout=DEADLINE * 1000)


@pytest.fixture(scope="session")
def browser():
    with running_browser() as browser:
        yield browser


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 640, "height": 900}, locale="en-US")
    yield context.new_page()
    context.close()


@pytest.fixture
def consents():
    return True


@pytest.fixture
def server(consents):
    with Server(consents=consents) as server:
        yield server


@pytest.fixture
def host(page, server):
    host = Host(page, server)
    yield host
    assert host.errors == []
    # The page, and nothing from the network.
    assert [url for url in host.requests if not url.startswith(("file:", "about:"))] == []
