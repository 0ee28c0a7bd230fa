// A worker of workers.test.mjs. SPDX-License-Identifier: Apache-2.0
import { parentPort, workerData } from "node:worker_threads";

import { backend, Kem } from "latkem";

const { name, publicKey, rounds } = workerData;
const kem = Kem.of(name);
const open = kem.generate(); // left open: the end of the worker frees it
for (let i = 0; i < rounds; i++) {
  const key = kem.generate();
  const { sharedKey, ciphertext } = key.publicKey().encapsulate();
  if (!Buffer.from(sharedKey).equals(key.decapsulate(ciphertext))) throw new Error(`round ${i}`);
  key.close();
}
parentPort.postMessage({ backend, closed: open.closed, ...kem.publicKey(publicKey).encapsulate() });
