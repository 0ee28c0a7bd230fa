// Wrong lengths, types and batches, of every argument. SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";

import { InvalidKeyError, Kem, mlkem768, PrivateKey, privateKeyFromPkcs8, PublicKey, publicKeyFromSpki } from "latkem";

const bytes = (length) => new Uint8Array(length);

// Each function that takes bytes of one length, for a set.
function takers(kem) {
  const key = kem.generate();
  const [ek, dk, ct] = [key.publicKey().toBytes(), key.toBytes(), bytes(kem.ciphertextBytes)];
  return [
    ["a seed", kem.seedBytes, (x) => kem.fromSeed(x)],
    ["a private key", kem.privateKeyBytes, (x) => kem.privateKey(x)],
    ["a public key", kem.publicKeyBytes, (x) => kem.publicKey(x)],
    ["a public key", kem.publicKeyBytes, (x) => kem.encapsulate(x)],
    ["a public key", kem.publicKeyBytes, (x) => kem.encapsulateDerand(x, bytes(kem.coinsBytes))],
    ["a value of coins", kem.coinsBytes, (x) => kem.encapsulateDerand(ek, x)],
    ["a private key", kem.privateKeyBytes, (x) => kem.decapsulate(x, ct)],
    ["a ciphertext", kem.ciphertextBytes, (x) => kem.decapsulate(dk, x)],
    ["a ciphertext", kem.ciphertextBytes, (x) => key.decapsulate(x)],
  ];
}

for (const name of Kem.names()) {
  test(`every wrong length: ${name}`, () => {
    for (const [thing, right, take] of takers(Kem.of(name))) {
      for (const wrong of [0, 1, right - 1, right + 1, 2 * right]) {
        const message = `${name}: ${thing} has ${right} bytes, not ${wrong}`;
        assert.throws(() => take(bytes(wrong)), { name: "RangeError", message });
      }
    }
  });
}

const FOREIGN = [
  undefined,
  null,
  7,
  7n,
  true,
  "text",
  Symbol("x"),
  {},
  [1, 2],
  () => 0,
  new ArrayBuffer(1088),
  new DataView(new ArrayBuffer(8)),
  new Uint8ClampedArray(1088),
  new Int8Array(1088),
  new Uint16Array(544),
  { length: 1088, byteLength: 1088 },
  Object.create(Uint8Array.prototype),
];

test("every other type", () => {
  const files = [privateKeyFromPkcs8, publicKeyFromSpki].map((read) => ["a key file", 0, read]);
  for (const [thing, , take] of [...takers(mlkem768), ...files]) {
    for (const value of FOREIGN) {
      assert.throws(
        () => take(value),
        (error) => error instanceof TypeError && error.message.startsWith(thing),
      );
    }
  }
  for (const value of FOREIGN) {
    assert.throws(() => mlkem768.generateBatch(value, bytes(2400)), TypeError);
    assert.throws(() => mlkem768.generateBatch(bytes(1184), value), TypeError);
  }
});

test("an array that lies about its length is asked itself", () => {
  class Liar extends Uint8Array {
    get length() {
      return 1088;
    }
    get byteLength() {
      return 1088;
    }
    get byteOffset() {
      return 1 << 20;
    }
    get buffer() {
      return new ArrayBuffer(1 << 21);
    }
  }
  const key = mlkem768.generate();
  assert.throws(() => key.decapsulate(new Liar(8)), /not 8$/);
  const honest = key.publicKey().encapsulate();
  const liar = Liar.from(honest.ciphertext);
  assert.deepEqual(key.decapsulate(liar), honest.sharedKey);
});

test("arrays of another realm, Buffers and parts of arrays are read", () => {
  const key = mlkem768.generate();
  const { sharedKey, ciphertext } = key.publicKey().encapsulate();
  const foreign = vm.runInNewContext("new Uint8Array(1088)");
  foreign.set(ciphertext);
  const part = Buffer.concat([Buffer.alloc(3), ciphertext, Buffer.alloc(5)]).subarray(3, 3 + 1088);
  for (const input of [foreign, part, Buffer.from(ciphertext)]) assert.deepEqual(key.decapsulate(input), sharedKey);
});

test("a buffer that was transferred has no bytes", () => {
  const array = bytes(1088);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  assert.throws(() => mlkem768.generate().decapsulate(array), /not 0$/);
});

test("memory that is shared is copied", () => {
  const shared = (length, from) => {
    const array = new Uint8Array(new SharedArrayBuffer(length));
    if (from) array.set(from);
    return array;
  };
  const seed = shared(64, bytes(64).fill(7));
  const key = mlkem768.fromSeed(seed);
  assert.deepEqual(key.toBytes(), mlkem768.fromSeed(bytes(64).fill(7)).toBytes());
  assert.ok(seed.every((byte) => byte === 7));
  const { sharedKey, ciphertext } = mlkem768.encapsulate(shared(1184, key.publicKey().toBytes()));
  assert.deepEqual(key.decapsulate(shared(1088, ciphertext)), sharedKey);
  const file = key.toPkcs8();
  assert.deepEqual(privateKeyFromPkcs8(shared(file.length, file)).toBytes(), key.toBytes());

  const [eks, dks, cts, sss] = [1184, 2400, 1088, 32].map((each) => shared(3 * each));
  mlkem768.generateBatch(eks, dks);
  mlkem768.encapsulateBatch(eks, cts, sss);
  const again = shared(96);
  mlkem768.decapsulateBatch(dks, cts, again);
  assert.deepEqual(again, sss);
  assert.ok(sss.some((byte) => byte !== 0));
});

test("names of sets", () => {
  for (const name of ["", "ml-kem-768", "ML-KEM-768 ", "X-Wing", "constructor", "__proto__"]) {
    assert.throws(() => Kem.of(name), RangeError);
  }
  for (const name of [undefined, null, 768, {}]) assert.throws(() => Kem.of(name), TypeError);
  assert.equal(Kem.of("ML-KEM-768"), mlkem768);
});

test("junk as a key file, of no bytes too", () => {
  for (const read of [privateKeyFromPkcs8, publicKeyFromSpki]) {
    for (const length of [0, 1, 2, 86, 1206, 5000, 100_000]) {
      assert.throws(() => read(bytes(length)), InvalidKeyError);
      assert.throws(() => read(bytes(length).fill(0x30)), InvalidKeyError);
    }
    const spki = mlkem768.generate().publicKey().toSpki();
    for (let length = 0; length < spki.length; length += 13) {
      assert.throws(() => read(spki.subarray(0, length)), InvalidKeyError);
    }
  }
});

for (const name of ["ML-KEM-512", "Kyber768-90s", "Saber", "NTRU-HRSS-701"]) {
  test(`batches: ${name}`, () => {
    const kem = Kem.of(name);
    for (const count of [0, 1, 2, 7, 33]) {
      const room = (each) => bytes(count * each);
      const [eks, dks] = [room(kem.publicKeyBytes), room(kem.privateKeyBytes)];
      const [cts, sss, again] = [room(kem.ciphertextBytes), room(kem.sharedKeyBytes), room(kem.sharedKeyBytes)];
      kem.generateBatch(eks, dks);
      kem.encapsulateBatch(eks, cts, sss);
      kem.decapsulateBatch(dks, cts, again);
      assert.deepEqual(again, sss);
      for (let i = 0; i < count; i++) {
        const part = (array, each) => array.subarray(i * each, (i + 1) * each);
        const key = kem.privateKey(part(dks, kem.privateKeyBytes));
        assert.deepEqual(key.decapsulate(part(cts, kem.ciphertextBytes)), part(sss, kem.sharedKeyBytes).slice());
      }
    }
  });
}

test("batches of uneven lengths, or that overlap, are refused and write nothing", () => {
  const lengths = {
    generateBatch: [1184, 2400],
    encapsulateBatch: [1184, 1088, 32],
    decapsulateBatch: [2400, 1088, 32],
  };
  for (const [name, each] of Object.entries(lengths)) {
    const rooms = () => each.map((length) => bytes(3 * length).fill(5));
    const untouched = (arrays) => arrays.every((array) => array.every((byte) => byte === 5));
    for (let i = 0; i < each.length; i++) {
      for (const wrong of [0, 1, 3 * each[i] - 1, 3 * each[i] + 1, 2 * each[i], 4 * each[i]]) {
        const arrays = rooms().with(i, bytes(wrong).fill(5));
        const message = /^ML-KEM-768: .* have (a multiple of|\d+ times) \d+ bytes, not \d+$/;
        assert.throws(() => mlkem768[name](...arrays), { name: "RangeError", message });
        assert.ok(untouched(arrays));
      }
    }
    const whole = new ArrayBuffer(20_000);
    new Uint8Array(whole).fill(5);
    const beside = [];
    each.reduce((at, length) => (beside.push(new Uint8Array(whole, at, length)), at + length), 0);
    for (let i = 1; i < each.length; i++) {
      const close = new Uint8Array(whole, beside[i].byteOffset - 1, each[i]);
      assert.throws(() => mlkem768[name](...beside.with(i, close)), { name: "RangeError", message: /overlap/ });
      assert.ok(untouched([new Uint8Array(whole)]));
    }
    if (name === "generateBatch") mlkem768[name](...beside);
  }
});

test("a batch with an invalid key does the others, and its own results are zero", () => {
  const [eks, dks] = [bytes(3 * 1184), bytes(3 * 2400)];
  mlkem768.generateBatch(eks, dks);
  eks.fill(255, 1184, 1184 + 2);
  const [cts, sss] = [bytes(3 * 1088).fill(1), bytes(96).fill(1)];
  assert.throws(() => mlkem768.encapsulateBatch(eks, cts, sss), InvalidKeyError);
  assert.ok(sss.subarray(32, 64).every((byte) => byte === 0));
  const last = mlkem768.privateKey(dks.subarray(4800)).decapsulate(cts.subarray(2176));
  assert.deepEqual(last, sss.slice(64));
});

test("classes have no constructors, and methods want their own objects", () => {
  for (const Class of [Kem, PrivateKey, PublicKey]) assert.throws(() => new Class(), TypeError);
  const key = mlkem768.generate();
  for (const object of [{}, mlkem768, Object.create(PrivateKey.prototype), key.publicKey()]) {
    assert.throws(() => PrivateKey.prototype.toBytes.call(object), TypeError);
  }
  for (const object of [{}, key, Object.create(Kem.prototype)]) {
    assert.throws(() => Kem.prototype.generate.call(object), TypeError);
  }
});
