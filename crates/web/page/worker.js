"use strict";
// Answers questions in WebAssembly, so that the page never stops. The first message has the bytes of the module, every other one a question.

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

/** What was done so far: messages wait for the ones before. */
let before = Promise.resolve();

async function hear(data) {
  try {
    if (data.bytes) module = (await WebAssembly.instantiate(data.bytes, {})).instance;
    else self.postMessage({ id: data.id, text: answer(data.text) });
  } catch (error) {
    self.postMessage({ id: data.id, broken: String((error && error.message) || error) });
  }
}

self.onmessage = ({ data }) => { before = before.then(() => hear(data)); };
