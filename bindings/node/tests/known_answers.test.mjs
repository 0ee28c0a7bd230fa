// Known answers, official and of other implementations. SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { InvalidKeyError, Kem, PrivateKey, privateKeyFromPkcs8, publicKeyFromSpki } from "latkem";

import { deep, facts, hex, read, tests, unhex } from "./vectors.mjs";

const shake = (data, outputLength) => createHash("shake128", { outputLength }).update(data).digest();
const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const refused = (error) => error instanceof InvalidKeyError || error instanceof RangeError;

// Keys, encapsulations and the answers to random ciphertexts, against the digest of the official code's.
function accumulate(kem, rounds) {
  const each = kem.seedBytes + kem.coinsBytes + kem.ciphertextBytes;
  const random = shake(Buffer.alloc(0), each * rounds);
  const results = createHash("shake128", { outputLength: 32 });
  for (let begin = 0; begin < random.length; begin += each) {
    const seed = random.subarray(begin, begin + kem.seedBytes);
    const coins = random.subarray(begin + kem.seedBytes, begin + each - kem.ciphertextBytes);
    const wrong = random.subarray(begin + each - kem.ciphertextBytes, begin + each);
    const key = kem.fromSeed(seed);
    const ek = key.publicKey().toBytes();
    const { sharedKey, ciphertext } = kem.encapsulateDerand(ek, coins);
    for (const part of [ek, key.toBytes(), ciphertext, sharedKey, key.decapsulate(wrong)]) results.update(part);
    key.close();
  }
  return results.digest("hex");
}

for (const name of Kem.names()) {
  test(`accumulated: ${name}`, () => {
    const rounds = deep ? 1000 : 100;
    const wanted = facts.get(name).accumulated.find((row) => row.rounds === rounds).with_dk;
    assert.equal(accumulate(Kem.of(name), rounds), wanted);
  });

  test(`facts: ${name}`, () => {
    const [kem, row] = [Kem.of(name), facts.get(name)];
    assert.deepEqual(row.sizes, {
      ek: kem.publicKeyBytes,
      dk: kem.privateKeyBytes,
      ct: kem.ciphertextBytes,
      ss: kem.sharedKeyBytes,
      seed: kem.seedBytes,
      coins: kem.coinsBytes,
    });
    assert.deepEqual([kem.family, kem.level, kem.isStandard], [row.family, row.level, row.status === "standard"]);
  });
}

test("ACVP: key generation", () => {
  for (const [group, row] of tests("acvp/ML-KEM-keyGen-FIPS203/internalProjection.json")) {
    const key = Kem.of(group.parameterSet).fromSeed(unhex(row.d, row.z));
    assert.equal(hex(key.publicKey().toBytes()), row.ek.toLowerCase());
    assert.equal(hex(key.toBytes()), row.dk.toLowerCase());
    assert.equal(hex(key.seed()), (row.d + row.z).toLowerCase());
  }
});

function acvp(group, row) {
  const kem = Kem.of(group.parameterSet);
  if (group.function === "encapsulation") {
    const made = kem.encapsulateDerand(unhex(row.ek), unhex(row.m));
    assert.deepEqual([hex(made.sharedKey), hex(made.ciphertext)], [row.k.toLowerCase(), row.c.toLowerCase()]);
  } else if (group.function === "decapsulation") {
    const [dk, ct] = [unhex(row.dk), unhex(row.c)];
    assert.equal(hex(kem.decapsulate(dk, ct)), row.k.toLowerCase());
    assert.equal(hex(kem.privateKey(dk).decapsulate(ct)), row.k.toLowerCase());
    if (row.d) assert.equal(hex(kem.fromSeed(unhex(row.d, row.z)).decapsulate(ct)), row.k.toLowerCase());
  } else {
    const isPrivate = group.function === "decapsulationKeyCheck";
    const check = () => (isPrivate ? kem.privateKey(unhex(row.dk)) : kem.publicKey(unhex(row.ek)));
    if (row.testPassed) check();
    else assert.throws(check, refused);
  }
}

for (const folder of ["ML-KEM-encapDecap-FIPS203", "ML-KEM-encapDecap-FIPS203-tr1"]) {
  test(`ACVP: ${folder}`, () => {
    for (const [group, row] of tests(`acvp/${folder}/internalProjection.json`)) acvp(group, row);
  });
}

for (const size of [512, 1024]) {
  const kem = Kem.of(`ML-KEM-${size}`);

  test(`Wycheproof: ${kem.name}`, () => {
    for (const [, row] of tests(`wycheproof/mlkem_${size}_keygen_seed_test.json`)) {
      const key = kem.fromSeed(unhex(row.seed));
      assert.deepEqual([hex(key.publicKey().toBytes()), hex(key.toBytes())], [row.ek, row.dk]);
    }
    for (const [, row] of tests(`wycheproof/mlkem_${size}_encaps_test.json`)) {
      const encapsulate = () => kem.encapsulateDerand(kem.publicKey(unhex(row.ek)).toBytes(), unhex(row.m));
      if (row.result !== "valid") {
        assert.throws(encapsulate, refused);
        assert.throws(() => kem.encapsulate(unhex(row.ek)), refused);
        continue;
      }
      const made = encapsulate();
      assert.deepEqual([hex(made.sharedKey), hex(made.ciphertext)], [row.K, row.c]);
    }
    for (const [, row] of tests(`wycheproof/mlkem_${size}_semi_expanded_decaps_test.json`)) {
      const decapsulate = () => hex(kem.decapsulate(unhex(row.dk), unhex(row.c)));
      if (row.result === "valid") assert.equal(decapsulate(), row.K);
      else assert.throws(decapsulate, refused);
    }
  });

  test(`CCTV: ${kem.name}`, () => {
    const rows = (folder) =>
      Object.fromEntries(
        [...read(`cctv/${folder}/${kem.name}.txt`).matchAll(/^(\w+) = (\w+)/gm)].map((m) => [m[1], m[2]]),
      );
    const [unlucky, zero] = [rows("unluckysample"), rows("strcmp")];
    const key = kem.fromSeed(unhex(unlucky.d, unlucky.z));
    assert.deepEqual([hex(key.publicKey().toBytes()), hex(key.toBytes())], [unlucky.ek, unlucky.dk]);
    const made = kem.encapsulateDerand(unhex(unlucky.ek), unhex(unlucky.m));
    assert.deepEqual([hex(made.sharedKey), hex(made.ciphertext)], [unlucky.K, unlucky.c]);
    assert.equal(hex(kem.decapsulate(unhex(zero.dk), unhex(zero.c))), zero.K);
    for (const line of read(`cctv/modulus/${kem.name}.txt`).trim().split("\n")) {
      assert.throws(() => kem.publicKey(unhex(line.trim())), InvalidKeyError);
    }
  });
}

test("key files: good ones give their keys, bad ones an InvalidKeyError", () => {
  const counts = { good: 0, bad: 0 };
  for (const row of JSON.parse(read("hybrid/keyfiles.json")).files) {
    const load = row.kind === "private" ? privateKeyFromPkcs8 : publicKeyFromSpki;
    if (!row.ok || !Kem.names().includes(row.set)) {
      counts.bad++;
      assert.throws(() => load(unhex(row.der)), InvalidKeyError);
      continue;
    }
    counts.good++;
    const key = load(unhex(row.der));
    const isPrivate = key instanceof PrivateKey;
    assert.equal(key.kem.name, row.set);
    if (row.ek_sha256) assert.equal(sha256((isPrivate ? key.publicKey() : key).toBytes()), row.ek_sha256);
    if (isPrivate && row.seed) assert.equal(hex(key.seed()), row.seed);
    if (isPrivate && row.dk_sha256) assert.equal(sha256(key.toBytes()), row.dk_sha256);
  }
  assert.ok(Math.min(counts.good, counts.bad) > 10);
});
