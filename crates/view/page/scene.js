// Where a page of rounds draws switches, wires and names.

KINDS.planned = class extends KINDS.planned {
  scene() {
    const { layout, words, second_pass } = this.film;
    const scene = { width: layout.width, height: layout.height, boxes: [], wires: [], texts: [], bands: [] };
    for (let stage = 0; stage < this.stages; stage++) {
      scene.texts.push({ x: layout.box_x[stage] + layout.box_width / 2, y: 36, text: `${words.stage} ${stage + words.first_stage}`, align: "center", at: stage, pitch: layout.box_x[1] - layout.box_x[0] || Infinity, need: 62 });
      for (let at = 0; at < this.switches; at++) {
        const y = layout.lane_y[2 * at];
        scene.boxes.push({ x: layout.box_x[stage], y: y - 10, width: layout.box_width, height: layout.lane_y[2 * at + 1] - y + 20, ports: [y, layout.lane_y[2 * at + 1]] });
      }
    }
    for (let hop = 0; hop <= this.hops; hop++) {
      // The second pass takes the same wires again.
      if (second_pass !== null && hop > 0 && hop < second_pass) continue;
      this.links()[hop].forEach((input, port) => scene.wires.push({ points: this.wire(hop, port), inside: Boolean(words.rows) && hop > 0 && hop < this.hops && input >> 1 === port >> 1 }));
    }
    if (this.film.lanes_per_terminal > 1) this.terminalBoxes(scene);
    if (words.rows) {
      for (let at = 0; at < this.switches; at++) {
        const y = layout.lane_y[2 * at] - 14;
        const [x, end] = [layout.box_x[0] - 8, layout.box_x[this.stages - 1] + layout.box_width + 66];
        scene.bands.push({ x, y, width: end - x, height: layout.lane_y[2 * at + 1] - y + 14 });
        scene.texts.push({ x: end - 3, y: y + 7, text: `${words.rows} ${at}`, align: "right", at, pitch: 58 });
      }
    }
    for (let lane = 0; lane < this.lanes; lane++) {
      // Ports have names where there is room between the wires and the terminal's box.
      const several = this.film.lanes_per_terminal > 1;
      const name = several ? { text: words.ports[lane % 2], at: 1, pitch: 36, need: 34 } : { text: this.laneName(lane), at: lane, pitch: 24 };
      scene.texts.push({ x: layout.input_x - 22, y: layout.lane_y[lane], align: "right", ...name });
      scene.texts.push({ x: layout.output_x + (several ? 18 : 8), y: layout.lane_y[lane], align: "left", ...name });
    }
    return scene;
  }

  /** Terminals of several lanes: a box at either end of their row. */
  terminalBoxes(scene) {
    const { layout, words, lanes_per_terminal } = this.film;
    for (let terminal = 0; terminal < this.film.terminals; terminal++) {
      const y = layout.lane_y[terminal * lanes_per_terminal];
      const height = layout.lane_y[(terminal + 1) * lanes_per_terminal - 1] - y;
      for (const x of [layout.input_x - 96, layout.output_x + 58]) {
        scene.boxes.push({ x, y: y - 8, width: 38, height: height + 16, round: true });
        scene.texts.push({ x: x + 19, y: y + height / 2, text: `${terminal}`, align: "center", at: terminal, pitch: 29 * lanes_per_terminal });
      }
    }
    for (const [x, align] of [[layout.input_x - 96, "left"], [layout.output_x + 96, "right"]]) scene.texts.push({ x, y: 36, text: `${words.terminal}s`, align });
  }

  laneName(lane) {
    const each = this.film.lanes_per_terminal;
    return each === 1 ? `${lane}` : `${this.terminal(lane)} ${this.film.words.ports[lane % each]}`;
  }

  /** The points of a wire of a hop; of that which leads back to the inputs and on to the first stage. */
  wire(hop, port, round) {
    const { layout, stage_of, second_pass } = this.film;
    const y = (lane) => layout.lane_y[lane];
    const from = hop === 0 ? layout.input_x : layout.box_x[stage_of[hop - 1]] + layout.box_width;
    const to = hop === this.hops ? layout.output_x : layout.box_x[stage_of[hop]];
    const input = this.links(round)[hop][port];
    // A straight beginning: room for the message and its label.
    const led = (x, at) => (y(at) === y(input) ? [[x, y(at)], [to, y(input)]] : [[x, y(at)], [x + layout.lead, y(at)], [to, y(input)]]);
    if (hop !== second_pass) return led(from, port);
    const lane = this.entry[input];
    const [above, right, left] = [layout.back_y[lane], from + 14, layout.input_x - 14];
    return [[from, y(port)], [right, y(port)], [right, above], [left, above], [left, y(lane)], ...led(layout.input_x, lane)];
  }
};
