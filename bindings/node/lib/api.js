// The classes of latkem over an engine: the add-on or WebAssembly.
//
// An engine has the functions of src/operations.h by name. Each takes a set's index or a key, and buffers, first those
// that are read. It returns a key or a number. SPDX-License-Identifier: Apache-2.0
import { checkedLength, newBytes, overlap, plainViews, settle } from "./bytes.js";
import { checked } from "./errors.js";

const NUMBERS = [
  "level",
  "isStandard",
  "publicKeyBytes",
  "privateKeyBytes",
  "ciphertextBytes",
  "sharedKeyBytes",
  "seedBytes",
  "coinsBytes",
];
const FORMS = { seed: "seedFile", expanded: "expandedFile", both: "bothFile" };
const FILE_MAX = 4096; // more than the longest key file has
const MAKE = Symbol("make"); // what constructors ask for, so that nobody else calls them

let engine;
const kems = [];
const byName = new Map();

function checkMaker(token, name) {
  if (token !== MAKE) throw new TypeError(`${name} has no constructor: its objects come from methods`);
}

// withInputs calls an operation with arguments, each a value, its thing and its length, and then buffers for results.
function withInputs(kem, name, subject, inputs, outputs = []) {
  const values = inputs.map(([value, thing, length]) => {
    const actual = checkedLength(value, thing);
    if (actual !== length) throw new RangeError(`${kem.name}: ${thing} has ${length} bytes, not ${actual}`);
    return value;
  });
  const views = plainViews(values);
  try {
    return checked(kem.name, engine[name](subject, ...views, ...outputs));
  } finally {
    settle(views, values, values.length);
  }
}

// checkBatch refuses columns, each a value, its things and the bytes of one, of uneven lengths or that overlap.
function checkBatch(kem, columns) {
  const lengths = columns.map(([value, things]) => checkedLength(value, things));
  const count = lengths[0] / columns[0][2];
  columns.forEach(([, things, each], i) => {
    if (lengths[i] % each !== 0) {
      throw new RangeError(`${kem.name}: ${things} have a multiple of ${each} bytes, not ${lengths[i]}`);
    }
    if (lengths[i] !== count * each) {
      throw new RangeError(`${kem.name}: ${count} ${things} have ${count} times ${each} bytes, not ${lengths[i]}`);
    }
  });
  if (columns.some(([a], i) => columns.slice(0, i).some(([b]) => overlap(a, b)))) {
    throw new RangeError(`${kem.name}: the buffers overlap`);
  }
}

// batch calls an operation with columns, the first of which are read.
function batch(kem, name, inputs, columns) {
  checkBatch(kem, columns);
  const values = columns.map(([value]) => value);
  const views = plainViews(values);
  try {
    checked(kem.name, engine[name](kems.indexOf(kem), ...views));
  } finally {
    settle(views, values, inputs);
  }
}

function encapsulation(kem, run) {
  const ciphertext = newBytes(kem.ciphertextBytes);
  const sharedKey = newBytes(kem.sharedKeyBytes);
  run([ciphertext, sharedKey]);
  return { sharedKey, ciphertext };
}

function copyOf(kem, name, handle, length) {
  const bytes = newBytes(length);
  checked(kem.name, engine[name](handle, bytes));
  return bytes;
}

function fileOf(kem, name, handle) {
  if (kem.family !== "ML-KEM") throw new TypeError(`${kem.name}: there are key files of ML-KEM alone`);
  const room = newBytes(FILE_MAX);
  try {
    const der = newBytes(checked(kem.name, engine[name](handle, room), "the private key has no seed"));
    der.set(room.subarray(0, der.length));
    return der;
  } finally {
    room.fill(0);
  }
}

function keyOfFile(Class, name, kind, der) {
  checkedLength(der, "a key file");
  const [view] = plainViews([der]);
  try {
    const handle = checked(`no key file of an ML-KEM ${kind} key`, engine[name](undefined, view));
    return new Class(MAKE, kems[engine.setOf(handle)], handle);
  } finally {
    settle([view], [der], 1);
  }
}

export class Kem {
  #index;

  constructor(token, index) {
    checkMaker(token, "Kem");
    this.#index = index;
    this.name = engine.setText(index, 0);
    this.family = engine.setText(index, 1);
    NUMBERS.forEach((name, which) => {
      this[name] = engine.setNumber(index, which);
    });
    this.isStandard = this.isStandard === 1;
    Object.freeze(this);
  }

  static of(name) {
    if (typeof name !== "string") throw new TypeError(`the name of a set must be a string, not ${typeof name}`);
    const kem = byName.get(name);
    if (kem === undefined) throw new RangeError(`there is no set ${JSON.stringify(name)}; Kem.names() has them all`);
    return kem;
  }

  static names() {
    return kems.map((kem) => kem.name);
  }

  generate() {
    return new PrivateKey(MAKE, this, checked(this.name, engine.generate(this.#index)));
  }

  fromSeed(seed) {
    const inputs = [[seed, "a seed", this.seedBytes]];
    return new PrivateKey(MAKE, this, withInputs(this, "fromSeed", this.#index, inputs));
  }

  privateKey(data) {
    const inputs = [[data, "a private key", this.privateKeyBytes]];
    return new PrivateKey(MAKE, this, withInputs(this, "fromExpanded", this.#index, inputs));
  }

  publicKey(data) {
    const inputs = [[data, "a public key", this.publicKeyBytes]];
    return new PublicKey(MAKE, this, withInputs(this, "fromPublicBytes", this.#index, inputs));
  }

  encapsulate(publicKey) {
    const inputs = [[publicKey, "a public key", this.publicKeyBytes]];
    return encapsulation(this, (out) => withInputs(this, "encapsulateTo", this.#index, inputs, out));
  }

  encapsulateDerand(publicKey, coins) {
    const inputs = [
      [publicKey, "a public key", this.publicKeyBytes],
      [coins, "a value of coins", this.coinsBytes],
    ];
    return encapsulation(this, (out) => withInputs(this, "encapsulateDerand", this.#index, inputs, out));
  }

  decapsulate(privateKey, ciphertext) {
    const sharedKey = newBytes(this.sharedKeyBytes);
    const inputs = [
      [privateKey, "a private key", this.privateKeyBytes],
      [ciphertext, "a ciphertext", this.ciphertextBytes],
    ];
    withInputs(this, "decapsulateWith", this.#index, inputs, [sharedKey]);
    return sharedKey;
  }

  generateBatch(publicKeys, privateKeys) {
    batch(this, "generateBatch", 0, [
      [publicKeys, "public keys", this.publicKeyBytes],
      [privateKeys, "private keys", this.privateKeyBytes],
    ]);
  }

  encapsulateBatch(publicKeys, ciphertexts, sharedKeys) {
    batch(this, "encapsulateBatch", 1, [
      [publicKeys, "public keys", this.publicKeyBytes],
      [ciphertexts, "ciphertexts", this.ciphertextBytes],
      [sharedKeys, "shared keys", this.sharedKeyBytes],
    ]);
  }

  decapsulateBatch(privateKeys, ciphertexts, sharedKeys) {
    batch(this, "decapsulateBatch", 2, [
      [privateKeys, "private keys", this.privateKeyBytes],
      [ciphertexts, "ciphertexts", this.ciphertextBytes],
      [sharedKeys, "shared keys", this.sharedKeyBytes],
    ]);
  }

  toJSON() {
    return this.name;
  }
}

export class PrivateKey {
  #kem;
  #handle;

  constructor(token, kem, handle) {
    checkMaker(token, "PrivateKey");
    this.#kem = kem;
    this.#handle = handle;
    Object.freeze(this);
  }

  get kem() {
    return this.#kem;
  }

  get closed() {
    return this.#handle === undefined;
  }

  #open() {
    if (this.closed) throw new TypeError(`${this.#kem.name}: the private key is closed`);
    return this.#handle;
  }

  publicKey() {
    const missing = "an expanded private key does not hold its public key";
    return new PublicKey(MAKE, this.#kem, checked(this.#kem.name, engine.publicOf(this.#open()), missing));
  }

  decapsulate(ciphertext) {
    const handle = this.#open();
    const sharedKey = newBytes(this.#kem.sharedKeyBytes);
    withInputs(
      this.#kem,
      "decapsulate",
      handle,
      [[ciphertext, "a ciphertext", this.#kem.ciphertextBytes]],
      [sharedKey],
    );
    return sharedKey;
  }

  toBytes() {
    return copyOf(this.#kem, "copyExpanded", this.#open(), this.#kem.privateKeyBytes);
  }

  seed() {
    const handle = this.#open();
    return engine.hasSeed(handle) ? copyOf(this.#kem, "copySeed", handle, this.#kem.seedBytes) : undefined;
  }

  toPkcs8(form = "seed") {
    const handle = this.#open();
    if (typeof form !== "string") throw new TypeError(`the form must be a string, not ${typeof form}`);
    if (!Object.hasOwn(FORMS, form)) {
      throw new RangeError(`the form is "seed", "expanded" or "both", not ${JSON.stringify(form)}`);
    }
    return fileOf(this.#kem, FORMS[form], handle);
  }

  close() {
    if (this.closed) return;
    engine.close(this.#handle);
    this.#handle = undefined;
  }

  toJSON() {
    return this.#kem.name;
  }
}

// Engines without `using` have no such symbol.
if (Symbol.dispose) {
  Object.defineProperty(PrivateKey.prototype, Symbol.dispose, { value: PrivateKey.prototype.close, writable: true });
}

export class PublicKey {
  #kem;
  #handle;

  constructor(token, kem, handle) {
    checkMaker(token, "PublicKey");
    this.#kem = kem;
    this.#handle = handle;
    Object.freeze(this);
  }

  get kem() {
    return this.#kem;
  }

  encapsulate() {
    return encapsulation(this.#kem, (out) => checked(this.#kem.name, engine.encapsulate(this.#handle, ...out)));
  }

  toBytes() {
    return copyOf(this.#kem, "copyPublic", this.#handle, this.#kem.publicKeyBytes);
  }

  toSpki() {
    return fileOf(this.#kem, "publicFile", this.#handle);
  }

  equals(other) {
    if (other === null || typeof other !== "object" || !(#handle in other) || this.#kem !== other.#kem) return false;
    const theirs = other.toBytes();
    return this.toBytes().every((byte, i) => byte === theirs[i]);
  }

  toJSON() {
    return this.#kem.name;
  }
}

export function privateKeyFromPkcs8(der) {
  return keyOfFile(PrivateKey, "fromPkcs8", "private", der);
}

export function publicKeyFromSpki(der) {
  return keyOfFile(PublicKey, "fromSpki", "public", der);
}

// start makes the sets of an engine, before anything else is called.
export function start(chosen) {
  engine = chosen;
  for (let index = 0; engine.setText(index, 0) !== undefined; index++) {
    const kem = new Kem(MAKE, index);
    kems.push(kem);
    byName.set(kem.name, kem);
  }
}
