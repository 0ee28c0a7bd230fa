// A process with keys; secrets.py searches its memory.
//
// At each stop it says whether the secrets that it names must be there or gone. It writes them inverted, so that it has no
// second copy of them. It runs with --expose-gc. SPDX-License-Identifier: Apache-2.0
import { createInterface } from "node:readline";

import { Kem, privateKeyFromPkcs8 } from "latkem";

const PIECE = 32;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const kem = Kem.of(process.argv[2]);

const inverted = (secret, from = 0) =>
  Buffer.from(secret.subarray(from, from + PIECE).map((byte) => byte ^ 0xff)).toString("hex");

async function stop(state, secrets) {
  console.log([state, ...Object.entries(secrets).flat()].join(" "));
  await lines.next();
}

// Pieces of a key: of dk's beginning, its end (z), and of the seed's beginning (d).
function parts(key) {
  const dk = key.toBytes();
  const found = { dk: inverted(dk), z: inverted(dk, dk.length - PIECE) };
  dk.fill(0);
  const seed = key.seed();
  if (seed) found.d = inverted(seed);
  seed?.fill(0);
  return found;
}

// Results of operations, which are erased here as a caller would.
function results(key) {
  const decapsulated = key.decapsulate(new Uint8Array(kem.ciphertextBytes));
  const { sharedKey } = key.publicKey().encapsulate();
  const found = { decapsulated: inverted(decapsulated), encapsulated: inverted(sharedKey) };
  decapsulated.fill(0);
  sharedKey.fill(0);
  return found;
}

function files(key) {
  for (const form of kem.family === "ML-KEM" ? ["seed", "expanded", "both"] : []) {
    const file = key.toPkcs8(form);
    privateKeyFromPkcs8(file).close();
    file.fill(0);
  }
}

// A key from bytes that other threads can write, which are copied on the way.
function fromSharedMemory(key) {
  const dk = key.toBytes();
  const shared = new Uint8Array(new SharedArrayBuffer(dk.length));
  shared.set(dk);
  dk.fill(0);
  kem.privateKey(shared).close();
  shared.fill(0);
}

async function closed() {
  const key = kem.generate();
  const secrets = parts(key);
  const temporary = results(key);
  await stop("open", secrets);
  await stop("gone", temporary);
  files(key);
  fromSharedMemory(key);
  key.close();
  await stop("gone", secrets);
}

async function collected() {
  let secrets;
  await (async () => {
    const key = kem.generate();
    secrets = parts(key);
    key.decapsulate(new Uint8Array(kem.ciphertextBytes));
    await stop("open", secrets);
  })();
  for (let i = 0; i < 10; i++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await stop("gone", secrets);
}

await closed();
await collected();
process.exit(0);
