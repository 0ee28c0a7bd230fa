// The calls of docs/moving.md in JavaScript: each is a line here, and the bytes of both sides are the same.
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";

import { Kem } from "latkem";
import { mlkem768 } from "latkem";

const SIZES = [512, 768, 1024];
const mlkem = await import("mlkem").catch(() => undefined);
const noble = await import("@noble/post-quantum/ml-kem.js").catch(() => undefined);
const lacks = (module, name) => ({ skip: module ? false : `there is no ${name}` });
const seed = randomBytes(64);

test("the calls here", () => {
  const key = mlkem768.generate();
  const [pk, sk] = [key.publicKey().toBytes(), key.toBytes()];
  const { ciphertext, sharedKey } = mlkem768.encapsulate(pk);
  const same = key.decapsulate(ciphertext);
  const again = mlkem768.privateKey(sk);
  const derived = mlkem768.fromSeed(seed);
  assert.deepEqual([same, again.decapsulate(ciphertext)], [sharedKey, sharedKey]);
  assert.deepEqual(derived.seed(), new Uint8Array(seed));
});

// What another library made, in latkem; then latkem's in it, and an altered ciphertext. The others' calls take and give bytes.
function worksHere(size, { pair, fromSeed, encapsulate, decapsulate }) {
  const kem = Kem.of(`ML-KEM-${size}`);
  const [pk, sk] = pair();
  const [ct, ss] = encapsulate(pk);
  assert.deepEqual(kem.privateKey(sk).publicKey().toBytes(), pk);
  assert.deepEqual(kem.decapsulate(sk, ct), ss);
  const sent = kem.encapsulate(pk);
  assert.deepEqual(decapsulate(sent.ciphertext, sk), sent.sharedKey);
  const key = kem.fromSeed(seed);
  assert.deepEqual(fromSeed(seed), [key.publicKey().toBytes(), key.toBytes()]);
  const altered = ct.slice();
  altered[3] ^= 1;
  assert.deepEqual(kem.decapsulate(sk, altered), decapsulate(altered, sk));
  assert.notDeepEqual(kem.decapsulate(sk, altered), ss);
}

test("mlkem: the calls there", lacks(mlkem, "mlkem"), async () => {
  const { createMlKem768 } = await import("mlkem");
  const kem = await createMlKem768();
  const [pk, sk] = kem.generateKeyPair();
  const [ct, ss] = kem.encap(pk);
  const same = kem.decap(ct, sk);
  assert.deepEqual(same, ss);
  const [pk2, sk2] = kem.deriveKeyPair(seed);
  assert.deepEqual([pk2.length, sk2.length], [pk.length, sk.length]);
});

for (const size of SIZES) {
  test(`mlkem: ML-KEM-${size}`, lacks(mlkem, "mlkem"), async () => {
    const kem = await mlkem[`createMlKem${size}`]();
    worksHere(size, {
      pair: () => kem.generateKeyPair(),
      fromSeed: (bytes) => kem.deriveKeyPair(bytes),
      encapsulate: (pk) => kem.encap(pk),
      decapsulate: (ct, sk) => kem.decap(ct, sk),
    });
  });
}

test("@noble/post-quantum: the calls there", lacks(noble, "@noble/post-quantum"), async () => {
  const { ml_kem768 } = await import("@noble/post-quantum/ml-kem.js");
  const { publicKey, secretKey } = ml_kem768.keygen();
  const { cipherText, sharedSecret } = ml_kem768.encapsulate(publicKey);
  const same = ml_kem768.decapsulate(cipherText, secretKey);
  assert.deepEqual(same, sharedSecret);
  const derived = ml_kem768.keygen(seed);
  assert.deepEqual(derived.secretKey, new Uint8Array(mlkem768.fromSeed(seed).toBytes()));
});
