// Times ML-KEM with key objects that are kept: the add-on beside node:crypto, WebAssembly beside @noble/post-quantum, and both
// beside the C calls in a loop, which LATKEM_BARE has in the same form. Prints JSON (harness/packages/measure.py).
// Usage: times.mjs SECONDS SET...  SPDX-License-Identifier: Apache-2.0
import * as crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { backend, Kem, version } from "latkem";

const [ROUNDS_MIN, BLOCK] = [15, 20];
const OPERATIONS = ["keygen", "encaps", "decaps"];
const isWasm = backend === "wasm";

const inLoop = (call) => () => {
  for (let i = 0; i < BLOCK; i++) call();
};

function ours(name) {
  const kem = Kem.of(name);
  const key = kem.generate();
  const publicKey = key.publicKey();
  const { ciphertext } = publicKey.encapsulate();
  return [() => kem.generate().close(), () => publicKey.encapsulate(), () => key.decapsulate(ciphertext)].map(inLoop);
}

// The functions of harness/bare.
function bareAddon() {
  return createRequire(import.meta.url)(process.env.LATKEM_BARE);
}

function bareWasm() {
  const random_get = (at, length) => {
    crypto.getRandomValues(new Uint8Array(native.memory.buffer, at, length));
    return 0;
  };
  const module = new WebAssembly.Module(readFileSync(process.env.LATKEM_BARE));
  const native = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { random_get } }).exports;
  native._initialize();
  const open = (name) => {
    const at = native.malloc(name.length + 1);
    new Uint8Array(native.memory.buffer, at).set(Buffer.from(`${name}\0`));
    return native.bare_open(at);
  };
  return { open, repeat: (work, operation, calls) => native.bare_repeat(work, operation, 1, calls) };
}

// One call from here for a whole block.
function c(name) {
  const bare = isWasm ? bareWasm() : bareAddon();
  const work = bare.open(name);
  return OPERATIONS.map((_, operation) => () => {
    if (bare.repeat(work, operation, BLOCK) !== 0) throw new Error("a C call failed");
  });
}

function node(name) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(name.toLowerCase());
  const { ciphertext } = crypto.encapsulate(publicKey);
  return [
    () => crypto.generateKeyPairSync(name.toLowerCase()),
    () => crypto.encapsulate(publicKey),
    () => crypto.decapsulate(privateKey, ciphertext),
  ].map(inLoop);
}

function nobleOf(module) {
  return (name) => {
    const kem = module[name.replaceAll("-", "").replace("MLKEM", "ml_kem")];
    const { publicKey, secretKey } = kem.keygen();
    const { cipherText } = kem.encapsulate(publicKey);
    return [() => kem.keygen(), () => kem.encapsulate(publicKey), () => kem.decapsulate(cipherText, secretKey)].map(inLoop);
  };
}

// A library that is not here has no rows.
async function rivals() {
  if (!isWasm) return crypto.encapsulate ? { "node:crypto": [node, process.version] } : {};
  const module = await import("@noble/post-quantum/ml-kem.js").catch(() => undefined);
  return module ? { "@noble/post-quantum": [nobleOf(module), process.env.NOBLE_VERSION ?? ""] } : {};
}

// Nanoseconds of an operation. A block goes before the timed one, because the row before this one has used the caches.
function nanoseconds(block) {
  block();
  const begin = process.hrtime.bigint();
  block();
  return Number(process.hrtime.bigint() - begin) / BLOCK;
}

// Collections run between blocks, as the garbage of one side is not to burden the other.
async function turns(rows, seconds, roundsMin) {
  const end = Date.now() + 1000 * seconds;
  for (const row of rows) row.times = [];
  while (Date.now() < end || rows[0].times.length < roundsMin) {
    for (const row of rows) {
      row.times.push(nanoseconds(row.block));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

// A quarter of the time goes by before anything counts, because the engine compiles anew what is called often.
async function fill(rows, seconds) {
  await turns(rows, seconds / 4, 1);
  await turns(rows, (3 * seconds) / 4, ROUNDS_MIN);
}

function finished({ set, operation, library, times }) {
  const sorted = times.sort((a, b) => a - b);
  const [q1_ns, median_ns, q3_ns] = [1, 2, 3].map((quarter) => sorted[Math.floor((sorted.length * quarter) / 4)]);
  return { set, operation, library, q1_ns, median_ns, q3_ns };
}

const [seconds, ...sets] = process.argv.slice(2);
const others = await rivals();
const [rows, rounds] = [[], []];
for (const set of sets) {
  const blocks = { latkem: ours(set), C: c(set) };
  for (const [library, [make]] of Object.entries(others)) blocks[library] = make(set);
  const here = Object.entries(blocks).flatMap(([library, list]) =>
    list.map((block, i) => ({ set, operation: OPERATIONS[i], library, block })),
  );
  await fill(here, Number(seconds));
  rounds.push(here[0].times.length);
  rows.push(...here.map(finished));
}
const document = {
  language: isWasm ? "WebAssembly" : "Node",
  runtime: `Node ${process.version.slice(1)}`,
  backend,
  version,
  libraries: Object.fromEntries(Object.entries(others).map(([library, [, number]]) => [library, number])),
  rounds: Math.min(...rounds),
  block: BLOCK,
  rows,
};
console.log(JSON.stringify(document));
