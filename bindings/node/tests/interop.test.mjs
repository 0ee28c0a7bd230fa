// node:crypto, @noble/post-quantum and latkem with each other's keys, files and ciphertexts. SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import * as crypto from "node:crypto";
import { test } from "node:test";

import { Kem, privateKeyFromPkcs8, publicKeyFromSpki } from "latkem";

const lacks = crypto.encapsulate === undefined || !crypto.getHashes().includes("shake128");
const options = { skip: lacks ? `node:crypto of ${process.version} has no ML-KEM` : false };

const noble = await import("@noble/post-quantum/ml-kem.js").catch(() => undefined);

for (const size of [512, 768, 1024]) {
  const name = `ML-KEM-${size}`;
  test(`node:crypto: ${name}`, options, () => {
    const kem = Kem.of(name);
    const theirs = crypto.generateKeyPairSync(name.toLowerCase());
    const der = (key, type) => key.export({ format: "der", type });

    const ours = privateKeyFromPkcs8(der(theirs.privateKey, "pkcs8"));
    assert.equal(ours.kem, kem);
    assert.ok(publicKeyFromSpki(der(theirs.publicKey, "spki")).equals(ours.publicKey()));
    assert.deepEqual(Buffer.from(ours.publicKey().toSpki()), der(theirs.publicKey, "spki"));

    const received = crypto.encapsulate(theirs.publicKey);
    assert.deepEqual(Buffer.from(ours.decapsulate(received.ciphertext)), Buffer.from(received.sharedKey));
    const sent = ours.publicKey().encapsulate();
    assert.deepEqual(Buffer.from(crypto.decapsulate(theirs.privateKey, sent.ciphertext)), Buffer.from(sent.sharedKey));

    const mine = kem.generate();
    for (const form of ["seed", "expanded", "both"]) {
      const key = crypto.createPrivateKey({ key: Buffer.from(mine.toPkcs8(form)), format: "der", type: "pkcs8" });
      const made = mine.publicKey().encapsulate();
      assert.deepEqual(Buffer.from(crypto.decapsulate(key, made.ciphertext)), Buffer.from(made.sharedKey));
      const wrong = crypto.randomBytes(kem.ciphertextBytes);
      assert.deepEqual(Buffer.from(crypto.decapsulate(key, wrong)), Buffer.from(mine.decapsulate(wrong)));
    }
    const spki = Buffer.from(mine.publicKey().toSpki());
    const made = crypto.encapsulate(crypto.createPublicKey({ key: spki, format: "der", type: "spki" }));
    assert.deepEqual(Buffer.from(mine.decapsulate(made.ciphertext)), Buffer.from(made.sharedKey));
  });

  test(`@noble/post-quantum: ${name}`, { skip: noble ? false : "there is no @noble/post-quantum" }, () => {
    const [kem, theirs] = [Kem.of(name), noble[`ml_kem${size}`]];
    const [seed, coins, wrong] = [64, 32, kem.ciphertextBytes].map((length) => crypto.randomBytes(length));
    const [key, pair] = [kem.fromSeed(seed), theirs.keygen(seed)];
    assert.deepEqual([key.publicKey().toBytes(), key.toBytes()], [pair.publicKey, pair.secretKey]);
    const [made, other] = [kem.encapsulateDerand(pair.publicKey, coins), theirs.encapsulate(pair.publicKey, coins)];
    assert.deepEqual([made.sharedKey, made.ciphertext], [other.sharedSecret, other.cipherText]);
    for (const ciphertext of [made.ciphertext, wrong]) {
      assert.deepEqual(key.decapsulate(ciphertext), theirs.decapsulate(ciphertext, pair.secretKey));
    }
  });
}
