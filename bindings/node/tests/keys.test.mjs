// Keys: their parts, files, closing, and that nothing prints a secret. SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";

import * as latkem from "latkem";
import { InvalidKeyError, Kem, mlkem768, privateKeyFromPkcs8, publicKeyFromSpki } from "latkem";

import { facts, hex } from "./vectors.mjs";

const bytes = (length, value = 0) => new Uint8Array(length).fill(value);

test("exports", () => {
  assert.deepEqual(
    [latkem.mlkem512, latkem.mlkem768, latkem.mlkem1024].map((kem) => kem.name),
    ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"],
  );
  const manifest = JSON.parse(readFileSync(new URL(import.meta.resolve("latkem/package.json"))));
  assert.equal(latkem.version, manifest.version);
  assert.equal(latkem.backend === "wasm", process.env.LATKEM_ENGINE === "wasm");
  assert.deepEqual(Kem.names(), [...facts.keys()].slice(0, 16));
  const types = readFileSync(new URL("./index.d.ts", import.meta.resolve("latkem/package.json")), "utf8");
  const union = types.match(/type SetName =([^;]*);/)[1];
  assert.deepEqual(
    [...union.matchAll(/"([^"]+)"/g)].map((match) => match[1]),
    Kem.names(),
  );
});

for (const name of Kem.names()) {
  test(`parts: ${name}`, () => {
    const kem = Kem.of(name);
    const key = kem.generate();
    const again = kem.privateKey(key.toBytes());
    const { sharedKey, ciphertext } = key.publicKey().encapsulate();
    assert.deepEqual(again.decapsulate(ciphertext), sharedKey);
    assert.deepEqual(kem.decapsulate(key.toBytes(), ciphertext), sharedKey);
    assert.equal(again.seed(), undefined);
    for (const made of [key, kem.fromSeed(bytes(kem.seedBytes))]) {
      assert.equal(made.seed() !== undefined, kem.family === "ML-KEM");
    }
    if (kem.family === "ML-KEM") assert.deepEqual(kem.fromSeed(key.seed()).toBytes(), key.toBytes());
    if (kem.family === "NTRU") assert.throws(() => again.publicKey(), { name: "TypeError", message: /does not hold/ });
    else assert.ok(again.publicKey().equals(key.publicKey()));
    const bytewise = kem.encapsulate(key.publicKey().toBytes());
    assert.deepEqual(key.decapsulate(bytewise.ciphertext), bytewise.sharedKey);
    if (kem.family !== "ML-KEM") {
      assert.throws(() => key.toPkcs8(), { name: "TypeError", message: /ML-KEM alone/ });
      assert.throws(() => key.publicKey().toSpki(), { name: "TypeError", message: /ML-KEM alone/ });
    }
  });
}

test("fresh keys and encapsulations differ", () => {
  const [a, b] = [mlkem768.generate(), mlkem768.generate()];
  assert.notEqual(hex(a.toBytes()), hex(b.toBytes()));
  const [one, two] = [a.publicKey().encapsulate(), a.publicKey().encapsulate()];
  assert.notEqual(hex(one.sharedKey), hex(two.sharedKey));
});

test("key files", () => {
  const key = mlkem768.generate();
  for (const form of ["seed", "expanded", "both", undefined]) {
    const again = privateKeyFromPkcs8(key.toPkcs8(form));
    assert.deepEqual(again.toBytes(), key.toBytes());
    assert.equal(again.seed() === undefined, form === "expanded");
  }
  assert.deepEqual(key.toPkcs8(), key.toPkcs8("seed"));
  const expanded = mlkem768.privateKey(key.toBytes());
  for (const form of ["seed", "both"]) {
    assert.throws(() => expanded.toPkcs8(form), { name: "TypeError", message: /no seed/ });
  }
  assert.equal(expanded.toPkcs8("expanded").length, 2428);
  for (const form of ["", "SEED", "toString"]) assert.throws(() => key.toPkcs8(form), RangeError);
  for (const form of [null, 1, {}]) assert.throws(() => key.toPkcs8(form), TypeError);
  assert.ok(publicKeyFromSpki(key.publicKey().toSpki()).equals(key.publicKey()));
  assert.throws(() => publicKeyFromSpki(key.toPkcs8()), InvalidKeyError);
  assert.throws(() => privateKeyFromPkcs8(key.publicKey().toSpki()), InvalidKeyError);
});

test("invalid keys", () => {
  const key = mlkem768.generate();
  const [ek, dk] = [key.publicKey().toBytes(), key.toBytes()];
  ek.fill(255, 0, 3);
  dk[2400 - 64] ^= 1;
  for (const refused of [
    () => mlkem768.publicKey(ek),
    () => mlkem768.encapsulate(ek),
    () => mlkem768.privateKey(dk),
    () => mlkem768.decapsulate(dk, bytes(1088)),
    () => mlkem768.encapsulateDerand(ek, bytes(32)),
  ]) {
    assert.throws(refused, (error) => error instanceof InvalidKeyError && error.name === "InvalidKeyError");
  }
});

test("a closed key", () => {
  const key = mlkem768.generate();
  const kept = key.publicKey();
  assert.equal(key.closed, false);
  key.close();
  key.close();
  assert.equal(key.closed, true);
  const calls = [
    () => key.publicKey(),
    () => key.decapsulate(bytes(1088)),
    () => key.toBytes(),
    () => key.seed(),
    () => key.toPkcs8(),
  ];
  for (const call of calls)
    assert.throws(call, { name: "TypeError", message: "ML-KEM-768: the private key is closed" });
  assert.equal(key.kem, mlkem768);
  assert.equal(kept.encapsulate().sharedKey.length, 32);
  const other = mlkem768.generate();
  other[Symbol.dispose]();
  assert.ok(other.closed);
});

test("what goes out is a copy over its own buffer", () => {
  const key = mlkem768.fromSeed(bytes(64, 3));
  const before = hex(key.toBytes());
  const { sharedKey, ciphertext } = key.publicKey().encapsulate();
  const out = [
    key.toBytes(),
    key.seed(),
    key.toPkcs8(),
    key.publicKey().toBytes(),
    key.publicKey().toSpki(),
    sharedKey,
    ciphertext,
  ];
  assert.equal(new Set(out.map((array) => array.buffer)).size, out.length);
  for (const array of out) {
    assert.ok(array.buffer instanceof ArrayBuffer && array.buffer.byteLength === array.length);
    assert.equal(Object.getPrototypeOf(array), Uint8Array.prototype);
    array.fill(0xee);
  }
  assert.equal(hex(key.toBytes()), before);
  const seed = bytes(64, 4);
  const mine = mlkem768.fromSeed(seed);
  const ek = mine.publicKey().toBytes();
  const theirs = mlkem768.publicKey(ek);
  seed.fill(9);
  ek.fill(9);
  assert.deepEqual(mine.seed(), bytes(64, 4));
  assert.ok(theirs.equals(mine.publicKey()));
});

test("results stay valid when memory grows", () => {
  const key = mlkem768.generate();
  const { sharedKey, ciphertext } = key.publicKey().encapsulate();
  const copy = Uint8Array.from(ciphertext);
  const count = 10_000; // 36 MB of keys
  const [eks, dks] = [bytes(count * 1184), bytes(count * 2400)];
  mlkem768.generateBatch(eks, dks);
  assert.deepEqual(ciphertext, copy);
  assert.deepEqual(key.decapsulate(ciphertext), sharedKey);
});

test("equality", () => {
  const [a, b] = [mlkem768.generate(), mlkem768.generate()];
  assert.ok(a.publicKey().equals(mlkem768.publicKey(a.publicKey().toBytes())));
  for (const other of [b.publicKey(), a, null, undefined, 1, {}, a.publicKey().toBytes()]) {
    assert.equal(a.publicKey().equals(other), false);
  }
  const kyber = Kem.of("Kyber768").publicKey(a.publicKey().toBytes());
  assert.equal(kyber.equals(a.publicKey()), false);
});

test("objects are frozen, and neither text nor JSON shows a secret", () => {
  const key = mlkem768.fromSeed(bytes(64, 0xab));
  const pub = key.publicKey();
  for (const object of [key, pub, mlkem768]) {
    assert.ok(Object.isFrozen(object));
    assert.equal(JSON.stringify({ object }), '{"object":"ML-KEM-768"}');
  }
  const said = [inspect(key, { showHidden: true, depth: 9 }), String(key), JSON.stringify(key)].join();
  assert.ok(!/abab|171, ?171/i.test(said), said);
  assert.deepEqual(Reflect.ownKeys(key), []);
  const clone = structuredClone(key);
  assert.deepEqual(Reflect.ownKeys(clone), []);
});
