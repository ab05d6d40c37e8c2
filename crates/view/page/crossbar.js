// Rounds through an ideal crossbar, which has no switches: a configuration is a wire from each input to its output, and others take their
// places with the next one. A word waits a cycle in the register of its terminal, and crosses in the next.

KINDS.crossbar = class extends KINDS.planned {
  constructor(film) {
    super(film);
    this.legend = `source>destination, a line for each ${film.words.terminal}`;
  }

  /** The wires of every configuration, and the configuration of each round. */
  checkLinks() {
    const { layout, delay, columns, configuration, control } = this.film;
    list_(layout.box_x, "layout.box_x", 0);
    list_(delay, "delay", 0);
    list_(columns, "columns").forEach((wires, at) => {
      numbers(wires, `columns[${at}]`, this.lanes, this.lanes);
      if (new Set(wires).size < this.lanes) throw broken(`columns[${at}]`, wires, "a wire to each output");
    });
    positive(columns.length, "columns.length");
    numbers(configuration, "configuration", columns.length, this.rounds);
    many(text, this.rounds)(control, "control");
  }

  links(round = 0) {
    return [this.film.columns[this.film.configuration[round] ?? 0]];
  }

  get leads() {
    return "configurations";
  }

  /** The round whose wires are seen in a cycle: that which crosses, else that which waits. */
  seen(cycle) {
    const rounds = this.at[cycle] || [];
    const [round] = rounds.find(([, hop]) => hop === this.hops) || rounds[0] || [];
    return round;
  }

  /** No wire is there in every cycle. */
  scene() {
    return { ...super.scene(), wires: [] };
  }

  /** The wires of a cycle, with colours where words cross. */
  lines(cycle) {
    const round = this.seen(cycle);
    const sent = round === undefined ? [] : this.way(round);
    return Array.from({ length: this.lanes }, (_, lane) => {
      const sends = sent[lane] === lane;
      return { points: this.wire(0, lane, round), width: sends ? 1.4 : 1, of: sends ? this.hue({ round, lane }, this.by || "source") : null };
    });
  }

  statesText(cycle) {
    return this.links(this.seen(cycle))[0].map((to, from) => `${from}>${to}`).join("\n");
  }

  sayings(cycle) {
    const { control, why } = this.film;
    const rounds = this.at[cycle] || [];
    const said = rounds.filter(([, hop]) => hop < this.hops).map(([round]) => `Round ${round} enters the registers.`);
    said.push(this.sayArrivals(cycle));
    const crossing = rounds.filter(([, hop]) => hop === this.hops).map(([round]) => `Round ${round} crosses: configuration ${control[round]}.`);
    return [...said, ...crossing, why];
  }

  messageLabel(token) {
    return `${super.messageStory(this.key(token)).title}, round ${token.round}: ${token.waits ? "waits in its register" : "crosses"}`;
  }

  messageStory(key) {
    const [round] = key.split(".").map(Number);
    const { title, lines } = super.messageStory(key);
    return { title, lines: [...lines, `Configuration ${this.film.control[round]}.`], rows: [] };
  }
};
