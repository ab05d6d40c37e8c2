#!/usr/bin/env python3
"""Opens pages in a headless browser, steps them with the keyboard, and writes what they show as JSON lines.

    .tools/venv/bin/python scripts/browser/drive.py PAGE... --browser .tools/bin/chromium-headless-shell
        [--read ID,ID,...] [--walk] [--drawn] [--play] [--keys KEY ...] [--click X,Y ...] [--hash TEXT] [--save ID ...] [--screenshot CYCLE ... --out DIR] [--patience SECONDS]

Rows, in order, each with a member "row":
  page      its "file"; the rows behind it are of this page
  start     what the page shows when it is loaded
  cycle     the same after each step of --walk: from the first to the last cycle with ArrowRight
  key       the same after each key of --keys, with the "key"
  click     the same after each click of --click on #network, fractions of its width and height, with its "at"
  drawn     --drawn: of all text drawn so far the "least" height of a font in pixels of the screen, and the "texts"; the most "lines" of #saying
  play      --play: whether Space moved the page on by itself ("advanced"), and a second one stopped it ("stopped"); whether a page that
            is opened plays ("opened"), and neither one opened at a cycle nor one for which the system asks for reduced motion ("held")
  address   --hash: the "hash" of the page's address when its last change was the "cycle" shown, and where "#cycle=1" led ("led")
  saved     the file that a button of --save made: "id", "file"
  picture   a screenshot, its "file", "cycle" and "mode" (light, dark, reduced-motion, narrow), and by how many pixels the page is
            wider than the window ("wider")
  message   of the console: "level" error, warning or crash (an exception that nobody caught is an error), and "text"
  request   what the page asked for beside itself: all of it is refused; its "url"
  stuck     the page does not follow: "reason"; nothing more is done with it
What a page shows: "texts", the text of every element of --read by its id (null: there is none), "visible", those seen, and "focus",
what a screen reader calls the element that has it (its label or its id). Pages are opened with reduced motion, so that they stand still.

Exit code: 0 all pages were opened, 2 unusable arguments.
"""

import argparse
from pathlib import Path

from playwright.sync_api import Error, sync_playwright
from rows import MODES, WIDE, write

SHOWN = """ids => {
    const all = ids.map(id => [id, document.getElementById(id)]);
    const texts = Object.fromEntries(all.map(([id, element]) => [id, element && element.textContent]));
    const seen = element => element && element.checkVisibility({visibilityProperty: true}) && element.textContent !== '';
    const focus = document.activeElement.getAttribute('aria-label') ?? document.activeElement.id;
    return {texts, focus, visible: all.filter(([, element]) => seen(element)).map(([id]) => id)};
}"""
# Notes the text that is drawn, and the lines of the sentence.
NOTED = """() => {
    const noted = window.noted = {least: Infinity, lines: 0, texts: new Set()};
    const {fillText} = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {
        noted.least = Math.min(noted.least, parseFloat(this.font.match(/([0-9.]+)px/)[1]) * this.getTransform().a / devicePixelRatio);
        noted.texts.add(String(text));
        const saying = document.getElementById('saying');
        noted.lines = Math.max(noted.lines, Math.round(saying.scrollHeight / parseFloat(getComputedStyle(saying).lineHeight)));
        return fillText.call(this, text, ...at);
    };
}"""
CYCLE = "() => document.getElementById('cycle-now')?.textContent.trim()"
# What a page changes in the next frame is there after two.
SETTLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Unresponsive(Exception):
    """The page does not do what it is asked."""


class Driver:
    """A page and what is asked of it."""

    def __init__(self, context, file, arguments):
        self.arguments = arguments
        self.file = file
        self.url = file.resolve().as_uri()
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * arguments.patience)
        self.page.on("console", self.console)
        self.page.on("pageerror", lambda error: write("message", level="error", text=str(error)))
        self.page.on("crash", lambda _: write("message", level="crash", text="the page crashed"))
        context.route("**/*", self.route)
        context.route_web_socket("**/*", lambda socket: write("request", url=socket.url))

    def console(self, message):
        if message.type in ("error", "warning"):
            write("message", level=message.type, text=message.text)

    def route(self, route):
        if route.request.url.split("#")[0] == self.url:
            route.continue_()
        else:
            write("request", url=route.request.url)
            route.abort()

    def open(self):
        if self.arguments.drawn:
            self.page.add_init_script(f"({NOTED})()")
        self.page.goto(self.url + ("#" + self.arguments.hash if self.arguments.hash else ""))

    def shown(self):
        self.page.evaluate(SETTLED)
        return self.page.evaluate(SHOWN, self.arguments.read)

    def cycle(self):
        text = self.page.evaluate(CYCLE)
        if not (text or "").isdecimal():
            raise Unresponsive(f"#cycle-now is no number: {text!r}")
        return int(text)

    def last(self):
        text = self.page.evaluate("() => document.getElementById('cycle-last')?.textContent.trim()")
        if not (text or "").isdecimal():
            raise Unresponsive(f"#cycle-last is no number: {text!r}")
        return int(text)

    def press(self, key, cycle):
        """Presses a key that leads to this cycle."""
        self.page.keyboard.press(key)
        try:
            self.page.wait_for_function(
                "cycle => document.getElementById('cycle-now')?.textContent.trim() === cycle", arg=str(cycle)
            )
        except Error:
            raise Unresponsive(f"{key} should lead to cycle {cycle}: the page is at {self.cycle()}") from None

    def walk(self):
        self.press("Home", 0)
        write("cycle", cycle=0, **self.shown())
        for cycle in range(1, self.last() + 1):
            self.press("ArrowRight", cycle)
            write("cycle", cycle=cycle, **self.shown())

    def click(self, at):
        drawing = self.page.locator("#network")
        drawing.scroll_into_view_if_needed()
        box = drawing.bounding_box()
        x, y = map(float, at.split(","))
        self.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
        write("click", at=at, **self.shown())

    def play(self):
        self.press("Home", 0)
        self.page.keyboard.press("Space")
        advanced = self.advances()
        self.page.keyboard.press("Space")
        self.page.evaluate(SETTLED)
        before = self.cycle()
        self.page.wait_for_timeout(1500)
        stopped = self.cycle() == before
        stands = []
        for motion, hash in [("reduce", ""), ("no-preference", "#cycle=0"), ("no-preference", "")]:
            self.page.goto("about:blank")
            self.page.emulate_media(reduced_motion=motion)
            self.page.goto(self.url + hash)
            if hash or motion == "reduce":
                self.page.wait_for_timeout(1500)
                stands.append(self.cycle() == 0)
        write("play", advanced=advanced, stopped=stopped, cycle=before, held=all(stands), opened=self.advances())

    def advances(self):
        """Whether the page goes on from the first cycle by itself."""
        try:
            self.page.wait_for_function(f"() => ({CYCLE})() !== '0'")
            return True
        except Error:
            return False

    def address(self):
        """What is shown comes into the address, and what is written there is shown."""
        shown = "() => location.hash === '#cycle=' + document.getElementById('cycle-now').textContent"
        try:
            self.page.wait_for_function(shown)
        except Error:
            pass  # the row tells what there is
        hash, cycle = self.page.evaluate("() => location.hash"), self.cycle()
        self.page.evaluate("() => { location.hash = '#cycle=1'; }")
        self.page.evaluate(SETTLED)
        write("address", hash=hash, cycle=cycle, led=self.cycle())

    def save(self, button):
        try:
            with self.page.expect_download() as download:
                self.page.locator(f"#{button}").click()
        except Error:
            raise Unresponsive(f"#{button} makes no file") from None
        file = self.arguments.out / download.value.suggested_filename
        download.value.save_as(file)
        write("saved", id=button, file=str(file))

    def pictures(self):
        for mode, (size, media) in MODES.items():
            self.page.set_viewport_size(size)
            self.page.emulate_media(**media)
            self.open()
            self.press("Home", 0)
            at = 0
            for cycle in sorted(self.arguments.screenshot):
                while at < cycle:
                    at += 1
                    self.press("ArrowRight", at)
                self.page.evaluate(SETTLED)
                file = self.arguments.out / f"{self.file.stem}-cycle-{cycle}-{mode}.png"
                self.page.screenshot(path=file, full_page=True)
                wider = self.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                write("picture", file=str(file), cycle=cycle, mode=mode, wider=wider)

    def run(self):
        self.open()
        # Texts of a closed part need not be kept up to date.
        self.page.evaluate("() => document.querySelectorAll('details').forEach(part => { part.open = true; })")
        write("start", **self.shown())
        if self.arguments.walk:
            self.walk()
        for key in self.arguments.keys:
            self.page.keyboard.press(key)
            write("key", key=key, **self.shown())
        for at in self.arguments.click:
            self.click(at)
        if self.arguments.drawn:
            write("drawn", **self.page.evaluate("() => ({...noted, texts: [...noted.texts]})"))
        if self.arguments.play:
            self.play()
        if self.arguments.hash:
            self.address()
        for button in self.arguments.save:
            self.save(button)
        if self.arguments.screenshot:
            self.pictures()


def parsed():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("pages", type=Path, nargs="+", metavar="PAGE")
    parser.add_argument("--browser", required=True, help="the program; it is run without its sandbox, which root cannot have")
    parser.add_argument("--read", type=lambda text: text.split(","), default=[], metavar="ID,ID,...")
    parser.add_argument("--walk", action="store_true")
    parser.add_argument("--drawn", action="store_true")
    parser.add_argument("--play", action="store_true")
    parser.add_argument("--keys", nargs="*", default=[], metavar="KEY")
    parser.add_argument("--click", nargs="*", default=[], metavar="X,Y", help="fractions of the width and height of #network")
    parser.add_argument("--hash", default="", metavar="TEXT", help="pages are opened with # and this behind their address")
    parser.add_argument("--save", nargs="*", default=[], metavar="ID", help="buttons that make a file")
    parser.add_argument("--screenshot", nargs="*", type=int, default=[], metavar="CYCLE")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where screenshots and saved files are written")
    parser.add_argument("--patience", type=float, default=10, metavar="SECONDS", help="until a page that does not follow is given up")
    arguments = parser.parse_args()
    for page in arguments.pages:
        if not page.is_file():
            parser.error(f"no file {page}")
    if arguments.screenshot or arguments.save:
        if not arguments.out:
            parser.error("--screenshot and --save need --out")
        arguments.out.mkdir(parents=True, exist_ok=True)
    return arguments


def main():
    arguments = parsed()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, headless=True)
        for page in arguments.pages:
            write("page", file=str(page))
            context = browser.new_context(viewport=WIDE, offline=True, color_scheme="light", reduced_motion="reduce")
            try:
                Driver(context, page, arguments).run()
            except Unresponsive as problem:
                write("stuck", reason=str(problem))
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
