// Measures ML-KEM-768 beside what JavaScript usually has, and holds the ratios to limits: the add-on beside node:crypto,
// WebAssembly beside @noble/post-quantum. Medians of one process, blocks of both taken in turn.
// SPDX-License-Identifier: Apache-2.0
import * as crypto from "node:crypto";
import { cpus } from "node:os";

import { backend, mlkem768 } from "latkem";

const ROUNDS = 60;

function ours() {
  const key = mlkem768.generate();
  const publicKey = key.publicKey();
  const { ciphertext } = publicKey.encapsulate();
  return [() => mlkem768.generate().close(), () => publicKey.encapsulate(), () => key.decapsulate(ciphertext)];
}

function node() {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ml-kem-768");
  const { ciphertext } = crypto.encapsulate(publicKey);
  return [
    () => crypto.generateKeyPairSync("ml-kem-768"),
    () => crypto.encapsulate(publicKey),
    () => crypto.decapsulate(privateKey, ciphertext),
  ];
}

async function noble() {
  const { ml_kem768 } = await import("@noble/post-quantum/ml-kem.js");
  const { publicKey, secretKey } = ml_kem768.keygen();
  const { cipherText } = ml_kem768.encapsulate(publicKey);
  return [
    () => ml_kem768.keygen(),
    () => ml_kem768.encapsulate(publicKey),
    () => ml_kem768.decapsulate(cipherText, secretKey),
  ];
}

function microseconds(call, count) {
  const begin = process.hrtime.bigint();
  for (let i = 0; i < count; i++) call();
  return Number(process.hrtime.bigint() - begin) / count / 1000;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

// Collections run between blocks, as the garbage of one side is not to burden the other.
async function measure(a, b) {
  const [times, theirs] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(microseconds(a, 50));
    theirs.push(microseconds(b, 50));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return [median(times), median(theirs)];
}

const isWasm = backend === "wasm";
const rival = isWasm ? "@noble/post-quantum" : "node:crypto";
const limits = isWasm ? [0.25, 0.25, 0.25] : [0.35, 0.3, 0.35];
const [mine, others] = [ours(), isWasm ? await noble() : node()];
console.log(`ML-KEM-768, ${cpus()[0].model}, Node ${process.version}, latkem (${backend}) beside ${rival}`);
for (const [i, name] of ["generate", "encapsulate", "decapsulate"].entries()) {
  const [a, b] = await measure(mine[i], others[i]);
  const text = `${name}: ${a.toFixed(2)} µs, ${b.toFixed(2)} µs, ratio ${(a / b).toFixed(2)}, limit ${limits[i]}`;
  console.log(text);
  if (a / b > limits[i]) process.exitCode = 1;
}
