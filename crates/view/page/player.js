// Time, keys and texts.

class Player {
  constructor(film, kind) {
    this.film = film;
    this.kind = kind;
    this.step = addressed(film.last);
    this.part = REST;
    this.playing = false;
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.drawing = new Drawing(byId("network"), kind);
    this.matrix = new Matrix(byId("matrix"), kind, this.drawing.theme);
    this.things = new Things(this, [byId("things-messages"), byId("things-boxes")]);
    this.due = kind.due ?? film.terminals * film.terminals;
    this.chooseColours();
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
    // The box has the drawing's shape, or that of the part of a small drawing that can be read; and the height in which numbers can be.
    const { width, height } = this.drawing.scene;
    const part = film.terminals <= SMALL ? (width * kind.legible) / (0.78 * window.innerHeight) : 0;
    byId("stage").style.setProperty("--shape", `${Math.max(width / height, part).toFixed(4)}`);
    byId("stage").style.setProperty("--room", `${Math.ceil((height * half(2)) / BESIDE)}px`);
    if (kind.delivered.words) byId("matrix-says").textContent = `A row for each source, a column for each destination: the darker, the more of their words; blue: a word of this ${film.unit}.`;
    this.listen();
    this.showRound(0);
    this.show();
  }

  go(step) {
    this.step = Math.min(Math.max(step, 0), this.film.last);
    this.part = REST;
    this.show();
    this.address();
  }

  /** Messages that have looks of their own are told apart one by one. */
  chooseColours() {
    const messages = this.film.messages;
    byId("by-message").hidden = byId("by-message").disabled = !messages;
    if (messages && messages.length <= this.drawing.looks.count) byId("colour").value = "message";
    this.drawing.colour = byId("colour").value;
  }

  /** The step in the address, so that it can be kept; soon, since browsers allow few changes in a short time. */
  address() {
    byId("link").href = `#cycle=${this.step}`;
    if (this.soon !== undefined) return;
    this.soon = setTimeout(() => {
      this.soon = undefined;
      try {
        history.replaceState(null, "", `#cycle=${this.step}`);
      } catch (error) {
        if (error.name !== "SecurityError") throw error; // a page within another may have no address
      }
    }, 200);
  }

  /** Everything that tells of the present step. */
  show() {
    byId("cycle").value = this.step;
    byId("cycle").setAttribute("aria-valuetext", `${this.film.unit} ${this.step} of ${this.film.last}`);
    byId("cycle-now").textContent = this.step;
    byId("delivered").textContent = `${this.kind.deliveredUpTo(this.step)} of ${this.due} ${this.kind.counted}`;
    this.say();
    this.drawing.refit(this.step);
    this.matrix.draw(this.step);
    this.texts();
    this.draw();
    if (!this.playing) this.things.update();
  }

  /** As many sentences of the step as two lines have room for; the others are folded. */
  say() {
    const [sayings, saying] = [this.kind.sayings(this.step), byId("saying")];
    const full = (count) => {
      saying.textContent = sayings.slice(0, count).join(" ");
      return saying.scrollHeight > saying.clientHeight + 1;
    };
    let count = sayings.length;
    while (full(count) && count > 0) count--;
    // Of a sentence that is too long for two lines they show the beginning.
    if (count === 0) full(1);
    byId("more-text").textContent = sayings.slice(count).join(" ") || "Nothing more.";
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
    byId("saying").setAttribute("aria-live", on ? "off" : "polite");
    if (on) this.things.clear();
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
      this.address();
      this.part = part;
    }
    // Those who want no motion see a step at a time.
    if (!this.still.matches) this.draw();
  }

  /** Goes to a step that somebody has chosen, and stays there. */
  stop(step) {
    if (this.playing) this.play(false);
    this.go(step);
  }

  listen() {
    byId("cycle").addEventListener("input", (event) => this.stop(Number(event.target.value)));
    const buttons = {
      first: () => this.stop(0), back: () => this.stop(this.step - 1), forward: () => this.stop(this.step + 1), end: () => this.stop(this.film.last),
      play: () => this.play(!this.playing), picture: () => this.save(savePicture), animation: () => this.save(saveAnimation), nearer: () => this.zoom(1.3), farther: () => this.zoom(1 / 1.3), whole: () => this.whole(),
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
    new ResizeObserver(() => { this.say(); this.drawing.refit(this.step); this.moved(); }).observe(byId("network"));
    window.addEventListener("hashchange", () => { if (addressed(this.film.last) !== this.step) this.stop(addressed(this.film.last)); });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.drawing.readTheme(); this.matrix.theme(this.drawing.theme); this.show(); });
    this.pointer();
  }

  zoom(factor, x, y) {
    this.drawing.zoom(factor, x, y);
    this.moved();
  }

  /** After another view of the drawing. */
  moved() {
    this.draw();
    if (!this.playing) this.things.update();
  }

  /** Makes a file, and says how far it is. */
  async save(make) {
    const buttons = [byId("picture"), byId("animation")];
    buttons.forEach((button) => { button.disabled = true; });
    try {
      this.play(false);
      await make(this, (text) => { byId("saved").textContent = text; });
      byId("saved").textContent = "saved";
    } catch (error) {
      byId("saved").textContent = `not saved: ${error.message}`;
    }
    buttons.forEach((button) => { button.disabled = false; });
  }

  whole() {
    this.drawing.whole();
    this.moved();
  }

  /** Dragging moves the drawing, two fingers scale it, a tap chooses. */
  pointer() {
    const canvas = byId("network");
    const held = new Map();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      if (held.size === 0) moved = 0;
      held.set(event.pointerId, [event.offsetX, event.offsetY]);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held.has(event.pointerId)) return;
      const [before, now] = [held.get(event.pointerId), [event.offsetX, event.offsetY]];
      const other = [...held].find(([id]) => id !== event.pointerId);
      held.set(event.pointerId, now);
      moved += Math.abs(now[0] - before[0]) + Math.abs(now[1] - before[1]);
      if (moved < 5) return;
      if (other) {
        const away = (point) => Math.max(Math.hypot(point[0] - other[1][0], point[1] - other[1][1]), 1);
        this.zoom(away(now) / away(before), other[1][0], other[1][1]);
      } else {
        this.drawing.move(now[0] - before[0], now[1] - before[1]);
        this.moved();
      }
    });
    canvas.addEventListener("pointerup", (event) => {
      if (held.size === 1 && held.has(event.pointerId) && moved < 5) this.choose(this.drawing.pick(event.offsetX, event.offsetY, this.step, this.part));
      held.delete(event.pointerId);
    });
    canvas.addEventListener("pointercancel", (event) => { held.delete(event.pointerId); });
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

/** The step that the address names; else the first. */
function addressed(last) {
  const named = /^#cycle=(\d{1,9})$/.exec(location.hash);
  return named === null ? 0 : Math.min(Number(named[1]), last);
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
  // It runs at once, unless the address names a step or the system asks for reduced motion.
  if (location.hash === "" && !window.player.still.matches) window.player.play(true);
} catch (error) {
  giveUp(error);
}
