#!/usr/bin/env python3
"""Opens the page of `make site` in a headless browser, asks it for designs, and writes what it shows as JSON lines.

    .tools/venv/bin/python scripts/browser/site.py PAGE --browser .tools/bin/chromium-headless-shell [--case HASH ...] [--press ID ...]
        [--drop ID FILE] [--save ID ...] [--read ID,ID,...] [--screenshots] [--out DIR] [--patience SECONDS]

PAGE is the file that opens from disk, or a folder, which a file server of this script's own then serves.
Rows, in order, each with a member "row":
  loaded    the "milliseconds" until the page that opens without an address shows its figures and its film has been made
  case      after each address of --case: "hash", "milliseconds" until it shows everything, "texts" (the text of every element of
            --read by its id), "film", the cycle that the player of the page within the page shows and its last one (null: no player)
  pressed   the texts again, behind each button of --press
  dropped   the texts again, behind the file of --drop that was dropped on an element
  saved     the file that a button of --save made for that address: "id", "file"
  picture   a screenshot: "file", "mode" (light, dark, reduced-motion, narrow), and by how many pixels the page is wider than the window
  message   of the console: "level", "text"
  request   what the page asked for after it was loaded, or of another place than its own: its "url"
  stuck     the page does not follow: "reason"

Exit code: 0 the page was opened, 2 unusable arguments.
"""

import argparse
import functools
import http.server
import threading
import time
from pathlib import Path

from playwright.sync_api import Error, sync_playwright
from rows import MODES, WIDE, write

# The form has been answered, and nothing more is asked for.
DONE = "() => document.body.dataset.done === 'yes' && document.body.dataset.busy === 'no'"
TEXTS = "ids => Object.fromEntries(ids.map(id => [id, document.getElementById(id)?.textContent ?? null]))"


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A file server that says nothing."""

    def log_message(self, *_):
        pass


def served(folder):
    """The address of a folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/index.html"


class Driver:
    def __init__(self, context, url, arguments):
        self.arguments, self.url = arguments, url
        self.loading = True
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * arguments.patience)
        self.page.on("console", lambda message: message.type in ("error", "warning") and write("message", level=message.type, text=message.text))
        self.page.on("pageerror", lambda error: write("message", level="error", text=str(error)))
        context.route("**/*", self.route)
        context.route_web_socket("**/*", lambda socket: write("request", url=socket.url))

    def route(self, route):
        asked = route.request.url.split("#")[0]
        own = asked == self.url or (self.url.startswith("http") and asked.startswith(self.url.rsplit("/", 1)[0] + "/"))
        if asked.startswith(("blob:", "data:", "about:")) or (own and self.loading):
            route.continue_()
        elif asked.endswith("/favicon.ico"):
            route.fulfill(status=204)  # the browser asks for it, not the page
        else:
            write("request", url=asked)
            route.abort()

    def wait(self):
        start = time.monotonic()
        self.page.wait_for_function(DONE)
        return round(1000 * (time.monotonic() - start))

    def open(self):
        self.loading = True
        start = time.monotonic()
        self.page.goto("about:blank")
        self.page.goto(self.url)
        self.wait()
        self.loading = False
        return round(1000 * (time.monotonic() - start))

    def film(self):
        """The cycle of the player within the page, which runs, and its last one."""
        if not self.page.locator("#player").is_visible():
            return None
        try:
            frame = self.page.locator("#player").element_handle().content_frame()
            frame.wait_for_function("() => window.player")
            return [int(frame.evaluate(f"() => document.getElementById('cycle-{part}').textContent")) for part in ("now", "last")]
        except Error as error:
            write("message", level="error", text=f"the player did not start: {error}")
            return None

    def case(self, hash):
        start = time.monotonic()
        # Where the address is that of before there is nothing to do.
        self.page.evaluate("hash => { if (location.hash !== hash) { document.body.dataset.done = 'no'; location.hash = hash; } }", "#" + hash)
        try:
            self.wait()
        except Error:
            write("stuck", reason=f"#{hash}: {self.page.evaluate(TEXTS, ['problem', 'working'])}")
            return
        took = round(1000 * (time.monotonic() - start))
        write("case", hash=hash, milliseconds=took, texts=self.page.evaluate(TEXTS, self.arguments.read), film=self.film())
        for button in self.arguments.press:
            self.page.locator(f"#{button}").click()
            self.wait()
            write("pressed", id=button, texts=self.page.evaluate(TEXTS, self.arguments.read), film=self.film())
        if self.arguments.drop:
            part, file = self.arguments.drop
            files = "([name, text]) => { const files = new DataTransfer(); files.items.add(new File([text], name)); return files; }"
            given = {"dataTransfer": self.page.evaluate_handle(files, [Path(file).name, Path(file).read_text()])}
            for event in ("dragover", "drop"):
                self.page.dispatch_event(f"#{part}", event, given)
            self.wait()
            write("dropped", id=part, texts=self.page.evaluate(TEXTS, self.arguments.read))
        for button in self.arguments.save:
            if self.page.locator(f"#{button}").is_disabled():
                continue
            try:
                with self.page.expect_download() as download:
                    self.page.locator(f"#{button}").click()
            except Error:
                write("stuck", reason=f"#{button} makes no file for #{hash}: {self.page.evaluate(TEXTS, ['problem', 'working'])}")
                continue
            file = self.arguments.out / download.value.suggested_filename
            download.value.save_as(file)
            write("saved", id=button, file=str(file))

    def pictures(self):
        for mode, (size, media) in MODES.items():
            self.page.set_viewport_size(size)
            self.page.emulate_media(**media)
            self.open()
            self.film()
            self.page.wait_for_timeout(300)
            wider = self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            # A page within the page is drawn where the window shows it.
            for part in ("top", "film"):
                self.page.locator("#film" if part == "film" else "h1").scroll_into_view_if_needed()
                self.page.wait_for_timeout(700)
                file = self.arguments.out / f"site-{mode}-{part}.png"
                self.page.screenshot(path=file)
                write("picture", file=str(file), mode=mode, wider=wider)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("page", type=Path, metavar="PAGE")
    parser.add_argument("--browser", required=True, help="the program; it is run without its sandbox, which root cannot have")
    parser.add_argument("--read", type=lambda text: text.split(","), default=["cycles", "problem"], metavar="ID,ID,...")
    parser.add_argument("--case", nargs="*", default=[], metavar="HASH")
    parser.add_argument("--press", nargs="*", default=[], metavar="ID", help="buttons that are pressed for each address, one after the other")
    parser.add_argument("--drop", nargs=2, metavar=("ID", "FILE"), help="a file that is dropped on an element, for each address")
    parser.add_argument("--save", nargs="*", default=[], metavar="ID", help="buttons that make a file")
    parser.add_argument("--screenshots", action="store_true")
    parser.add_argument("--out", type=Path, default=Path("."), metavar="DIR", help="where screenshots and saved files are written")
    parser.add_argument("--patience", type=float, default=60, metavar="SECONDS", help="until a page that does not follow is given up")
    arguments = parser.parse_args()
    if not arguments.page.exists():
        parser.error(f"no file or folder {arguments.page}")
    arguments.out.mkdir(parents=True, exist_ok=True)
    url = served(arguments.page) if arguments.page.is_dir() else arguments.page.resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, headless=True)
        context = browser.new_context(viewport=WIDE, color_scheme="light", accept_downloads=True)
        driver = Driver(context, url, arguments)
        try:
            write("loaded", milliseconds=driver.open())
            for hash in arguments.case:
                driver.case(hash)
            if arguments.screenshots:
                driver.pictures()
        except Error as problem:
            write("stuck", reason=str(problem))
        browser.close()


if __name__ == "__main__":
    main()
