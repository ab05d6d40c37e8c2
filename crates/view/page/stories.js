// What a page of rounds tells in words: states, deliveries, differences, the stories of messages, switches and rounds.

KINDS.planned = class extends KINDS.planned {
  statesText(cycle) {
    const rows = [];
    const states = this.boxStates(cycle);
    for (let stage = 0; stage < this.stages; stage++) {
      let row = "";
      for (let at = 0; at < this.switches; at++) row += "=x."[states[stage * this.switches + at] & 3];
      rows.push(row);
    }
    return rows.join("\n");
  }

  deliveriesText(cycle) {
    return (this.arrivals[cycle] || []).map(([output, source, round]) => `${source}>${output} ${round}`).join("\n");
  }

  eventsText() {
    return "";
  }

  /** What differs from the model in a cycle: switches, messages on their wires, deliveries. */
  differencesText(cycle) {
    const { words, first_stage } = { ...this.film, ...this.film.words };
    const rows = [];
    this.boxStates(cycle).forEach((state, box) => {
      if (!(state & 4)) return;
      const [stage, at] = [Math.floor(box / this.switches), box % this.switches];
      const said = (of) => (of === IDLE ? "does not act" : words.states[of]);
      rows.push(`${words.switch} ${at} of ${words.stage} ${stage + first_stage}: ${said(state & 3)}, the model: ${said(this.state(cycle, stage, at, "expected"))}`);
    });
    for (const token of this.tokens(cycle).filter(({ wrong }) => wrong)) {
      const to = token.hop === this.hops ? "the outputs" : `${words.stage} ${this.film.stage_of[token.hop] + first_stage}`;
      rows.push(`the message of ${this.laneName(token.lane)} in round ${token.round} ${token.lost ? "is lost" : "is on another wire"} on the way to ${to}`);
    }
    const arrivals = [[this.film.wrong, "arrives, and not in the model, or with another word"], [this.film.missing, "does not arrive"]];
    for (const [list, what] of arrivals) {
      for (const [at, output, source] of list) if (at === cycle) rows.push(`${words.terminal} ${output}: the message of ${source} ${what}`);
    }
    return rows.join("\n");
  }

  /** Pairs that should have arrived, each with its cycle. */
  missingPairs() {
    return new Map(this.film.missing.map(([cycle, output, source]) => [source * this.film.terminals + output, cycle]));
  }

  /** Pairs that arrived and should not have, or with another word. */
  wrongPairs() {
    return new Set(this.film.wrong.map(([, output, source]) => source * this.film.terminals + output));
  }

  /** What is told of a message: a heading and a table. */
  messageStory(key) {
    const [round, lane] = key.split(".").map(Number);
    const { columns, delay, injected, latency, stage_of, words } = this.film;
    const way = this.way(round);
    const end = this.ends(round)[lane];
    const rows = [["cycle", words.stage, words.switch, "state", "port"]];
    const lines = [`Round ${round}, injected in cycle ${injected[round]}${end >= 0 ? `, delivered in cycle ${injected[round] + latency}` : ""}.`];
    if (this.film.labels) lines.push(`Label ${this.film.labels[round][lane].toString(2).padStart(this.hops, "0")}: a bit for each ${words.stage}.`);
    for (let hop = 0; hop < this.hops; hop++) {
      const port = way.subarray(hop * this.lanes, (hop + 1) * this.lanes).indexOf(lane);
      if (port < 0) { lines.push(`It is lost behind ${words.stage} ${stage_of[hop - 1] + words.first_stage}.`); break; }
      const input = columns[hop][port];
      const cycle = injected[round] + delay[hop];
      const state = this.state(cycle, stage_of[hop], input >> 1);
      const again = this.film.second_pass !== null && hop >= this.film.second_pass ? ", second pass" : "";
      rows.push([cycle, `${stage_of[hop] + words.first_stage}${again}`, input >> 1, state === IDLE ? "does not act" : words.states[state], state === IDLE ? "" : `${words.ports[input & 1]} to ${words.ports[(input ^ state) & 1]}`]);
    }
    const to = end >= 0 ? this.terminal(end) : "nowhere";
    return { title: `Message from ${words.terminal} ${this.laneName(lane)} to ${to}`, lines, rows };
  }

  /** The points of a message's whole way. */
  messageWay(key) {
    const [round, lane] = key.split(".").map(Number);
    const way = this.way(round);
    const points = [];
    for (let hop = 0; hop <= this.hops; hop++) {
      const port = way.subarray(hop * this.lanes, (hop + 1) * this.lanes).indexOf(lane);
      if (port < 0) break;
      points.push(...this.wire(hop, port, round));
    }
    return points;
  }

  /** The history of a switch. */
  boxStory(box) {
    const { words, columns, delay, injected, stage_of, last } = this.film;
    const [stage, at] = [Math.floor(box / this.switches), box % this.switches];
    const rows = [["cycle", "round", "state", `on ${words.ports[0]}`, `on ${words.ports[1]}`]];
    for (let cycle = 0; cycle <= last; cycle++) {
      const state = this.state(cycle, stage, at);
      if (state === IDLE) continue;
      const acting = this.at[cycle].find(([, hop]) => Number.isInteger(hop) && hop < this.hops && stage_of[hop] === stage);
      const on = ["", ""];
      if (acting) {
        const [round, hop] = acting;
        const way = this.way(round);
        columns[hop].forEach((input, port) => {
          const lane = way[hop * this.lanes + port];
          if (input >> 1 === at && lane !== NOBODY) on[input & 1] = `message of ${this.terminal(lane)}`;
        });
      }
      const wrong = this.film.expected && this.state(cycle, stage, at, "expected") !== state ? " (wrong)" : "";
      rows.push([cycle, acting ? acting[0] : "", words.states[state] + wrong, ...on]);
    }
    return { title: `${words.switch} ${at} of ${words.stage} ${stage + words.first_stage}`, lines: [], rows };
  }

  /** A round as a table. */
  roundStory(round) {
    const { injected, latency, words } = this.film;
    const rows = [[`from ${words.terminal}`, "to", ...(this.film.labels ? ["label"] : []), "arrives in cycle"]];
    const ends = this.ends(round);
    for (let lane = 0; lane < this.lanes; lane++) {
      const label = this.film.labels ? [this.film.labels[round][lane].toString(2).padStart(this.hops, "0")] : [];
      rows.push([this.laneName(lane), ends[lane] < 0 ? "nowhere" : this.terminal(ends[lane]), ...label, ends[lane] < 0 ? "" : injected[round] + latency]);
    }
    const named = this.film.demand ? "" : `: a bit for each ${words.stage}`;
    const control = this.film.control ? ` ${this.film.demand ? "Configuration" : "Control word"} ${this.film.control[round]}${named}.` : "";
    return { title: `Round ${round}`, lines: [`Injected in cycle ${injected[round]}.${control}`], rows };
  }
};
