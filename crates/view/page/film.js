// What the page plays, and whether it can be played: every kind of film has the same questions answered by a class of its own.

/** The part of a step at which messages are shown while nothing moves: before they move. */
const REST = 0.06;

/** What the system calls its parts. */
const WORDS = members({
  terminal: text, switch: text, stage: text, first_stage: count, states: row(text, text), ports: row(text, text), rows: maybe(text),
});

/** What films of all kinds have. */
const FILM = members({
  title: text, about: many(text), command: text, unit: text, last: count, terminals: count, difference: maybe(text), words: WORDS, why: text,
});

/** The film of a text of JSON. */
function readFilm(text) {
  let film;
  try {
    film = JSON.parse(text);
  } catch (error) {
    throw new Problem(`This page's data is no JSON (${error.message}); it was cut or changed. Make the page again.`);
  }
  if (film === null || film.format !== "fritillary-view-1") {
    throw new Problem(`This page's data has the format ${JSON.stringify(film && film.format)}, not fritillary-view-1. Make the page again.`);
  }
  FILM(film, "");
  const kind = Object.hasOwn(KINDS, film.kind) && KINDS[film.kind];
  if (!kind) throw new Problem(`This page's data is of the kind ${JSON.stringify(film.kind)}, which this page cannot play.`);
  return [film, new kind(film)];
}

/** The kinds of films, by name; each script of a kind adds its own. */
const KINDS = {};

/** When each pair (source, destination) was delivered for the first time, from lists of [destination, source] for every step; where pairs
 *  have several words (`due`, by pair), when the last of them was, and how many have been delivered. */
class Deliveries {
  constructor(terminals, due) {
    this.terminals = terminals;
    this.due = due;
    this.left = due ? Int32Array.from(due) : null;
    this.when = new Int32Array(terminals * terminals).fill(-1);
    this.steps = new Map();
    /** Step and pair of each word, where pairs have several. */
    this.words = due && due.some((words) => words > 1) ? [] : null;
  }
  add(step, source, destination) {
    const pair = source * this.terminals + destination;
    if (this.when[pair] >= 0) return;
    if (!this.left || --this.left[pair] === 0) this.when[pair] = step;
    this.steps.set(step, (this.steps.get(step) || 0) + 1);
    if (this.words) this.words.push([step, pair]);
  }
  /** How many words of each pair up to a step, and the pairs of which one arrives in it. */
  at(step) {
    const [count, now] = [new Uint32Array(this.when.length), new Set()];
    for (const [at, pair] of this.words) {
      if (at <= step) count[pair]++;
      if (at === step) now.add(pair);
    }
    return { count, now };
  }
  /** How many pairs, or words, up to a step. */
  upTo(step) {
    let all = 0;
    for (const [at, count] of this.steps) if (at <= step) all += count;
    return all;
  }
  text(step) {
    const rows = [];
    if (this.words) {
      const cells = Array.from(this.at(step).count, String);
      const width = cells.reduce((most, cell) => Math.max(most, cell.length), 1);
      for (let at = 0; at < cells.length; at += this.terminals) rows.push(cells.slice(at, at + this.terminals).map((cell) => cell.padStart(width)).join(" "));
      return rows.join("\n");
    }
    for (let source = 0; source < this.terminals; source++) {
      let row = "";
      for (let destination = 0; destination < this.terminals; destination++) {
        const at = this.when[source * this.terminals + destination];
        row += at >= 0 && at <= step ? "#" : ".";
      }
      rows.push(row);
    }
    return rows.join("\n");
  }
}

/** Numbers in words, the first few of them. */
function listed(numbers, most = 8) {
  const shown = numbers.slice(0, most).map(String);
  if (numbers.length > most) return `${shown.join(", ")} and ${numbers.length - most} more`;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`;
}

/** With a capital letter, at the beginning of a sentence. */
function capital(text) {
  return text[0].toUpperCase() + text.slice(1);
}

/** A noun, for as many as there are. */
function plural(noun, number) {
  return number === 1 ? noun : `${noun}${noun.endsWith("ch") ? "es" : "s"}`;
}

/** A count with its noun. */
function counted(number, noun, many = plural(noun, number)) {
  return `${number} ${number === 1 ? noun : many}`;
}

/** A point on a line of several points, 0 its beginning and 1 its end. */
function along(points, part) {
  let length = 0;
  const lengths = [];
  for (let at = 1; at < points.length; at++) {
    lengths.push(Math.hypot(points[at][0] - points[at - 1][0], points[at][1] - points[at - 1][1]));
    length += lengths[at - 1];
  }
  let left = length * Math.min(Math.max(part, 0), 1);
  for (const [at, piece] of lengths.entries()) {
    if (left <= piece) {
      const share = piece === 0 ? 0 : left / piece;
      const [from, to] = [points[at], points[at + 1]];
      return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
    }
    left -= piece;
  }
  return points[points.length - 1];
}
