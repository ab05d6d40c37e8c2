"use strict";
// Questions beside the design that is chosen: all systems in a table and a plot, an uneven demand, a search, a permutation, two files.

let table = null;
let sorted = null;

async function compare(now) {
  const n = Number(byId("n").value);
  await show("compare", { n }, now, (found) => {
    table = found;
    const numeric = found.columns.filter(({ numeric }) => numeric);
    const before = byId("plotted").value || "cycles";
    byId("plotted").replaceChildren(...numeric.map(({ name, head }) => make("option", { value: name, textContent: head })));
    byId("plotted").value = before;
    drawTable(n);
  });
}

function drawTable(n) {
  const { columns, rows } = table;
  const order = [...rows];
  if (sorted) {
    const at = columns.findIndex(({ name }) => name === sorted.name);
    const value = (row) => row.cells[at];
    order.sort((a, b) => (value(a) === null) - (value(b) === null) || (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * (sorted.down ? -1 : 1));
  }
  const head = make("tr", {}, ...columns.map((column) => {
    const button = make("button", { type: "button", textContent: column.head });
    button.addEventListener("click", () => {
      sorted = { name: column.name, down: sorted && sorted.name === column.name && !sorted.down };
      drawTable(n);
    });
    const cell = make("th", { scope: "col", className: column.numeric ? "number" : "" }, button);
    cell.ariaSort = !sorted || sorted.name !== column.name ? "none" : sorted.down ? "descending" : "ascending";
    return cell;
  }), make("th", { scope: "col", textContent: "note" }));
  const body = order.map((row) => {
    const cells = columns.map((column, at) => {
      const value = row.cells[at];
      if (column.name !== "system") return make("td", { className: column.numeric ? "number" : "", textContent: shown(value) });
      const options = row.cells[columns.findIndex(({ name }) => name === "options")];
      const size = row.cells[columns.findIndex(({ name }) => name === "terminals")] ?? n;
      const link = `#${[`system=${value}`, `n=${size}`, `w=${byId("w").value}`, ...(options ? options.split(" ") : [])].join("&")}`;
      return make("td", {}, make("a", { href: link, textContent: value }));
    });
    return make("tr", { className: row.cells[0] === byId("system").value ? "chosen" : "" }, ...cells, make("td", { className: "note", textContent: row.note ?? "" }));
  });
  byId("table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
}

function listenBeside() {
  byId("get-table").addEventListener("click", () => {
    if (!table) return;
    const lines = [[...table.columns.map(({ name }) => name), "note"], ...table.rows.map((row) => [...row.cells.map((cell) => (cell === null ? "" : String(cell))), row.note ?? ""])];
    save("systems.csv", lines.map((cells) => `${cells.map(quoted).join(",")}\n`).join(""), "text/csv");
  });
  byId("plot").addEventListener("click", () => {
    problem("");
    show("plot", { column: byId("plotted").value, n: Number(byId("n").value) }, turn, (found) => {
      draw("plot-drawing", found.text);
      byId("plot-drawing").alt = `${byId("plotted").selectedOptions[0].textContent} of the planned systems against N`;
      byId("get-plot").hidden = byId("get-plot-picture").hidden = false;
      byId("get-plot").onclick = () => save(found.name, found.text, "image/svg+xml");
      byId("get-plot-picture").onclick = () => picture(found.name, found.text);
    });
  });
  const number = (id) => Number(byId(id).value);
  const demand = async () => {
    const file = byId("demand-file").files[0];
    return file ? inBase64(file) : { kind: byId("kind").value, n: number("n"), seed: number("demand-seed") };
  };
  // A file that is dropped on the page's part is chosen, and planned.
  const part = byId("demand");
  const over = (event) => {
    if (![...event.dataTransfer.items].some(({ kind }) => kind === "file")) return;
    event.preventDefault();
    part.classList.toggle("over", event.type === "dragover");
  };
  part.addEventListener("dragover", over);
  part.addEventListener("dragleave", () => part.classList.remove("over"));
  part.addEventListener("drop", (event) => {
    over(event);
    if (event.dataTransfer.files.length === 0) return;
    part.open = true;
    byId("demand-file").files = event.dataTransfer.files;
    byId("plan").click();
  });
  const planned = async () => {
    const bytes = byId("word-bytes").value;
    return { ...await demand(), delta: number("delta"), planes: number("planes"), word_bytes: bytes === "" ? undefined : Number(bytes), link: byId("link").value };
  };
  byId("get-schedule").addEventListener("click", async () => {
    problem("");
    show("demand_schedule", await planned(), turn, ({ name, csv, cycles, configurations }) => {
      byId("demand-title").textContent = `${name}: ${shown(cycles)} cycles, ${shown(configurations)} configurations`;
      save(name, csv, "text/csv");
    });
  });
  byId("carry").addEventListener("click", async () => {
    problem("");
    show("carried", { ...await demand(), system: byId("carrier").value }, turn, ({ name, html, drawing }) => {
      byId("carried").srcdoc = html;
      byId("carried").hidden = byId("get-carried").hidden = false;
      byId("get-carried").onclick = () => save(`${name}.html`, html, "text/html");
      byId("timeline").hidden = byId("get-timeline").hidden = !drawing;
      if (drawing) draw("timeline", drawing);
      byId("get-timeline").onclick = () => save(`${name}.svg`, drawing, "image/svg+xml");
    });
  });
  byId("plan").addEventListener("click", async () => {
    problem("");
    show("demand", await planned(), turn, ({ title, columns, rows, notes }) => {
      byId("demand-title").textContent = title;
      const head = columns.map((name) => make("th", { scope: "col", textContent: name.replaceAll("_", " ") }));
      const cell = (value) => make("td", { className: typeof value === "number" ? "number" : "", textContent: shown(value) });
      byId("planners").replaceChildren(make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map(cell)))));
      byId("demand-notes").replaceChildren(...notes.map((note) => make("li", { textContent: note })));
    });
  });
  byId("look").addEventListener("click", async () => {
    problem("");
    const file = byId("network-file").files[0];
    const rounds = byId("rounds").value === "" ? undefined : Number(byId("rounds").value);
    const what = file ? { network: await file.text() } : { design: last };
    show("search", { ...what, rounds, seconds: Number(byId("seconds").value) }, turn, ({ name, verdict, answer, by, lines, conflicts, found }) => {
      byId("found").className = { found: "good", impossible: "bad", open: "" }[verdict];
      byId("found").textContent = `${name}: ${answer}`;
      byId("found-by").textContent = by;
      byId("found-lines").replaceChildren(...[...lines, `${shown(conflicts)} conflicts`].map((line) => make("li", { textContent: line })));
      byId("play-found").hidden = byId("get-found").hidden = !found;
      if (!found) return;
      byId("get-found").onclick = () => save(`${name}_schedule.json`, found.files.schedule, "application/json");
      byId("play-found").onclick = () => {
        byId("system").value = "user";
        form(chosen());
        byId("n").value = found.terminals;
        given = { ...found.files };
        renew();
      };
    });
  });
  byId("check").addEventListener("click", () => {
    const now = turn;
    show("check", { permutation: byId("order").value }, now, (found) => {
      const fine = found.admissible;
      byId("verdict").className = fine ? "good" : "bad";
      byId("verdict").textContent = fine ? "One Butterfly routes it without conflict." : `Not without conflict: messages meet in ${found.conflicts.length} places.`;
      byId("meetings").replaceChildren(...found.words.map((line) => make("li", { textContent: line })));
      byId("drawing").hidden = true;
      if (found.drawing) draw("drawing", found.drawing);
    });
  });
  byId("diff").addEventListener("click", async () => {
    problem("");
    const [a, b] = ["first-file", "second-file"].map((id) => byId(id).files[0]);
    if (!a || !b) {
      problem("Choose two files first: waveforms (VCD, FST) or traces (CSV).");
      return;
    }
    const input = { a: await inBase64(a), b: await inBase64(b), common: byId("common").checked, ignore_reset: byId("ignore-reset").checked };
    byId("differences").hidden = true;
    byId("same").textContent = "";
    show("diff", input, turn, ({ same, text }) => {
      byId("same").textContent = same ? "No difference." : "They differ.";
      byId("same").className = same ? "good" : "bad";
      byId("differences").textContent = text;
      byId("differences").hidden = false;
    });
  });
}
