// Worker threads, each with the package for itself. SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";

import { backend, Kem } from "latkem";

function work(workerData) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), { workerData });
    let message;
    worker.on("message", (value) => (message = value));
    worker.on("error", reject);
    worker.on("exit", (code) => (code === 0 ? resolve(message) : reject(new Error(`exit ${code}`))));
  });
}

test("workers beside each other and the main thread", async () => {
  for (const name of ["ML-KEM-768", "NTRU-HPS-2048-509"]) {
    const key = Kem.of(name).generate();
    const publicKey = key.publicKey().toBytes();
    const answers = await Promise.all([1, 2, 3, 4].map(() => work({ name, publicKey, rounds: 50 })));
    for (const answer of answers) {
      assert.equal(answer.backend, backend);
      assert.equal(answer.closed, false);
      assert.deepEqual(key.decapsulate(answer.ciphertext), answer.sharedKey);
    }
  }
});

test("workers that are stopped amid calls", async () => {
  const publicKey = Kem.of("Saber").generate().publicKey().toBytes();
  for (let i = 0; i < 4; i++) {
    const worker = new Worker(new URL("./worker.mjs", import.meta.url), {
      workerData: { name: "Saber", publicKey, rounds: 1e9 },
    });
    await new Promise((resolve) => worker.once("online", resolve));
    await new Promise((resolve) => setTimeout(resolve, 50 * i));
    assert.equal(await worker.terminate(), 1);
  }
  const key = Kem.of("Saber").generate();
  const { sharedKey, ciphertext } = key.publicKey().encapsulate();
  assert.deepEqual(key.decapsulate(ciphertext), sharedKey);
});
