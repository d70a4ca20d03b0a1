"""A real browser for the tests: the machine's own Chromium. Nothing is ever downloaded."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


# For a module only: while it is open, no other test of this process could run an event loop.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"no browser here ({', '.join(NAMES)}); with Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET, timeout=120_000)
        yield browser
        browser.close()


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens HTML in a new window; at the end, nothing was complained of or asked for."""
    windows, complaints, requests = [], [], []

    def refused(request: Request) -> None:
        if request.failure == "csp":  # the browser did not even ask
            requests.remove(request.url)

    def opened(html: str, **how: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | how)
        context.set_default_timeout(60_000)  # patience with a busy machine
        windows.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.on("requestfailed", refused)
        file = tmp_path / f"{len(windows)}.html"
        file.write_text(html, encoding="utf-8")
        page.goto(file.as_uri())
        return page

    opened.complaints = complaints
    yield opened
    for window in windows:
        window.close()
    assert not complaints
    assert [url.rpartition("/")[2] for url in requests] == [
        f"{n}.html" for n in range(1, len(windows) + 1)
    ]
