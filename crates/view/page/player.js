// Time, keys and texts.

/** Where in its cycle a message is shown while nothing moves: where wires do not cross yet. */
const REST = 0.06;

class Player {
  constructor(film, kind) {
    this.film = film;
    this.kind = kind;
    this.step = 0;
    this.part = REST;
    this.playing = false;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.drawing = new Drawing(byId("network"), kind);
    this.matrix = new Matrix(byId("matrix"), kind, this.drawing.theme);
    byId("cycle").max = film.last;
    byId("cycle-last").textContent = film.last;
    if (kind.roundCount) byId("round").max = kind.roundCount - 1;
    else byId("round-choice").hidden = byId("round-details").hidden = true;
    byId("events").hidden = kind.eventsText(0) === "" && !kind.hasEvents;
    byId("states-summary").title = kind.legend;
    byId("differences").hidden = !kind.differencesText;
    if (film.difference) {
      byId("difference").textContent = `First difference: ${film.difference}`;
      byId("difference").hidden = false;
    }
    // The box has the drawing's shape.
    byId("view").style.aspectRatio = `${this.drawing.scene.width} / ${this.drawing.scene.height}`;
    this.drawing.whole();
    this.listen();
    this.showRound(0);
    this.show();
  }

  go(step) {
    this.step = Math.min(Math.max(step, 0), this.film.last);
    this.part = REST;
    this.show();
  }

  /** Everything that tells of the present step. */
  show() {
    byId("cycle").value = this.step;
    byId("cycle").setAttribute("aria-valuetext", `${this.film.unit} ${this.step} of ${this.film.last}`);
    byId("cycle-now").textContent = this.step;
    byId("delivered").textContent = `${this.kind.delivered.upTo(this.step)} of ${this.kind.due ?? this.film.terminals * this.film.terminals}`;
    this.matrix.draw(this.step);
    this.texts();
    this.draw();
  }

  texts() {
    const texts = { states: "statesText", deliveries: "deliveriesText", events: "eventsText", differences: "differencesText" };
    for (const [id, text] of Object.entries(texts)) {
      if (byId(id).open && this.kind[text]) byId(`${id}-text`).textContent = this.kind[text](this.step);
    }
    if (byId("matrix-details").open) byId("matrix-text").textContent = this.kind.delivered.text(this.step);
  }

  draw() {
    this.drawing.draw(this.step, this.part);
  }

  play(on) {
    this.playing = on;
    byId("play").textContent = on ? "Pause" : "Play";
    // Nobody wants to hear every number while it plays.
    byId("cycle-now").setAttribute("aria-live", on ? "off" : "polite");
    if (!on) {
      this.go(this.step);
      return;
    }
    if (this.step === this.film.last) this.go(0);
    let before = null;
    const tick = (now) => {
      if (!this.playing) return;
      const passed = before === null ? 0 : Math.min(now - before, 250) / 1000;
      before = now;
      this.advance(passed * Number(byId("speed").value));
      if (this.playing) requestAnimationFrame(tick);
    };
    this.part = 0;
    requestAnimationFrame(tick);
  }

  advance(steps) {
    this.part += steps;
    const whole = Math.floor(this.part);
    this.part -= whole;
    if (whole > 0) {
      if (this.step + whole > this.film.last) {
        this.step = this.film.last;
        this.play(false);
        return;
      }
      const part = this.part;
      this.step += whole;
      this.show();
      this.part = part;
    }
    // Those who want no motion see a step at a time.
    if (!this.still.matches) this.draw();
  }

  listen() {
    byId("cycle").addEventListener("input", (event) => this.go(Number(event.target.value)));
    const buttons = {
      first: () => this.go(0), back: () => this.go(this.step - 1), forward: () => this.go(this.step + 1), end: () => this.go(this.film.last),
      play: () => this.play(!this.playing), nearer: () => this.zoom(1.3), farther: () => this.zoom(1 / 1.3), whole: () => this.whole(),
    };
    for (const [id, act] of Object.entries(buttons)) byId(id).addEventListener("click", act);
    const keys = {
      ArrowLeft: buttons.back, ArrowRight: buttons.forward, Home: buttons.first, End: buttons.end, " ": buttons.play,
      "+": buttons.nearer, "-": buttons.farther, 0: buttons.whole, Escape: () => this.choose(null),
    };
    window.addEventListener("keydown", (event) => {
      if (!byId("problem").hidden || ownKey(event) || event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
    byId("colour").addEventListener("change", (event) => { this.drawing.colour = event.target.value; this.draw(); });
    byId("round").addEventListener("input", (event) => this.showRound(Number(event.target.value)));
    for (const id of ["states", "deliveries", "matrix-details", "events", "differences"]) byId(id).addEventListener("toggle", () => this.texts());
    new ResizeObserver(() => { this.drawing.refit(); this.draw(); }).observe(byId("network"));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.drawing.readTheme(); this.matrix.theme(this.drawing.theme); this.show(); });
    this.pointer();
  }

  zoom(factor, x, y) {
    this.drawing.zoom(factor, x, y);
    this.draw();
  }

  whole() {
    this.drawing.whole();
    this.draw();
  }

  pointer() {
    const canvas = byId("network");
    let held = null;
    canvas.addEventListener("pointerdown", (event) => { held = { x: event.offsetX, y: event.offsetY, moved: 0 }; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (held === null) return;
      const [x, y] = [event.offsetX - held.x, event.offsetY - held.y];
      held = { x: event.offsetX, y: event.offsetY, moved: held.moved + Math.abs(x) + Math.abs(y) };
      this.drawing.move(x, y);
      this.draw();
    });
    canvas.addEventListener("pointerup", (event) => {
      if (held !== null && held.moved < 5) this.choose(this.drawing.pick(event.offsetX, event.offsetY, this.step, this.part));
      held = null;
    });
    canvas.addEventListener("pointercancel", () => { held = null; });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY); }, { passive: false });
  }

  /** Follows a message, or tells of a switch. */
  choose(chosen) {
    this.drawing.chosen = chosen;
    const story = chosen === null ? { title: "Nothing chosen", lines: [], rows: [] } : chosen.box !== undefined ? this.kind.boxStory(chosen.box) : this.kind.messageStory(chosen.message);
    byId("chosen-title").textContent = story.title;
    byId("chosen-text").replaceChildren(...tell(story));
    this.draw();
  }

  showRound(round) {
    if (!this.kind.roundCount || !Number.isInteger(round) || round < 0 || round >= this.kind.roundCount) return;
    const story = this.kind.roundStory(round);
    byId("round-table").replaceChildren(...tell(story));
  }
}

/** Whether what has the focus does something of its own with a key. */
function ownKey({ target, key }) {
  const keys = {
    INPUT: target.type === "range" ? /^(Arrow|Home|End|Page)/ : /./, SELECT: /./, BUTTON: /^ $/, SUMMARY: /^ $/,
    PRE: /^(Arrow|Home|End| )/, DIV: /^(Arrow|Home|End| )/,
  };
  return keys[target.tagName] !== undefined && keys[target.tagName].test(key);
}

/** A story as elements: sentences, then a table whose first row is its head. */
function tell({ lines, rows }) {
  const elements = lines.map((line) => Object.assign(document.createElement("p"), { textContent: line }));
  if (rows.length === 0) return elements;
  const table = document.createElement("table");
  rows.forEach((row, at) => {
    const line = table.insertRow();
    for (const cell of row) line.append(Object.assign(document.createElement(at === 0 ? "th" : "td"), { textContent: cell }, at === 0 ? { scope: "col" } : {}));
  });
  return [...elements, table];
}

try {
  const [film, kind] = readFilm(byId("film").textContent);
  window.player = new Player(film, kind);
} catch (error) {
  giveUp(error);
}
