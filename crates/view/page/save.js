// Pictures to keep: PNG of what is seen, and an animated PNG, put together here from the browser's PNGs (PNG specification, third edition).

/** Frames of an animation at most, and those of a step. */
const MOST_FRAMES = 480;
const FRAMES_A_STEP = 6;
/** The height of the line above a picture. */
const CAPTION = 26;

/** Draws what is seen in any step on a canvas of its own, with a line above it. */
class Camera {
  constructor(player, ratio) {
    const { drawing, film } = player;
    this.film = film;
    const size = [drawing.canvas.clientWidth, drawing.canvas.clientHeight];
    this.copy = new Drawing(document.createElement("canvas"), player.kind, [...size, ratio]);
    Object.assign(this.copy, { scale: drawing.scale, x: drawing.x, y: drawing.y, chosen: drawing.chosen, colour: drawing.colour, stale: true });
    this.ratio = ratio;
    this.canvas = Object.assign(document.createElement("canvas"), { width: Math.round(size[0] * ratio), height: Math.round((size[1] + CAPTION) * ratio) });
  }

  /** The bytes of a PNG. */
  async take(step, part) {
    this.copy.draw(step, part);
    const context = this.canvas.getContext("2d");
    context.fillStyle = this.copy.theme.ground;
    context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    context.fillStyle = this.copy.theme.text;
    context.font = `${14 * this.ratio}px system-ui, sans-serif`;
    context.fillText(`${this.film.title}, ${this.film.unit} ${step} of ${this.film.last}`, 10 * this.ratio, 18 * this.ratio);
    context.drawImage(this.copy.canvas, 0, CAPTION * this.ratio);
    const blob = await new Promise((done) => this.canvas.toBlob(done, "image/png"));
    if (blob === null) throw new Error("the browser makes no PNG of this size");
    return new Uint8Array(await blob.arrayBuffer());
  }
}

/** The chunks of a PNG: type and data. */
function chunks(png) {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const found = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    found.push([String.fromCharCode(...png.subarray(at + 4, at + 8)), png.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  return found;
}

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** A chunk as bytes, with its length and check. */
function chunk(type, data) {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set([...type].map((letter) => letter.charCodeAt(0)), 4);
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (let at = 4; at < data.length + 8; at++) crc = CRC[(crc ^ bytes[at]) & 255] ^ (crc >>> 8);
  view.setUint32(data.length + 8, ~crc >>> 0);
  return bytes;
}

/** Numbers of 32 bits, and behind them bytes. */
function quads(numbers, behind = []) {
  const bytes = new Uint8Array(4 * numbers.length + behind.length);
  numbers.forEach((number, at) => new DataView(bytes.buffer).setUint32(4 * at, number));
  bytes.set(behind, 4 * numbers.length);
  return bytes;
}

/** An animated PNG of PNGs of one size, each shown for so many milliseconds. */
function animated(pngs, milliseconds) {
  const first = chunks(pngs[0]);
  const header = first.find(([type]) => type === "IHDR")[1];
  const parts = [pngs[0].subarray(0, 8), chunk("IHDR", header), chunk("acTL", quads([pngs.length, 0]))];
  let sequence = 0;
  const size = new DataView(header.buffer, header.byteOffset);
  const control = () => quads([sequence++, size.getUint32(0), size.getUint32(4), 0, 0], [milliseconds >> 8, milliseconds & 255, 1000 >> 8, 1000 & 255, 0, 0]);
  pngs.forEach((png, at) => {
    parts.push(chunk("fcTL", control()));
    for (const [type, data] of chunks(png)) {
      if (type === "IDAT") parts.push(at === 0 ? chunk("IDAT", data) : chunk("fdAT", quads([sequence++], data)));
    }
  });
  return new Blob([...parts, chunk("IEND", new Uint8Array(0))], { type: "image/png" });
}

/** Hands a file to the browser. */
function keep(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** The name of a file after the heading of the page. */
function named(film, what) {
  return `${film.title.replace(/[^A-Za-z0-9]+/g, "-").slice(0, 60)}-${what}.png`;
}

async function savePicture(player) {
  const png = await new Camera(player, 2).take(player.step, REST);
  keep(new Blob([png], { type: "image/png" }), named(player.film, `${player.film.unit}-${player.step}`));
}

/** All steps; of a long run as many as fit from the present one on. `tell` is called with how far it is. */
async function saveAnimation(player, tell) {
  const { film, step } = player;
  const from = film.last < MOST_FRAMES ? 0 : step;
  const to = Math.min(film.last, from + MOST_FRAMES - 1);
  const each = Math.min(Math.max(Math.floor(MOST_FRAMES / (to - from + 1)), 1), FRAMES_A_STEP);
  const camera = new Camera(player, 1);
  const pngs = [];
  for (let at = from; at <= to; at++) {
    for (let part = 0; part < each; part++) {
      pngs.push(await camera.take(at, each === 1 ? REST : part / each));
      tell(`${pngs.length} of ${(to - from + 1) * each} frames`);
    }
  }
  keep(animated(pngs, Math.round(1000 / each / Math.min(Math.max(Number(byId("speed").value), 0.25), 4))), named(film, "animation"));
}
