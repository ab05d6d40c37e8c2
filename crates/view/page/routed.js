// Messages on the edges and in the nodes of a router: every step tells where each is.

KINDS.routed = class {
  constructor(film) {
    this.film = film;
    const place = members({ at: row(finite, finite, finite, finite), text });
    many(place)(film.boxes, "boxes");
    many(place)(film.bands, "bands");
    members({
      width: positive, height: positive, terminals: between(1, film.boxes.length + 1), wires: many(row(finite, finite, finite, finite)),
      headings: many(members({ at: row(finite, finite), text })), marks: many(text), columns: text,
    })(film, "");
    many(text, film.wires.length)(film.wire_names, "wire_names");
    list_(film.messages, "messages").forEach((message, at) => numbers(message, `messages[${at}]`, film.terminals, 2));
    const says = many(row(between(0, film.boxes.length), text));
    many(members({ says, events: many(text), delivered: many(between(0, film.messages.length)) }), film.last + 1)(film.frames, "frames");
    this.spread(film.on_wires, "on_wires", "wires");
    this.spread(film.in_boxes, "in_boxes", "inside");
    /** Words of a stream, or messages. */
    this.noun = film.marks.includes("in a memory") ? "word" : "message";
    const due = new Array(film.terminals ** 2).fill(0);
    if (this.noun === "word") film.messages.forEach(([source, destination]) => due[source * film.terminals + destination]++);
    this.delivered = new Deliveries(film.terminals, this.noun === "word" ? due : null);
    this.digits = String(Math.max(film.messages.length - 1, 0)).length;
    this.legible = this.digits < 3 ? half(2) / 8 : READABLE / 24;
    this.arrivals = [];
    this.arrived = new Set();
    film.frames.forEach((frame, step) => this.readFrame(frame, step));
    this.legend = "what each switch holds";
    this.hasEvents = true;
    this.roundCount = 0;
    this.counted = `${this.noun}s`;
    this.due = film.messages.length;
  }

  /** Marks with their first and last steps, into every frame in which they are. */
  spread(spans, what, into) {
    this.film.frames.forEach((frame) => { frame[into] = []; });
    list_(spans, what).forEach((span, at) => {
      row(count, count, between(0, this.film.marks.length), count, count)(span, `${what}[${at}]`);
      const [place, message, kind, first, last] = span;
      if (first > last || last > this.film.last) throw broken(`${what}[${at}]`, span, `of steps from 0 to ${this.film.last}`);
      for (let step = first; step <= last; step++) this.film.frames[step][into].push([place, message, kind]);
    });
  }

  readFrame(frame, step) {
    const { wires, boxes, messages } = this.film;
    const marks = (list, what, places) => list.forEach((mark) => {
      const message = mark[1] === NOBODY ? 0 : mark[1];
      if (!(mark[0] < places) || !(message < messages.length || mark[1] === NOBODY)) {
        throw new Problem(`This page's data is broken: frames[${step}].${what} has ${JSON.stringify(mark)}, and there are ${places} places and ${messages.length} messages.`);
      }
    });
    marks(frame.wires, "wires", wires.length);
    marks(frame.inside, "inside", boxes.length);
    this.arrivals.push(frame.delivered);
    for (const message of frame.delivered) {
      if (this.arrived.has(message)) {
        throw new Problem(`This page's data is broken: ${this.noun} ${message} arrives a second time before step ${step}.`);
      }
      this.arrived.add(message);
      this.delivered.add(step, messages[message][0], messages[message][1]);
    }
  }

  scene() {
    const { width, height, boxes, wires, headings, bands } = this.film;
    const pitch = headings.length > 1 ? headings[1].at[0] - headings[0].at[0] : Infinity;
    const texts = headings.map(({ at: [x, y], text }, at) => ({ x, y: y - 4, text, align: "center", at, pitch, need: 70 }));
    const place = ({ at }) => ({ x: at[0], y: at[1], width: at[2], height: at[3] });
    // Marks of heads reach into the left of a box.
    boxes.forEach((box, at) => {
      const [x, y, size, pitch] = box.at;
      // Beside a register, which has room for its word alone.
      const side = x < width / 2 ? { x: x - 8, align: "right" } : { x: x + size + 8, align: "left" };
      const place = this.register(box) ? { y: y + pitch / 2, ...side } : { x: x + 12, y: y + 2, align: "left", base: "top" };
      texts.push({ text: box.text, at: at % this.film.terminals, pitch, ...place });
    });
    return {
      width, height, texts, bands: bands.map(place), boxes: boxes.map(place),
      wires: wires.map(([x0, y0, x1, y1]) => ({ points: [[x0, y0], [x1, y1]], inside: false })),
    };
  }

  boxStates() {
    return new Uint8Array(0);
  }

  frame(step) {
    return this.film.frames[step];
  }

  /** What boxes say in a step: the box and the words. */
  says(step) {
    return this.frame(step).says;
  }

  /** Wires that are held: the message and how. */
  lines(step) {
    const lines = [];
    for (const [wire, message, kind] of this.frame(step).wires) {
      const mark = this.film.marks[kind];
      const [x0, y0, x1, y1] = this.film.wires[wire];
      const width = mark === "left by its last bit" ? 0.7 : mark.includes("committed") ? 4 : 3;
      lines.push({ points: [[x0, y0], [x1, y1]], message, width, of: message === NOBODY ? null : this.hue({ message }, this.by || "source") });
    }
    return lines;
  }

  tokens(step) {
    const tokens = [];
    const frame = this.frame(step);
    for (const [wire, message, kind] of frame.wires) {
      const mark = this.film.marks[kind];
      if (mark.includes("head")) tokens.push({ message, wire, blocked: mark.includes("blocked") });
    }
    const moving = new Map(frame.wires.filter(([, , kind]) => this.film.marks[kind].includes("moves")).map(([wire, message]) => [message, wire]));
    const inBox = new Map();
    for (const [box, message] of frame.inside) {
      const place = inBox.get(box) || 0;
      inBox.set(box, place + 1);
      tokens.push({ message, box, place, moves: moving.get(message) });
    }
    return tokens;
  }

  key(token) {
    return `${token.message}`;
  }

  place(token, part) {
    if (token.box === undefined) {
      const [x0, y0, x1, y1] = this.film.wires[token.wire];
      // Neighbours in turn nearer to the end and farther from it: their marks do not lie on each other.
      const away = 2 + 17 * (token.wire % 2);
      return along([[x0, y0], [x1, y1]], 1 - away / Math.hypot(x1 - x0, y1 - y0));
    }
    const [x, y, width, height] = this.film.boxes[token.box].at;
    // Two rows of marks beside the number of the box.
    const row = Math.max(Math.floor((width - 36) / 16), 1);
    const stay = this.register(this.film.boxes[token.box]) ? [x + 18, y + height / 2] : [x + 40 + 16 * (token.place % row), y + height / 2 - 8 + 16 * (Math.floor(token.place / row) % 2)];
    if (token.moves === undefined || part < 0.3) return stay;
    const [x0, y0, x1, y1] = this.film.wires[token.moves];
    return along([stay, [x0, y0], [x1 + 12, y1]], (part - 0.3) / 0.7);
  }

  /** Whether a box has room for one word, not for those of a memory. */
  register(box) {
    return this.noun === "word" && box.at[2] < 100;
  }

  /** How large half of its mark may be. */
  room(token) {
    return token.box !== undefined && this.register(this.film.boxes[token.box]) ? 16 : 8;
  }

  label() {
    return "";
  }
  name(token) {
    return `${token.message}`;
  }
  hue(token, by) {
    const [source, destination] = this.film.messages[token.message];
    return { source, destination, message: token.message }[by];
  }

  /** How many messages have arrived up to a step. */
  deliveredUpTo(step) {
    return this.arrivals.slice(0, step + 1).reduce((all, list) => all + list.length, 0);
  }

  statesText(step) {
    const { wires, inside, says } = this.frame(step);
    const { wire_names, marks, words } = this.film;
    const rows = wires.map(([wire, message, kind]) => `${wire_names[wire]}: ${message === NOBODY ? "" : `${this.noun} ${message}, `}${marks[kind]}`);
    inside.forEach(([box, message]) => rows.push(`${words.switch} ${this.boxName(box)}: ${this.noun} ${message}`));
    says.forEach(([box, text]) => rows.push(`${words.switch} ${this.boxName(box)}: ${text}`));
    return rows.join("\n");
  }

  boxName(box) {
    return `${Math.floor(box / this.film.terminals)}.${box % this.film.terminals}`;
  }

  deliveriesText(step) {
    return this.arrivals[step].map((message) => `${this.film.messages[message].join(">")} ${message}`).join("\n");
  }

  eventsText(step) {
    const { events } = this.frame(step);
    return events.length === 0 ? "" : [this.film.columns, ...events].join("\n");
  }

  wrongPairs() {
    return new Set();
  }

  missingPairs() {
    return new Map();
  }

  messageStory(key) {
    const message = Number(key);
    const [source, destination] = this.film.messages[message];
    const rows = [[this.film.unit, "where", "what"]];
    const lines = [];
    this.film.frames.forEach((frame, step) => {
      for (const [wire, of, kind] of frame.wires) if (of === message && this.film.marks[kind] !== "left by its last bit") rows.push([step, this.film.wire_names[wire], this.film.marks[kind]]);
      for (const [box, of] of frame.inside) if (of === message) rows.push([step, `${this.film.words.switch} ${this.boxName(box)}`, "in a buffer"]);
    });
    const arrives = this.arrivals.findIndex((list) => list.includes(message));
    lines.push(arrives < 0 ? "It does not arrive." : `It has arrived before ${this.film.unit} ${arrives}.`);
    return { title: `${capital(this.noun)} ${message} from ${this.film.words.terminal} ${source} to ${destination}`, lines, rows };
  }

  messageWay(key) {
    const message = Number(key);
    const points = [];
    for (const frame of this.film.frames) {
      for (const [wire, of] of frame.wires) {
        if (of !== message) continue;
        const [x0, y0, x1, y1] = this.film.wires[wire];
        if (!points.some(([x, y]) => x === x1 && y === y1)) points.push([x0, y0], [x1, y1]);
      }
    }
    return points;
  }

  boxStory(box) {
    const rows = [[this.film.unit, "what"]];
    const ends = this.film.wires.map(([, , x1, y1]) => {
      const [x, y, width, height] = this.film.boxes[box].at;
      return x1 >= x - 1 && x1 <= x + width && y1 >= y && y1 <= y + height;
    });
    this.film.frames.forEach((frame, step) => {
      const said = frame.says.filter(([of]) => of === box).map(([, text]) => text);
      const held = frame.inside.filter(([of]) => of === box).map(([, message]) => `${this.noun} ${message}`);
      const heads = frame.wires.filter(([wire, , kind]) => ends[wire] && this.film.marks[kind].includes("head")).map(([, message, kind]) => `message ${message}: ${this.film.marks[kind]}`);
      const all = [...said, ...held, ...heads];
      if (all.length > 0) rows.push([step, all.join("; ")]);
    });
    return { title: `${this.film.words.switch} ${this.boxName(box)} (${this.film.words.stage}.row)`, lines: [], rows };
  }
};
