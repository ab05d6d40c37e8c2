// What happens in a step and why, in sentences; and what messages and switches are called with what they do.

/** Switches of a stage that are named; of more their number is told. */
const MOST_NAMED = 8;

KINDS.planned = class extends KINDS.planned {
  /** The sentences of a cycle, those first that are read first: a narrow page folds the others. */
  sayings(cycle) {
    const { injected, why } = this.film;
    const rounds = this.at[cycle] || [];
    const said = rounds.filter(([round]) => injected[round] === cycle).map(([round]) => `Round ${round} enters.`);
    said.push(this.sayArrivals(cycle));
    const wrong = this.film.expected ? this.differencesText(cycle).split("\n").filter((line) => line !== "") : [];
    if (wrong.length > 0) said.push(`${counted(wrong.length, "thing differs", "things differ")} from the model: ${wrong[0]}${wrong.length > 1 ? "; …" : ""}.`);
    const acting = rounds.filter(([, hop]) => Number.isInteger(hop) && hop < this.hops).sort((a, b) => a[1] - b[1]);
    said.push(...acting.map(([round, hop]) => this.sayActing(cycle, round, hop)));
    const waiting = rounds.filter(([, hop]) => !Number.isInteger(hop)).map(([round]) => round);
    if (waiting.length > 0) said.push(`${plural("Round", waiting.length)} ${listed(waiting)} wait${waiting.length > 1 ? "" : "s"} in registers.`);
    if (acting.length > 0) said.push(why);
    return said;
  }

  /** What the switches do that a round has reached. */
  sayActing(cycle, round, hop) {
    const { words, stage_of, second_pass } = this.film;
    const cross = [];
    let acts = 0;
    for (let at = 0; at < this.switches; at++) {
      const state = this.state(cycle, stage_of[hop], at);
      if (state !== IDLE) acts++;
      if (state === 1) cross.push(at);
    }
    const pass = second_pass !== null && hop >= second_pass ? ", second pass" : "";
    const where = `Round ${round} is at ${words.stage} ${stage_of[hop] + words.first_stage}${pass}`;
    const set = words.states[1];
    if (acts === 0) return `${where}: no ${words.switch} acts.`;
    if (cross.length === 0) return `${where}: every ${words.switch} is set to ${words.states[0]}.`;
    if (cross.length === acts) return `${where}: every ${words.switch} is set to ${set}.`;
    if (acts > MOST_NAMED) return `${where}: ${cross.length} of ${counted(acts, words.switch)} are set to ${set}.`;
    return `${where}: ${plural(words.switch, cross.length)} ${listed(cross)} ${cross.length > 1 ? "are" : "is"} set to ${set}.`;
  }

  sayArrivals(cycle) {
    const rows = this.arrivals[cycle] || [];
    if (rows.length === 0) {
      const before = this.arrivals.slice(0, cycle).some((arrived) => arrived.length > 0);
      return before ? "Nothing arrives in this cycle." : `Nothing has arrived yet: a message takes ${counted(this.film.latency, "cycle")}.`;
    }
    const rounds = [...new Set(rows.map((row) => row[2]))];
    const pairs = rows.map(([output, source]) => `${source}→${output}`);
    return `Delivered: ${counted(rows.length, "message")} of ${plural("round", rounds.length)} ${listed(rounds)} (${listed(pairs, 4)}).`;
  }

  messageLabel(token) {
    const { words, stage_of } = this.film;
    const end = this.ends(token.round)[token.lane];
    let where = "arrives";
    if (token.lost) where = "lost";
    else if (token.hop < this.hops) where = `${token.waits ? "waits in front of" : "at"} ${words.stage} ${stage_of[token.hop] + words.first_stage}, ${words.switch} ${token.input >> 1}`;
    return `Message from ${words.terminal} ${this.laneName(token.lane)} to ${end < 0 ? "nowhere" : this.terminal(end)}, round ${token.round}: ${where}${token.wrong ? ", differs from the model" : ""}`;
  }

  /** Nothing for a box of a terminal. */
  boxLabel(box, cycle) {
    const { words } = this.film;
    const [stage, at] = [Math.floor(box / this.switches), box % this.switches];
    if (stage >= this.stages) return null;
    const state = this.state(cycle, stage, at);
    return `${words.switch} ${at} of ${words.stage} ${stage + words.first_stage}: ${state === IDLE ? "does not act" : words.states[state]}${this.stuck.has(box) ? ", stuck" : ""}`;
  }
};

KINDS.routed = class extends KINDS.routed {
  /** The sentences of a step. */
  sayings(step) {
    const { film } = this;
    const dilated = film.marks.some((mark) => mark.includes("head"));
    const said = this.noun === "word" ? this.sayStreamed(step) : dilated ? this.sayDilated(step) : this.sayMultibutterfly(step);
    const arrived = this.arrivals[step].map((message) => `${message} (${film.messages[message].join("→")})`);
    if (arrived.length > 0) said.push(`Delivered since the ${film.unit} before: ${plural(this.noun, arrived.length)} ${listed(arrived, 4)}.`);
    if (step < film.last) return [...said, film.why];
    const left = this.due - this.deliveredUpTo(step);
    return [...said, left === 0 ? `All ${this.noun}s have arrived.` : `Nothing moves any more: ${counted(left, "message")} will never arrive.`];
  }

  /** The messages on wires with a mark that has a word, and not another. */
  marked(step, word, but) {
    const { marks } = this.film;
    const has = (kind) => marks[kind].includes(word) && !(but && marks[kind].includes(but));
    return [...new Set(this.frame(step).wires.filter(([, , kind]) => has(kind)).map(([, message]) => message))];
  }

  /** The sum of the numbers that boxes say with a word. */
  saidSum(step, word) {
    return this.says(step).filter(([, text]) => text.endsWith(word)).reduce((all, [, text]) => all + parseInt(text, 10), 0);
  }

  sayDilated(step) {
    const [going, blocked, waiting] = [this.marked(step, "head", "blocked"), this.marked(step, "blocked"), this.saidSum(step, "wait")];
    const worms = new Set([...this.marked(step, "held"), ...going, ...blocked]).size;
    const said = [worms === 0 ? "No worm is in the network." : `${counted(worms, "worm is", "worms are")} in the network, ${counted(going.length, "head goes", "heads go")} on.`];
    if (blocked.length > 0) said.push(`${counted(blocked.length, "head is", "heads are")} blocked: ${plural("message", blocked.length)} ${listed(blocked, 6)}.`);
    if (waiting > 0) said.push(`${counted(waiting, "message waits", "messages wait")} at the rows.`);
    return said;
  }

  sayStreamed(step) {
    const { inside } = this.frame(step);
    const stored = inside.filter(([, , kind]) => this.film.marks[kind] === "in a memory").length;
    return [`${counted(inside.length - stored, "word is", "words are")} in registers, ${stored} in memories.`];
  }

  sayMultibutterfly(step) {
    const { inside, wires } = this.frame(step);
    const [moving, ghosts] = [this.marked(step, "moves"), this.saidSum(step, "g")];
    const committed = wires.filter(([, , kind]) => this.film.marks[kind].includes("committed")).length;
    const said = [`${counted(new Set(inside.map(([, message]) => message)).size, "message is", "messages are")} in nodes${ghosts > 0 ? `, with ${counted(ghosts, "ghost")}` : ""}.`];
    if (committed > 0) said.push(`${counted(committed, "port is", "ports are")} committed.`);
    said.push(moving.length === 0 ? "No message moves." : `${counted(moving.length, "message moves", "messages move")}: ${listed(moving, 6)}.`);
    return said;
  }

  messageLabel(token) {
    const { words, messages, wire_names } = this.film;
    const [source, destination] = messages[token.message];
    const where = token.box === undefined ? `${wire_names[token.wire]}${token.blocked ? ", blocked" : ""}` : `${words.switch} ${this.boxName(token.box)}${token.moves === undefined ? "" : ", moves"}`;
    return `${capital(this.noun)} ${token.message} from ${words.terminal} ${source} to ${destination}: ${where}`;
  }

  boxLabel(box, step) {
    const { words } = this.film;
    const says = this.says(step).filter(([of]) => of === box).map(([, text]) => text);
    const held = this.frame(step).inside.filter(([of]) => of === box).map(([, message]) => `${this.noun} ${message}`);
    const all = [...says, ...held];
    return `${words.switch} ${this.boxName(box)} (${words.stage}.row)${all.length > 0 ? `: ${all.join(", ")}` : ""}`;
  }
};
