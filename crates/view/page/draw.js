// The drawing: what does not change on a layer of its own, the messages on top, in a view that is moved and scaled.

/** Below so many pixels between two lanes numbers cannot be read. */
const READABLE = 13;

class Drawing {
  constructor(canvas, kind) {
    this.canvas = canvas;
    this.kind = kind;
    this.scene = kind.scene();
    this.layer = document.createElement("canvas");
    this.chosen = null;
    this.colour = "source";
    this.gap = this.smallestGap();
    this.readTheme();
    this.whole();
  }

  smallestGap() {
    const box = this.scene.boxes[0];
    return box && box.ports ? box.ports[1] - box.ports[0] : 24;
  }

  readTheme() {
    const style = getComputedStyle(document.documentElement);
    const names = ["ground", "text", "soft", "wire", "box", "edge", "cross", "state", "wrong", "accent", "lightness"];
    this.theme = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    this.palette = null;
    this.stale = true;
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.stale = true;
    }
    this.ratio = ratio;
  }

  /** After another size of the window: all of it, unless somebody has chosen a part. */
  refit() {
    if (this.all) this.whole();
  }

  /** Shows all of it. */
  whole() {
    this.all = true;
    const [width, height] = [this.canvas.clientWidth || 800, this.canvas.clientHeight || 500];
    this.scale = Math.min(width / this.scene.width, height / this.scene.height, 2);
    this.x = (width - this.scene.width * this.scale) / 2;
    this.y = (height - this.scene.height * this.scale) / 2;
    this.stale = true;
  }

  zoom(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const scale = Math.min(Math.max(this.scale * factor, 0.01), 8);
    this.x = x - ((x - this.x) * scale) / this.scale;
    this.y = y - ((y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.stale = true;
    this.all = false;
  }

  move(x, y) {
    this.all = false;
    this.x += x;
    this.y += y;
    this.stale = true;
  }

  /** A point of the canvas in the drawing's units. */
  inside(x, y) {
    return [(x - this.x) / this.scale, (y - this.y) / this.scale];
  }

  /** The colour of a source or destination. */
  hue(number, of) {
    return this.colours(of)[number][0];
  }

  /** The colours of so many, each with that of text on it. */
  colours(of) {
    if (this.palette && this.palette.length === of) return this.palette;
    // Neighbours differ much: steps of the golden angle; few sources share the circle evenly.
    const degrees = (number) => (of <= 12 ? (number * 360) / of : (number * 137.508) % 360);
    const lightness = parseFloat(this.theme.lightness) / 100;
    this.palette = Array.from({ length: of }, (_, number) => [
      `hsl(${degrees(number).toFixed(1)} 75% ${this.theme.lightness})`, luminance(degrees(number), 0.75, lightness) > 0.179 ? "#000000" : "#ffffff",
    ]);
    return this.palette;
  }

  /** The messages of a step; they do not change while it lasts. */
  tokens(step) {
    if (this.known === undefined || this.known.step !== step) this.known = { step, tokens: this.kind.tokens(step) };
    return this.known.tokens;
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
        wire.points.forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
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
    if (this.gap * this.scale >= READABLE * 0.6) {
      context.font = "11px system-ui, sans-serif";
      context.fillStyle = this.theme.soft;
      for (const { x, y, text, align } of this.scene.texts) {
        context.textAlign = align;
        context.fillText(text, x, y);
      }
    }
    this.stale = false;
  }

  drawBoxes(context, step) {
    const states = this.kind.boxStates(step);
    const lines = this.gap * this.scale >= 6;
    const path = { 0: new Path2D(), 1: new Path2D(), wrong: new Path2D(), fill: new Path2D() };
    this.scene.boxes.forEach((box, at) => {
      if (at >= states.length) return;
      const state = states[at] & 3;
      if (states[at] & 4) path.wrong.rect(box.x - 2, box.y - 2, box.width + 4, box.height + 4);
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
      this.kind.messageWay(chosen.message).forEach(([x, y], at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
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
      const { path } = groups.get(name);
      points.forEach(([x, y], at) => (at === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
    }
    this.lines = { step, colour: this.colour, groups: [...groups.values()] };
    return this.lines.groups;
  }

  /** What wires carry besides discs, and what boxes say. */
  drawLines(context, step) {
    if (!this.kind.lines) return;
    this.kind.by = this.colour;
    for (const { of, width, path } of this.grouped(step)) {
      context.strokeStyle = of === null ? this.theme.soft : this.hue(...of);
      context.globalAlpha = of === null ? 0.5 : 1;
      context.lineWidth = width;
      context.stroke(path);
    }
    context.globalAlpha = 1;
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = this.theme.state;
    context.textAlign = "right";
    for (const [box, text] of this.kind.says(step)) {
      const { x, y, width, height } = this.scene.boxes[box];
      context.fillText(text, x + width - 3, y + height - 3);
    }
  }

  drawTokens(context, step, part) {
    const readable = this.gap * this.scale >= READABLE;
    const radius = Math.max(readable ? 8 : 5, 1.2 / this.scale);
    context.font = "9px system-ui, sans-serif";
    const label = "10px ui-monospace, Menlo, Consolas, monospace";
    for (const token of this.tokens(step)) {
      const [x, y] = this.kind.place(token, part);
      const [number, of] = this.kind.hue(token, this.colour);
      const followed = this.chosen !== null && this.chosen.message === this.kind.key(token);
      context.globalAlpha = this.chosen !== null && this.chosen.message !== undefined && !followed ? 0.3 : 1;
      const [colour, on] = token.wrong ? [this.theme.wrong, this.theme.ground] : this.colours(of)[number];
      context.fillStyle = token.lost ? this.theme.ground : colour;
      if (radius * this.scale < 2) {
        if (token.lost) context.fillStyle = this.theme.wrong;
        context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
        continue;
      }
      context.beginPath();
      context.arc(x, y, followed ? radius * 1.4 : radius, 0, 2 * Math.PI);
      context.fill();
      if (token.ring || token.blocked || token.lost) {
        const red = token.blocked || token.lost;
        context.strokeStyle = red ? this.theme.wrong : this.theme.text;
        context.lineWidth = red ? 2.5 : 1.5;
        context.stroke();
      }
      if (!readable) continue;
      context.fillStyle = token.lost ? this.theme.wrong : on;
      context.textAlign = "center";
      context.fillText(this.kind.name(token), x, y + 3);
      const text = this.kind.label(token);
      if (text) {
        context.font = label;
        context.fillStyle = this.theme.text;
        context.textAlign = "left";
        context.fillText(text, x + radius + 3, y - 4);
        context.font = "9px system-ui, sans-serif";
      }
    }
    context.globalAlpha = 1;
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

/** The relative luminance (WCAG) of a colour: degrees, saturation, lightness. */
function luminance(hue, saturation, lightness) {
  const channel = (at) => {
    const place = (at + hue / 30) % 12;
    const value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
}

/** The matrix of deliveries: a pixel for each pair. */
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
    for (let pair = 0; pair < size * size; pair++) {
      const when = this.delivered.when[pair];
      const there = when >= 0 && when <= step;
      const late = !there && this.missing.has(pair) && this.missing.get(pair) <= step;
      const colour = this.colours[late ? 3 : !there ? 0 : this.wrong.has(pair) ? 3 : when === step ? 2 : 1];
      image.data.set(colour, 4 * pair);
    }
    context.putImageData(image, 0, 0);
  }
}
