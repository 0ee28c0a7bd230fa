// Operations while there is no randomness: the add-on's getrandom is that of failing.c, which run.py preloads.
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";

import { backend, Kem, mlkem768, RandomError } from "latkem";

const key = mlkem768.generate();
const pub = key.publicKey();
const [eks, dks] = [new Uint8Array(2 * 1184), new Uint8Array(2 * 2400)];

if (backend === "wasm") {
  globalThis.crypto.getRandomValues = () => {
    throw new Error("no randomness");
  };
} else {
  process.env.LATKEM_TEST_NO_RANDOMNESS = "1";
}
for (const call of [
  () => mlkem768.generate(),
  () => pub.encapsulate(),
  () => mlkem768.encapsulate(pub.toBytes()),
  () => mlkem768.generateBatch(eks, dks),
  () => Kem.of("Saber").generate(),
  () => Kem.of("NTRU-HRSS-701").generate(),
]) {
  assert.throws(call, (error) => error instanceof RandomError && /: the random generator failed$/.test(error.message));
}
assert.ok([...eks, ...dks].every((byte) => byte === 0));
assert.equal(mlkem768.fromSeed(new Uint8Array(64)).decapsulate(new Uint8Array(1088)).length, 32);
console.log("failed as it must");
