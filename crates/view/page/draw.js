// The drawing: what does not change on a layer of its own, the messages on top, in a view that is moved and scaled.

/** Text has so many pixels on the screen at least; where it has no room it is left out. */
const LEAST_TEXT = 11;
/** Half of a mark in which a number of so many digits has room, in pixels: a digit is 0.56 of the height of its font wide. */
const half = (digits) => 0.28 * LEAST_TEXT * digits + 0.6;
/** Below so many pixels between two lanes numbers cannot be read. */
const READABLE = 13;
/** Up to so many terminals everything is shown so large that it can be read, if need be a part of it. */
const SMALL = 16;
/** With so many they are read well. */
const COMFORTABLE = 20;

/** A drawing is never larger than this, whatever the room. */
const MOST_SCALE = 3;
/** Below so many pixels of width a drawing that cannot be read is shown in part. */
const NARROW = 640;

class Drawing {
  /** `size`: width, height and pixels a point of a canvas that is not on the page. */
  constructor(canvas, kind, size) {
    this.canvas = canvas;
    this.kind = kind;
    this.size = size;
    this.scene = kind.scene();
    this.layer = document.createElement("canvas");
    this.chosen = null;
    this.colour = "source";
    this.gap = this.smallestGap();
    this.readTheme();
    this.whole();
    this.mode = "fitted";
  }

  smallestGap() {
    const box = this.scene.boxes[0];
    return box && box.ports ? box.ports[1] - box.ports[0] : 24;
  }

  readTheme() {
    const style = getComputedStyle(document.documentElement);
    const names = ["ground", "text", "soft", "wire", "box", "edge", "cross", "state", "wrong", "accent", "hues"];
    this.theme = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.looks = new Looks(this.theme.hues.split(/\s+/));
    this.stale = true;
  }

  resize() {
    const [width, height, ratio] = this.size || [this.canvas.clientWidth, this.canvas.clientHeight, window.devicePixelRatio || 1];
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.stale = true;
    }
    this.ratio = ratio;
  }

  /** After another size of the window, or in another step: what is to be seen, unless somebody has chosen a part. */
  refit(step) {
    if (this.mode === "whole") this.whole();
    else if (this.mode === "fitted") this.fit(step);
  }

  /** Shows all of it. */
  whole() {
    this.mode = "whole";
    const [width, height] = [this.canvas.clientWidth || 800, this.canvas.clientHeight || 500];
    this.view_at(Math.min(width / this.scene.width, height / this.scene.height, MOST_SCALE), this.scene.width / 2, this.scene.height / 2);
  }

  /** All of it, or on a narrow screen and of a small network as much as can be read, around the messages. */
  fit(step) {
    this.whole();
    this.mode = "fitted";
    const [width, height] = [this.canvas.clientWidth || 800, this.canvas.clientHeight || 500];
    const narrow = width < NARROW;
    const scale = narrow ? Math.min(Math.max(height / this.scene.height, READABLE / this.gap), COMFORTABLE / this.gap) : this.kind.legible;
    if (!(narrow || this.kind.film.terminals <= SMALL) || this.scale >= scale || this.scene.width * scale > 6 * width) return;
    const places = this.tokens(step).map((token) => this.kind.place(token, REST));
    const middle = (axis, room, all) => {
      const values = places.map((place) => place[axis]);
      const wanted = values.length === 0 ? 0 : (Math.min(...values) + Math.max(...values)) / 2;
      const half = room / scale / 2;
      return 2 * half >= all ? all / 2 : Math.min(Math.max(wanted, half), all - half);
    };
    this.view_at(scale, middle(0, width, this.scene.width), middle(1, height, this.scene.height));
  }

  /** With this point of the drawing in the middle. */
  view_at(scale, x, y) {
    const [width, height] = [this.canvas.clientWidth || 800, this.canvas.clientHeight || 500];
    const before = [this.scale, this.x, this.y];
    Object.assign(this, { scale, x: width / 2 - x * scale, y: height / 2 - y * scale });
    if (before[0] !== this.scale || before[1] !== this.x || before[2] !== this.y) this.stale = true;
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.min(Math.max(this.scale * factor, 0.01), 8);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.stale = true;
    this.mode = "free";
  }

  move(x, y) {
    this.mode = "free";
    this.x += x;
    this.y += y;
    this.stale = true;
  }

  /** A point of the canvas in the drawing's units. */
  inside(x, y) {
    return [(x - this.x) / this.scale, (y - this.y) / this.scale];
  }

  /** The messages of a step; they do not change while it lasts. */
  tokens(step) {
    if (this.known === undefined || this.known.step !== step) this.known = { step, tokens: this.kind.tokens(step) };
    return this.known.tokens;
  }

  /** A font so many units of the drawing large, or as large as text is at least. */
  font(size, family = "system-ui, sans-serif") {
    return `${Math.max(size, LEAST_TEXT / this.scale).toFixed(2)}px ${family}`;
  }

  /** Of texts that are `pitch` units apart and need so many pixels every first, second, fourth … has room. */
  every(pitch, need) {
    return 2 ** Math.max(Math.ceil(Math.log2(need / (pitch * this.scale))), 0);
  }

  view(context) {
    context.setTransform(this.scale * this.ratio, 0, 0, this.scale * this.ratio, this.x * this.ratio, this.y * this.ratio);
  }

  /** Wires, empty boxes, names. */
  drawLayer() {
    this.layer.width = this.canvas.width;
    this.layer.height = this.canvas.height;
    const context = this.layer.getContext("2d");
    context.fillStyle = this.theme.ground;
    context.fillRect(0, 0, this.layer.width, this.layer.height);
    this.view(context);
    context.strokeStyle = this.theme.soft;
    context.lineWidth = 0.8;
    for (const band of this.scene.bands) context.strokeRect(band.x, band.y, band.width, band.height);
    for (const inside of [false, true]) {
      context.beginPath();
      for (const wire of this.scene.wires) {
        if (Boolean(wire.inside) !== inside) continue;
        trace(context, wire.points);
      }
      context.strokeStyle = this.theme.wire;
      context.lineWidth = inside ? 0.6 : 1;
      context.setLineDash(inside ? [3, 3] : []);
      context.stroke();
    }
    context.setLineDash([]);
    context.fillStyle = this.theme.box;
    context.strokeStyle = this.theme.edge;
    context.lineWidth = 1;
    context.beginPath();
    for (const box of this.scene.boxes) context.roundRect(box.x, box.y, box.width, box.height, box.round ? 12 : 3);
    context.fill();
    context.stroke();
    context.font = this.font(11);
    context.fillStyle = this.theme.soft;
    for (const { x, y, text, align, base = "middle", at = 0, pitch = Infinity, need = LEAST_TEXT } of this.scene.texts) {
      if (at % this.every(pitch, need) !== 0) continue;
      context.textAlign = align;
      context.textBaseline = base;
      context.fillText(text, x, y);
    }
    this.stale = false;
  }

  drawBoxes(context, step) {
    const states = this.kind.boxStates(step);
    const lines = this.gap * this.scale >= 6;
    const path = { 0: new Path2D(), 1: new Path2D(), wrong: new Path2D(), fill: new Path2D(), stuck: new Path2D() };
    this.scene.boxes.forEach((box, at) => {
      if (at >= states.length) return;
      const state = states[at] & 3;
      if (states[at] & 4) path.wrong.rect(box.x - 2, box.y - 2, box.width + 4, box.height + 4);
      if (states[at] & 8) path.stuck.rect(box.x, box.y, box.width, box.height);
      if (state === IDLE || !box.ports) return;
      if (state === 1) path.fill.rect(box.x, box.y, box.width, box.height);
      if (!lines) return;
      const [upper, lower] = box.ports;
      path[state].moveTo(box.x, upper);
      path[state].lineTo(box.x + box.width, state === 1 ? lower : upper);
      path[state].moveTo(box.x, lower);
      path[state].lineTo(box.x + box.width, state === 1 ? upper : lower);
    });
    context.fillStyle = this.theme.cross;
    context.fill(path.fill);
    context.strokeStyle = this.theme.edge;
    context.lineWidth = 1;
    context.stroke(path.fill);
    context.strokeStyle = this.theme.state;
    context.lineWidth = 1.6;
    context.stroke(path[0]);
    context.stroke(path[1]);
    context.strokeStyle = this.theme.edge;
    context.lineWidth = 2.4;
    context.setLineDash([4, 2.5]);
    context.stroke(path.stuck);
    context.setLineDash([]);
    context.strokeStyle = this.theme.wrong;
    context.lineWidth = 3;
    context.stroke(path.wrong);
  }

  drawChosen(context) {
    const chosen = this.chosen;
    if (chosen === null) return;
    context.strokeStyle = this.theme.accent;
    context.lineWidth = 3;
    context.beginPath();
    if (chosen.box !== undefined) {
      const box = this.scene.boxes[chosen.box];
      context.rect(box.x - 4, box.y - 4, box.width + 8, box.height + 8);
    } else {
      trace(context, this.kind.messageWay(chosen.message));
    }
    context.stroke();
  }

  /** The lines of a step, those of one colour and width together. */
  grouped(step) {
    const same = (known) => known && known.step === step && known.colour === this.colour;
    if (same(this.lines)) return this.lines.groups;
    const groups = new Map();
    for (const { points, width, of } of this.kind.lines(step)) {
      const name = `${of} ${width}`;
      if (!groups.has(name)) groups.set(name, { of, width, path: new Path2D() });
      trace(groups.get(name).path, points);
    }
    this.lines = { step, colour: this.colour, groups: [...groups.values()] };
    return this.lines.groups;
  }

  /** What wires carry besides discs. */
  drawLines(context, step) {
    if (!this.kind.lines) return;
    this.kind.by = this.colour;
    for (const { of, width, path } of this.grouped(step)) {
      const { colour, dashes } = of === null ? { colour: this.theme.soft, dashes: [] } : this.looks.of(of);
      context.strokeStyle = colour;
      context.globalAlpha = of === null ? 0.5 : 1;
      context.lineWidth = width;
      context.setLineDash(width < 1 ? [] : dashes);
      context.stroke(path);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** What boxes say, over the marks in them. */
  drawSays(context, step) {
    if (!this.kind.says || this.gap * this.scale < READABLE * 0.6) return;
    Object.assign(context, { font: this.font(10), textAlign: "right", textBaseline: "alphabetic" });
    for (const [box, text] of this.kind.says(step)) {
      const { x, y, width, height } = this.scene.boxes[box];
      this.outlined(context, text, x + width - 3, y + height - 3, this.theme.box, this.theme.state);
    }
  }

  /** Text that is read on whatever it lies. */
  outlined(context, text, x, y, ground, ink) {
    Object.assign(context, { strokeStyle: ground, fillStyle: ink, lineWidth: 3 });
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
  }

  drawTokens(context, step, part) {
    const readable = this.gap * this.scale >= READABLE;
    const least = Math.max(readable ? 8 : 5, 1.2 / this.scale);
    const number = half(Math.max(this.kind.digits, 2)) / this.scale;
    for (const token of this.tokens(step)) {
      const radius = readable ? Math.max(Math.min(number, this.kind.room(token)), least) : least;
      const [x, y] = this.kind.place(token, part);
      const look = this.looks.of(this.kind.hue(token, this.colour));
      const followed = this.chosen !== null && this.chosen.message === this.kind.key(token);
      context.globalAlpha = this.chosen !== null && this.chosen.message !== undefined && !followed ? 0.3 : 1;
      context.fillStyle = token.lost ? this.theme.ground : token.wrong ? this.theme.wrong : look.colour;
      if (radius * this.scale < 2) {
        if (token.lost) context.fillStyle = this.theme.wrong;
        context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
        continue;
      }
      outline(context, look.shape, x, y, followed ? radius * 1.4 : radius);
      context.fill();
      if (token.ring || token.blocked || token.lost) {
        const red = token.blocked || token.lost;
        context.strokeStyle = red ? this.theme.wrong : this.theme.text;
        context.lineWidth = red ? 2.5 : 1.5;
        context.stroke();
      }
      if (readable) this.drawNames(context, token, x, y, radius, token.lost ? this.theme.wrong : token.wrong ? this.theme.ground : look.ink);
    }
    context.globalAlpha = 1;
  }

  /** The number of a message, if all numbers have room, and beside it what is left of its label. */
  drawNames(context, token, x, y, radius, ink) {
    Object.assign(context, { font: this.font(9), fillStyle: ink, textAlign: "center", textBaseline: "middle" });
    if (half(this.kind.digits) - 0.6 <= radius * this.scale) context.fillText(this.kind.name(token), x, y + 0.5 / this.scale);
    const text = this.kind.label(token);
    if (!text) return;
    Object.assign(context, { font: this.font(10, "ui-monospace, Menlo, Consolas, monospace"), textAlign: "left", textBaseline: "alphabetic" });
    this.outlined(context, text, x + radius + 3, y - 3, this.theme.ground, this.theme.text);
  }

  draw(step, part) {
    this.resize();
    // A page that is not shown yet has no room to draw in.
    if (this.canvas.width === 0 || this.canvas.height === 0) return;
    if (this.stale) this.drawLayer();
    const context = this.canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.layer, 0, 0);
    this.view(context);
    this.drawBoxes(context, step);
    this.drawLines(context, step);
    this.drawChosen(context);
    this.drawTokens(context, step, part);
    this.drawSays(context, step);
  }

  /** What is at a point of the canvas: a message, a box, or nothing. */
  pick(x, y, step, part) {
    const [at_x, at_y] = this.inside(x, y);
    let best = null;
    let distance = 12 / Math.min(this.scale, 1);
    for (const token of this.tokens(step)) {
      const [token_x, token_y] = this.kind.place(token, part);
      const away = Math.hypot(token_x - at_x, token_y - at_y);
      if (away < distance) [best, distance] = [{ message: this.kind.key(token) }, away];
    }
    if (best) return best;
    const box = this.scene.boxes.findIndex((b) => at_x >= b.x && at_x <= b.x + b.width && at_y >= b.y && at_y <= b.y + b.height);
    return box < 0 ? null : { box };
  }
}

/** The matrix of deliveries: a pixel for each pair, the darker the more of its words have been delivered. */
class Matrix {
  constructor(canvas, kind, theme) {
    this.canvas = canvas;
    this.delivered = kind.delivered;
    this.wrong = kind.wrongPairs();
    this.missing = kind.missingPairs();
    this.theme(theme);
  }

  theme(theme) {
    const rgb = (colour) => {
      const context = document.createElement("canvas").getContext("2d");
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      return context.getImageData(0, 0, 1, 1).data;
    };
    this.colours = [theme.box, theme.wire, theme.accent, theme.wrong].map(rgb);
  }

  draw(step) {
    const size = this.delivered.terminals;
    if (this.canvas.width !== size) this.canvas.width = this.canvas.height = size;
    const context = this.canvas.getContext("2d");
    const image = context.createImageData(size, size);
    const [none, all, now, wrong] = this.colours;
    const words = this.delivered.words ? this.delivered.at(step) : null;
    for (let pair = 0; pair < size * size; pair++) {
      const when = this.delivered.when[pair];
      const there = when >= 0 && when <= step;
      const late = !there && this.missing.has(pair) && this.missing.get(pair) <= step;
      let colour = late ? wrong : !there ? none : this.wrong.has(pair) ? wrong : when === step ? now : all;
      if (words && colour !== wrong) {
        const share = words.count[pair] / (this.delivered.due[pair] || 1);
        colour = words.now.has(pair) ? now : none.map((channel, at) => channel + (all[at] - channel) * share);
      }
      image.data.set(colour, 4 * pair);
    }
    context.putImageData(image, 0, 0);
  }
}
