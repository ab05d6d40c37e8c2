"use strict";
// The form, the address, and what is shown of the worker's answers. Nothing is computed here.

const byId = (id) => document.getElementById(id);
const make = (tag, members = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...inside);
  return element;
};

/** Up to here a film plays at once; above, who wants it asks for it. */
const PLAYED = 256;
/** Members of the address that are no options of a system. */
const OWN = ["system", "n", "w", "traffic", "seed", "fault", "show"];
/** Parts that the address opens. */
const PARTS = ["files", "comparison", "demand", "search", "permutation", "two"];
const FIRST = { system: "rls", n: "8", w: "8" };

/** The module's bytes, which are packed, and those of the module that unpacks them: beside this page, or in it. */
const modules = () => Promise.all([["wasm", "fritillary.wasm.lz"], ["unpack", "unpack.wasm"]].map(async ([id, file]) => {
  const within = byId(id);
  if (within) {
    within.remove();
    return Uint8Array.from(atob(within.textContent.trim()), (letter) => letter.charCodeAt(0));
  }
  const reply = await fetch(file);
  if (!reply.ok) throw new Error(`${file}: ${reply.status}`);
  return new Uint8Array(await reply.arrayBuffer());
}));

/** The worker, which answers one question after the other; it can be stopped and started again. */
class Machine {
  constructor([packed, unpack]) {
    /** What the worker gets first; once it has unpacked the module, the module. */
    this.first = { packed, unpack };
    this.asked = new Map();
    this.next = 0;
    const within = byId("worker");
    this.url = within ? URL.createObjectURL(new Blob([within.textContent], { type: "text/javascript" })) : "worker.js";
    this.start();
  }
  start() {
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (event) => { event.preventDefault(); this.restart(event.message || "the worker did not start"); };
    this.worker.postMessage(this.first);
  }
  hear({ id, text, broken, bytes }) {
    if (bytes) {
      this.first = { bytes };
      return;
    }
    if (broken !== undefined) {
      // After a trap the module's memory is not to be trusted.
      this.restart(/memory|unreachable|out of bounds/i.test(broken)
        ? `there was not enough memory, or a part of Fritillary is broken (${broken}); make N smaller, or use the command frit` : broken);
      return;
    }
    if (id === undefined) return;
    const waiting = this.asked.get(id);
    this.asked.delete(id);
    working();
    const said = JSON.parse(text);
    if (said.error !== undefined) waiting.fail(new Error(said.error));
    else waiting.done(said.answer);
  }
  /** Ends what runs; everything asked so far fails with this reason. */
  restart(reason) {
    this.worker.terminate();
    const waiting = [...this.asked.values()];
    this.asked.clear();
    this.start();
    working();
    waiting.forEach(({ fail }) => fail(new Error(reason)));
  }
  ask(call, input) {
    const id = this.next++;
    return new Promise((done, fail) => {
      this.asked.set(id, { done, fail, since: performance.now() });
      working();
      this.worker.postMessage({ id, text: JSON.stringify({ call, input }) });
    });
  }
  /** Milliseconds for which the oldest question has waited. */
  waits() {
    const [oldest] = this.asked.values();
    return oldest ? performance.now() - oldest.since : 0;
  }
}

const CANCELLED = "cancelled";
let machine = null;
let systems = [];
/** Files in place of options, by the option's name; they are not in the address. */
let given = {};
/** What was asked for last. */
let last = null;
/** Counts what was asked for: an answer to an older question is not shown. */
let turn = 0;
let timer;

/** Says what is going on. */
function working() {
  const waits = machine ? machine.waits() : 0;
  const busy = machine && machine.asked.size > 0;
  byId("working").textContent = !busy ? "" : waits < 1000 ? "Working …" : `Working for ${Math.floor(waits / 1000)} s …`;
  byId("cancel").hidden = !busy || waits < 1000;
  document.body.dataset.busy = busy ? "yes" : "no";
  clearTimeout(timer);
  if (busy) timer = setTimeout(working, 250);
}

function problem(text) {
  byId("problem").hidden = !text;
  byId("problem").textContent = text || "";
}

/** The row of the table of systems that is chosen. */
const chosen = () => systems.find((row) => row.system === byId("system").value);

/** The form as the questions have it. */
function asked() {
  const row = chosen();
  const number = (id) => {
    if (byId(id).value === "") return undefined;
    const given = Number(byId(id).value);
    if (!Number.isSafeInteger(given) || given < 0) throw new Error(`${id.toUpperCase()} is ${byId(id).value}; give a whole number.`);
    return given;
  };
  const options = {};
  const files = {};
  for (const option of row.options) {
    const input = byId(`option-${option.name}`);
    if (given[option.name] !== undefined) files[option.name] = given[option.name];
    else if (input && input.type !== "file" && input.value !== "" && input.value !== input.dataset.usual) options[option.name] = input.value;
  }
  const what = { system: row.system, n: number("n"), w: number("w"), options, files };
  if (row.traffic.length > 0) {
    what.traffic = byId("traffic").value;
    what.seed = number("seed");
  }
  if (row.kind !== "streamed" && byId("fault").value.trim() !== "") what.fault = byId("fault").value.trim();
  return what;
}

/** The form as an address; the one that is there where the form is no question. */
function address() {
  let what;
  try {
    what = asked();
  } catch {
    return location.hash;
  }
  const { system, n, w, options, traffic, seed, fault } = what;
  const members = [["system", system], ["n", n], ["w", w], ...Object.entries(options)];
  if (traffic !== undefined && traffic !== chosen().traffic[0]) members.push(["traffic", traffic]);
  if (seed !== undefined && seed !== 1) members.push(["seed", seed]);
  if (fault !== undefined) members.push(["fault", fault]);
  for (const id of PARTS) if (byId(id).open) members.push(["show", id]);
  const text = members.filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2C", ",")}`);
  return `#${text.join("&")}`;
}

/** Fills the form from the address; says what of it cannot be. */
function fromAddress() {
  const named = new URLSearchParams(location.hash.slice(1));
  const members = named.has("system") ? Object.fromEntries(named) : { ...FIRST, ...Object.fromEntries(named) };
  const row = systems.find((row) => row.system === members.system);
  if (!row) {
    problem(`The address names the system ${JSON.stringify(members.system)}; the systems are: ${systems.map((row) => row.system).join(", ")}.`);
    return false;
  }
  byId("system").value = row.system;
  given = {};
  form(row);
  byId("n").value = members.n ?? row.example;
  byId("w").value = members.w ?? 8;
  byId("seed").value = members.seed ?? 1;
  byId("fault").value = members.fault ?? "";
  if (row.traffic.includes(members.traffic)) byId("traffic").value = members.traffic;
  for (const id of PARTS) byId(id).open = named.getAll("show").includes(id);
  for (const [name, value] of Object.entries(members)) {
    if (OWN.includes(name)) continue;
    const input = byId(`option-${name}`);
    if (!input || input.type === "file") {
      problem(`The address names the option ${JSON.stringify(name)}, which ${row.system} does not have${input ? " but as a file; choose the file" : ""}.`);
      return false;
    }
    if (input.tagName === "SELECT" && ![...input.options].some((option) => option.value === value)) {
      problem(`The address sets ${name} to ${JSON.stringify(value)}; give one of ${[...input.options].map((option) => option.value).join(", ")}.`);
      return false;
    }
    input.value = value;
  }
  return true;
}

/** The inputs of a system's options. */
function form(row) {
  byId("title").textContent = `${row.title}.`;
  byId("sizes").textContent = row.sizes;
  byId("traffic-choice").hidden = byId("seed-choice").hidden = row.traffic.length === 0;
  byId("traffic").replaceChildren(...row.traffic.map((word) => make("option", { value: word, textContent: word })));
  byId("fault-choice").hidden = row.kind === "streamed";
  const inputs = row.options.flatMap((option) => {
    const id = `option-${option.name}`;
    const usual = option.default === null || option.default === undefined ? "" : String(option.default);
    const label = [];
    if (option.values.length > 0) {
      const select = make("select", { id, title: option.help }, ...option.values.map((word) => make("option", { value: word, textContent: word })));
      select.dataset.usual = usual;
      label.push(make("label", { title: option.help }, option.name, select));
    } else if (!option.takes_file) {
      const input = make("input", { id, type: option.range ? "number" : "text", title: option.help, placeholder: usual || option.text || "", autocomplete: "off" });
      if (option.range) [input.min, input.max] = option.range;
      input.dataset.usual = usual;
      label.push(make("label", { title: option.help }, option.name, input));
    }
    if (option.takes_file) {
      const file = make("input", { id: option.values.length > 0 ? `file-${option.name}` : id, type: "file", title: option.help });
      file.addEventListener("change", async () => {
        delete given[option.name];
        if (file.files[0]) given[option.name] = await file.files[0].text();
        renew();
      });
      label.push(make("label", { title: option.help }, `${option.name} from a file`, file));
    }
    return label;
  });
  byId("options").replaceChildren(...inputs);
}

/** Text for a number: thousands apart. */
const shown = (value) => (value === null || value === undefined ? "–" : typeof value === "number" ? value.toLocaleString("en") : Array.isArray(value) ? value.join(", ") : typeof value === "object" ? Object.entries(value).map(([name, value]) => `${name}=${value}`).join(" ") || "–" : String(value));

/** Facts that have a place of their own. */
const ELSEWHERE = ["name", "system", "bound_reason", "source"];

function showFigures(found) {
  const { first, figures } = found;
  byId("name").textContent = figures.name ?? `${found.title}, N = ${last.n}`;
  byId("cycles").textContent = figures[first] ?? "not run";
  byId("unit").textContent = first === "latency" ? "cycles of latency" : first;
  byId("formula").textContent = found.formula ? `= ${found.formula}` : "";
  const rows = Object.entries(figures).filter(([name]) => name !== first && !ELSEWHERE.includes(name));
  byId("all").replaceChildren(...rows.map(([name, value]) => make("div", {}, make("dt", { textContent: name.replaceAll("_", " ") }), make("dd", { textContent: shown(value) }))));
  const bound = figures.bound_reason ?? found.bound_reason;
  const about = [bound && `Bound: ${bound}.`, found.driven && `Switches are set by: ${found.driven}.`, found.paper && `From: ${found.paper}.`];
  byId("about").textContent = about.filter(Boolean).join(" ");
  byId("command").textContent = found.command;
  if (found.fault) problem(`The exchange is not complete: ${found.fault}`);
}

/** Asks, and shows the answer unless something else was asked for meanwhile. */
async function show(call, input, now, see) {
  try {
    const answer = await machine.ask(call, input);
    if (now === turn) see(answer);
    return true;
  } catch (error) {
    if (now === turn) problem(error.message === CANCELLED ? "Cancelled. Change the form to go on." : error.message);
    return false;
  }
}

/** What the form asks for now: figures, film, and what is open below. */
async function renew({ keep = false } = {}) {
  const now = ++turn;
  problem("");
  if (machine.waits() > 500) machine.restart(CANCELLED);
  let what;
  try {
    what = asked();
  } catch (error) {
    problem(error.message);
    return;
  }
  if (!keep) history.replaceState(null, "", address());
  last = what;
  document.body.dataset.done = "no";
  for (const id of ["figures", "more", "film"]) byId(id).classList.add("stale");
  const fine = await show("figures", what, now, (found) => {
    showFigures(found);
    for (const id of ["figures", "more"]) byId(id).classList.remove("stale");
  });
  if (now !== turn) return;
  for (const id of ["figures", "more", "downloads"]) byId(id).hidden = !fine;
  if (!fine) byId("cycles").textContent = "";
  const large = what.n > PLAYED;
  byId("large").hidden = !(fine && large);
  byId("film").hidden = !fine;
  byId("player").hidden = large;
  if (large) byId("film").classList.remove("stale");
  byId("get-deliveries").disabled = chosen().kind === "streamed";
  for (const id of ["get-drawing", "get-picture", "round"]) byId(id).disabled = chosen().kind !== "planned";
  byId("file").replaceChildren();
  byId("text").textContent = "";
  if (fine && !large) await film(what, now);
  if (fine && now === turn && byId("files").open) await lookInto(what, now);
  if (now === turn && byId("comparison").open) await compare(now);
  if (now === turn) document.body.dataset.done = "yes";
}

async function film(what, now) {
  const fine = await show("page", what, now, (found) => {
    byId("player").hidden = false;
    byId("player").srcdoc = found.html;
    byId("film").classList.remove("stale");
  });
  if (!fine && now === turn) byId("player").hidden = true;
}

/** The files as a list, and one of them as text. */
async function lookInto(what, now) {
  await show("files", what, now, (found) => {
    byId("file").replaceChildren(...found.files.map(({ name }) => make("option", { value: name, textContent: name })));
    const look = () => { byId("text").textContent = found.files.find(({ name }) => name === byId("file").value).text; };
    const datasheet = found.files.find(({ name }) => name.endsWith("_datasheet.md"));
    if (datasheet) byId("file").value = datasheet.name;
    byId("file").onchange = look;
    look();
  });
}

/** Gives the browser a file to save. */
function save(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** Shows a drawing. */
function draw(id, svg) {
  URL.revokeObjectURL(byId(id).src);
  byId(id).src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  byId(id).hidden = false;
}

/** Saves a drawing as a picture of twice its size. */
async function picture(name, svg) {
  const image = make("img", { src: URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" })) });
  await image.decode();
  const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(name.replace(/svg$/, "png"), blob, "image/png"));
}

/** A file with its bytes as text. */
const inBase64 = (file) => new Promise((done, fail) => {
  const reader = new FileReader();
  reader.onload = () => done({ name: file.name, base64: reader.result.slice(reader.result.indexOf(",") + 1) });
  reader.onerror = () => fail(reader.error);
  reader.readAsDataURL(file);
});

const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll("\"", "\"\"")}"` : cell);

/** The buttons that make a file. */
const FILES = {
  "get-zip": (what) => ["files", what, ({ name, zip }) => save(`${name}.zip`, Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0)), "application/zip")],
  "get-page": (what) => ["page", what, ({ html }) => save(`${what.system}_n${what.n}.html`, html, "text/html")],
  "get-drawing": (what) => ["drawing", { ...what, round: Number(byId("round").value) }, ({ name, text }) => save(`${what.system}_n${what.n}_${name}`, text, "image/svg+xml")],
  "get-picture": (what) => ["drawing", { ...what, round: Number(byId("round").value) }, ({ name, text }) => picture(`${what.system}_n${what.n}_${name}`, text)],
  "get-deliveries": (what) => ["deliveries", what, ({ name, text }) => save(`${what.system}_n${what.n}_${name}`, text, "text/csv")],
};

function listen() {
  let soon;
  byId("form").addEventListener("submit", (event) => event.preventDefault());
  byId("form").addEventListener("input", (event) => {
    if (event.target.type === "file") return;
    if (event.target.id === "system") {
      given = {};
      form(chosen());
      byId("n").value = chosen().example;
      byId("fault").value = "";
    }
    if (event.target.tagName === "SELECT" && event.target.id.startsWith("option-")) delete given[event.target.id.slice(7)];
    clearTimeout(soon);
    soon = setTimeout(renew, 200);
  });
  // Not by the address, which is the form's.
  byId("skip").addEventListener("click", (event) => { event.preventDefault(); byId("figures").focus(); });
  byId("cancel").addEventListener("click", () => machine.restart(CANCELLED));
  byId("play-large").addEventListener("click", () => { byId("large").hidden = true; film(last, turn); });
  for (const [id, file] of Object.entries(FILES)) {
    byId(id).addEventListener("click", () => {
      problem("");
      const [call, input, see] = file(last);
      show(call, input, turn, see);
    });
  }
  for (const id of ["files", "comparison"]) {
    byId(id).addEventListener("toggle", () => {
      history.replaceState(null, "", address());
      if (!byId(id).open) return;
      if (id === "files" && byId("file").options.length === 0) lookInto(last, turn);
      if (id === "comparison") compare(turn);
    });
  }
  listenBeside();
  window.addEventListener("hashchange", () => {
    problem("");
    if (fromAddress()) renew({ keep: true });
  });
}

async function start() {
  machine = new Machine(await modules());
  const table = await machine.ask("systems", {});
  systems = table.systems;
  byId("version").textContent = table.version;
  byId("carrier").replaceChildren(...table.carriers.map((key) => make("option", { value: key, textContent: key })));
  byId("kind").replaceChildren(...table.demands.map((kind) => make("option", { value: kind, textContent: kind })));
  const kinds = { planned: "planned: schedules", routed: "routed: any traffic", streamed: "streamed: other orders" };
  byId("system").replaceChildren(...Object.entries(kinds).map(([kind, words]) => make("optgroup", { label: words },
    ...systems.filter((row) => row.kind === kind).map((row) => make("option", { value: row.system, textContent: row.system })))));
  listen();
  if (fromAddress()) await renew();
}

start().catch((error) => {
  byId("working").textContent = "";
  problem(`This page could not start: ${error.message}`);
});
