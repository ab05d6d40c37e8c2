"use strict";
// Answers questions in WebAssembly, so that the page never stops. The first message has the bytes of the module, packed or not, every other one
// a question.

let module = null;

/** The answer to a question: a text of JSON. */
function answer(text) {
  const { frit_room: room, frit_call: call, frit_done: done, memory } = module.exports;
  const bytes = new TextEncoder().encode(text);
  const at = room(bytes.length);
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  const found = call(at, bytes.length);
  const from = Number(found & 0xffffffffn);
  const length = Number(found >> 32n);
  const said = new TextDecoder().decode(new Uint8Array(memory.buffer, from, length));
  done(from, length);
  return said;
}

/** What the module asks of the page: the time. */
const page = { now: () => performance.now() };

/** What was done so far: messages wait for the ones before. */
let before = Promise.resolve();

/** The module: its length stands in the last 16 bytes, as a number of 64 bits with the length of the packed bytes behind it. */
async function unpacked({ packed, unpack }) {
  const { frit_room: room, frit_unpack: fill, memory } = (await WebAssembly.instantiate(unpack, {})).instance.exports;
  const end = new DataView(packed.buffer, packed.byteOffset + packed.length - 16, 16);
  const length = Number(end.getBigUint64(0, true));
  const from = room(packed.length);
  const to = room(length);
  new Uint8Array(memory.buffer, from, packed.length).set(packed);
  if (!fill(from, packed.length, to, length)) throw new Error("the module of this page is damaged; load the page again");
  const bytes = new Uint8Array(memory.buffer, to, length).slice();
  self.postMessage({ bytes });
  return { bytes };
}

async function hear(data) {
  try {
    if (data.bytes || data.packed) module = (await WebAssembly.instantiate((data.bytes ? data : await unpacked(data)).bytes, { page })).instance;
    else self.postMessage({ id: data.id, text: answer(data.text) });
  } catch (error) {
    self.postMessage({ id: data.id, broken: String((error && error.message) || error) });
  }
}

self.onmessage = ({ data }) => { before = before.then(() => hear(data)); };
