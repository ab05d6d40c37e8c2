// How messages are told apart: a colour and, beyond as many as there are colours, the shape of a mark and the dashes of a line; as stills
// have them (frit_network::drawing::look).

/** Dashes of lines, one for each shape of a mark. */
const DASHES = [[], [10, 3], [4, 2], [10, 3, 2, 3]];
/** The corners of the shapes but the circle, of radius 1. */
const CORNERS = [
  [],
  [[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]],
  [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]],
  [[-1.15, 0], [-0.6, -1], [0.6, -1], [1.15, 0], [0.6, 1], [-0.6, 1]],
];

/** The looks of messages with these colours. */
class Looks {
  constructor(colours) {
    this.colours = colours;
    this.inks = colours.map((colour) => (luminance(colour) > 0.179 ? "#000000" : "#ffffff"));
  }

  /** Of the message or source with a number: colour, that of text on it, shape, dashes. */
  of(number) {
    const [at, shape] = [number % this.colours.length, Math.floor(number / this.colours.length) % DASHES.length];
    return { colour: this.colours[at], ink: this.inks[at], shape, dashes: DASHES[shape] };
  }

  /** How many differ. */
  get count() {
    return this.colours.length * DASHES.length;
  }
}

/** The outline of a mark as a path of its own. */
function outline(context, shape, x, y, radius) {
  context.beginPath();
  if (shape === 0) context.arc(x, y, radius, 0, 2 * Math.PI);
  else trace(context, CORNERS[shape].map(([dx, dy]) => [x + dx * radius, y + dy * radius]));
  context.closePath();
}

/** A line through points, on a context or a path. */
function trace(path, points) {
  points.forEach(([x, y], at) => (at === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
}

/** The relative luminance (WCAG 2) of a colour #rrggbb. */
function luminance(colour) {
  const channel = (at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
