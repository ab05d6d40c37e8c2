// Rounds through switches whose states were reported: messages follow the wires.

/** No message. */
const NOBODY = 0xffffffff;
/** A switch that did not act. */
const IDLE = 2;
/** What part of a cycle a message is on the wire, before it is within the switch. */
const ON_WIRE = 0.62;
/** From the beginning of a wire to the middle of the message that stands on it. */
const BESIDE = 10;
/** Rounds whose ways are kept. */
const KEPT = 64;

KINDS.planned = class {
  constructor(film) {
    this.film = film;
    this.lanes = list_(film.layout && film.layout.lane_y, "layout.lane_y").length;
    between(1, this.lanes + 1)(film.lanes_per_terminal, "lanes_per_terminal");
    list_(film.layout.lane_y, "layout.lane_y", film.terminals * film.lanes_per_terminal);
    this.hops = list_(film.delay, "delay").length;
    this.rounds = list_(film.injected, "injected").length;
    this.switches = this.lanes / 2;
    this.stages = list_(film.layout.box_x, "layout.box_x").length;
    maybe(between(1, this.hops))(film.second_pass, "second_pass");
    members({
      width: positive, height: positive, box_x: many(finite), box_width: finite, lane_y: many(finite), input_x: finite, output_x: finite,
      back_y: many(finite, film.second_pass === null ? undefined : this.lanes),
    })(film.layout, "layout");
    this.checkLinks();
    numbers(film.stage_of, "stage_of", this.stages, this.hops);
    numbers(film.injected, "injected", film.last + 1);
    numbers(film.delay, "delay", film.last + 1);
    count(film.latency, "latency");
    count(film.layout.lead, "layout.lead");
    this.checkStates(film.states, "states");
    if (film.expected !== null) this.checkStates(film.expected, "expected");
    maybe(many(many(count, this.lanes), this.rounds))(film.labels, "labels");
    maybe(many(text, this.rounds))(film.control, "control");
    maybe(many(many(many(between(-1, this.lanes), this.lanes), this.hops), this.rounds))(film.ways, "ways");
    maybe(many(many(between(0, this.lanes)), this.rounds))(film.silent, "silent");
    maybe(many(count, film.terminals ** 2))(film.demand, "demand");
    this.stuck = new Set((film.stuck === undefined ? [] : many(row(between(0, this.stages), between(0, this.switches)))(film.stuck, "stuck")).map(([stage, at]) => stage * this.switches + at));
    this.entry = new Array(this.lanes);
    this.links()[0].forEach((input, lane) => { this.entry[input] = lane; });
    this.ways = { states: new Map(), expected: new Map() };
    this.ended = { states: new Map(), expected: new Map() };
    const arrival = row(between(0, film.last + 1), between(0, film.terminals), between(0, film.terminals));
    for (const what of ["wrong", "missing"]) many(arrival)(film[what], what);
    if (!film.expected) this.differencesText = undefined; // nothing is beside it
    this.schedule();
    this.readDeliveries();
    if (!film.difference) this.compare();
    const { states } = film.words;
    this.roundCount = this.rounds;
    if (film.silent) this.due = film.silent.reduce((due, lanes) => due + this.lanes - lanes.length, 0);
    this.counted = film.demand ? "words" : "pairs";
    this.legible = READABLE / 24;
    /** Of the longest number of a message. */
    this.digits = String(film.terminals - 1).length;
    this.legend = `= ${states[0]}, x ${states[1]}, . not acting; a line for each ${film.words.stage}`;
  }

  /** Links of every hop, and two lanes for each switch. */
  checkLinks() {
    if (this.lanes % 2 === 1) throw broken("layout.lane_y", this.film.layout.lane_y, "of an even length");
    list_(this.film.columns, "columns", this.hops + 1).forEach((column, hop) => numbers(column, `columns[${hop}]`, this.lanes, this.lanes));
  }

  /** The links of every hop, those of a round if they differ from round to round. */
  links() {
    return this.film.columns;
  }

  /** What leads messages. */
  get leads() {
    return "switches";
  }

  checkStates(states, what) {
    const digits = Math.ceil(this.switches / 4);
    list_(states, what, this.film.last + 1).forEach((stages, cycle) => {
      list_(stages, `${what}[${cycle}]`, this.stages).forEach((row, stage) => {
        const fits = row === "" || (typeof row === "string" && (row[0] === ":" ? row.length === this.switches + 1 && /^:[01.]*$/.test(row) : row.length === digits && /^[0-9a-f]*$/.test(row)));
        if (!fits) throw new Problem(`This page's data is broken: ${what}[${cycle}][${stage}] is ${JSON.stringify(String(row).slice(0, 40))}, not the states of ${this.switches} switches.`);
      });
    });
  }

  /** The state of a switch: 0, 1, or IDLE. */
  state(cycle, stage, at, which = "states") {
    const row = this.film[which][cycle] ? this.film[which][cycle][stage] : "";
    if (row === "") return IDLE;
    if (row[0] === ":") return row[at + 1] === "." ? IDLE : Number(row[at + 1]);
    return (parseInt(row[at >> 2], 16) >> (3 - (at & 3))) & 1;
  }

  /** Which round is where in each cycle: hop, or hop - 0.5 for one that waits in front of a hop, or the number of hops (or that - 0.5) on the last wire. */
  schedule() {
    const { injected, delay, latency, last } = this.film;
    this.at = Array.from({ length: last + 1 }, () => []);
    injected.forEach((from, round) => {
      for (let since = 0; since <= latency && from + since <= last; since++) {
        const acting = delay.indexOf(since);
        const next = delay.findIndex((cycles) => cycles > since);
        const hop = since === latency ? this.hops : acting >= 0 ? acting : (next >= 0 ? next : this.hops) - 0.5;
        this.at[from + since].push([round, hop]);
      }
    });
  }

  readDeliveries() {
    const { deliveries, last, terminals } = this.film;
    this.delivered = new Deliveries(terminals, this.film.demand);
    this.arrivals = list_(deliveries, "deliveries", last + 1).map((rows, cycle) => {
      list_(rows, `deliveries[${cycle}]`);
      let triples = rows;
      if (rows.length > 0 && !Array.isArray(rows[0])) {
        const each = (rows.length - 1) / terminals;
        if (!Number.isInteger(each) || each === 0) throw new Problem(`This page's data is broken: deliveries[${cycle}] has ${rows.length - 1} sources for ${terminals} outputs.`);
        triples = rows.slice(1).map((source, at) => [Math.floor(at / each), source, rows[0]]);
      }
      for (const row of triples) {
        numbers(row, `deliveries[${cycle}]`, Math.max(terminals, this.rounds), 3);
        if (row[0] >= terminals || row[1] >= terminals || row[2] >= this.rounds) {
          throw new Problem(`This page's data is broken: deliveries[${cycle}] has output ${row[0]}, source ${row[1]}, round ${row[2]}.`);
        }
        this.delivered.add(cycle, row[1], row[0]);
      }
      return triples;
    });
  }

  /** How many pairs have been served up to a cycle. */
  deliveredUpTo(cycle) {
    return this.delivered.upTo(cycle);
  }

  /** What each output of each hop carries in a round: the lane that sent it, or NOBODY. Hop 0 is what is injected. */
  way(round, which = "states") {
    const kept = this.ways[which];
    if (kept.has(round)) return kept.get(round);
    const way = which === "states" && this.film.ways ? this.seenWay(round) : this.ledWay(round, which);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
    kept.set(round, way);
    return way;
  }

  /** The lanes that send in a round, and nothing behind them yet. */
  sent(round) {
    const way = new Uint32Array((this.hops + 1) * this.lanes).fill(NOBODY);
    for (let lane = 0; lane < this.lanes; lane++) way[lane] = lane;
    for (const lane of this.film.silent ? this.film.silent[round] : []) way[lane] = NOBODY;
    return way;
  }

  /** Where its words were seen. */
  seenWay(round) {
    const way = this.sent(round);
    this.film.ways[round].forEach((ports, hop) => ports.forEach((lane, port) => { if (lane >= 0) way[(hop + 1) * this.lanes + port] = lane; }));
    return way;
  }

  /** Where the switches lead it. */
  ledWay(round, which) {
    const { columns, delay, injected, stage_of } = this.film;
    const way = this.sent(round);
    for (let hop = 0; hop < this.hops; hop++) {
      const cycle = injected[round] + delay[hop];
      for (let port = 0; port < this.lanes; port++) {
        const lane = way[hop * this.lanes + port];
        if (lane === NOBODY) continue;
        const input = columns[hop][port];
        const state = this.state(cycle, stage_of[hop], input >> 1, which);
        if (state !== IDLE) way[(hop + 1) * this.lanes + (input ^ state)] = lane;
      }
    }
    return way;
  }

  terminal(lane) {
    return Math.floor(lane / this.film.lanes_per_terminal);
  }

  /** Where the messages of a round end, by lane: the output lane, or -1. */
  ends(round, which = "states") {
    const kept = this.ended[which];
    if (!kept.has(round)) {
      if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
      kept.set(round, this.findEnds(round, which));
    }
    return kept.get(round);
  }

  findEnds(round, which) {
    const way = this.way(round, which);
    const ends = new Int32Array(this.lanes).fill(-1);
    for (let port = 0; port < this.lanes; port++) {
      const lane = way[this.hops * this.lanes + port];
      if (lane !== NOBODY) ends[lane] = this.links(round)[this.hops][port];
    }
    return ends;
  }

  /** Switches and deliveries were reported by one run: where one leads the other must be. */
  compare() {
    const { injected, latency, words } = this.film;
    for (let round = 0; round < this.rounds; round++) {
      const cycle = injected[round] + latency;
      const led = [];
      this.ends(round).forEach((output, lane) => { if (output >= 0) led.push(this.terminal(output) * this.film.terminals + this.terminal(lane)); });
      const told = (this.arrivals[cycle] || []).filter((row) => row[2] === round).map((row) => row[0] * this.film.terminals + row[1]);
      led.sort((a, b) => a - b);
      told.sort((a, b) => a - b);
      const at = led.findIndex((pair, place) => pair !== told[place]);
      if (at < 0 && led.length === told.length) continue;
      const name = (pair) => (pair === undefined ? "nothing" : `${words.terminal} ${Math.floor(pair / this.film.terminals)} the message of ${pair % this.film.terminals}`);
      const place = at < 0 ? led.length : at;
      throw new Problem(`The ${this.leads} and the deliveries of this page are not of one run: in round ${round}, cycle ${cycle}, the ${this.leads} give ${name(led[place])}, the deliveries ${name(told[place])}.`);
    }
  }

  /** For every box 0, 1 or IDLE, 4 more if it should be another, and 8 more if it is stuck. */
  boxStates(cycle) {
    const states = new Uint8Array(this.stages * this.switches);
    for (let stage = 0; stage < this.stages; stage++) {
      for (let at = 0; at < this.switches; at++) {
        const state = this.state(cycle, stage, at);
        const wrong = this.film.expected && this.state(cycle, stage, at, "expected") !== state;
        const box = stage * this.switches + at;
        states[box] = state + (wrong ? 4 : 0) + (this.stuck.has(box) ? 8 : 0);
      }
    }
    return states;
  }

  /** The messages in the network in a cycle. */
  tokens(cycle) {
    const tokens = [];
    const { second_pass } = this.film;
    for (const [round, place] of this.at[cycle] || []) {
      const hop = Math.ceil(place);
      const way = this.way(round);
      const expected = this.film.expected ? this.way(round, "expected") : null;
      for (let port = 0; port < this.lanes; port++) {
        const lane = way[hop * this.lanes + port];
        if (lane === NOBODY) continue;
        const input = this.links(round)[hop][port];
        // Behind the switch it is at one of its outputs, or a fault has taken it away.
        const behind = (output) => place === hop && hop < this.hops && way[(hop + 1) * this.lanes + output] === lane;
        tokens.push({
          round, lane, hop, port, input,
          waits: place < hop,
          output: behind(input) ? input : behind(input ^ 1) ? input ^ 1 : -1,
          ring: second_pass !== null && hop >= second_pass,
          wrong: expected !== null && expected[hop * this.lanes + port] !== lane,
        });
      }
      if (expected) tokens.push(...this.lost(round, hop, way, expected));
    }
    return tokens;
  }

  /** Messages that should be at a hop and are nowhere: where the model has them. */
  lost(round, hop, way, expected) {
    const here = (of) => of.subarray(hop * this.lanes, (hop + 1) * this.lanes);
    const there = new Set(here(way));
    const tokens = [];
    here(expected).forEach((lane, port) => {
      if (lane === NOBODY || there.has(lane)) return;
      tokens.push({ round, lane, hop, port, input: this.links(round)[hop][port], waits: false, output: -1, ring: false, wrong: true, lost: true });
    });
    return tokens;
  }

  key(token) {
    return `${token.round}.${token.lane}`;
  }

  /** How large half of its mark may be: of one that waits in front of a wire and one that acts each has its side of the beginning. */
  room() {
    return BESIDE;
  }

  /** Where a message stands while nothing moves, so that no wire crosses it; `place` in the stills' parts.rs says the same. */
  rest(token) {
    const { layout, second_pass } = this.film;
    const wire = this.wire(token.hop, token.port, token.round);
    const beside = ([x, y], dx) => [x + dx, y];
    if (token.hop !== second_pass) return beside(wire[0], !token.waits ? BESIDE : token.hop === 0 ? -BESIDE : layout.lead / 2);
    if (!token.waits) return beside(wire[5], BESIDE);
    const [right, left] = [wire[2][0], wire[3][0]];
    return [left + ((right - left) * (token.port + 0.5)) / this.lanes, wire[2][1]];
  }

  /** Where a message is after part of its cycle. */
  place(token, part) {
    if (token.waits || part === REST) return this.rest(token);
    const wire = this.wire(token.hop, token.port, token.round);
    if (token.hop !== this.film.second_pass) wire[0] = this.rest(token);
    if (token.hop === this.hops) return along(wire, part);
    if (part < ON_WIRE || token.output < 0) return along(wire, part / ON_WIRE);
    const { layout, stage_of } = this.film;
    const x = layout.box_x[stage_of[token.hop]];
    const within = [[x, layout.lane_y[token.input]], [x + layout.box_width, layout.lane_y[token.output]]];
    return along(within, (part - ON_WIRE) / (1 - ON_WIRE));
  }

  /** What stands beside a message: who sent it, and what is left of its label. */
  label(token) {
    const labels = this.film.labels;
    if (!labels) return "";
    return labels[token.round][token.lane].toString(2).padStart(this.hops, "0").slice(token.hop);
  }
  name(token) {
    return `${this.terminal(token.lane)}`;
  }
  /** The number that says how it looks. */
  hue(token, by) {
    const lane = by === "source" ? token.lane : Math.max(this.ends(token.round, this.film.expected ? "expected" : "states")[token.lane], 0);
    return this.terminal(lane);
  }
};
