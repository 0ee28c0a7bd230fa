// Prints by how many bytes this process grew over many operations and their errors, after those that fill pools.
// It runs with --expose-gc. SPDX-License-Identifier: Apache-2.0
import { Kem, privateKeyFromPkcs8, publicKeyFromSpki } from "latkem";

const turn = () => new Promise((resolve) => setImmediate(resolve));
const junk = new Uint8Array(99);
const kems = ["ML-KEM-512", "Saber"].map(Kem.of);

function expectError(call) {
  try {
    call();
  } catch {
    return;
  }
  throw new Error("no error");
}

function use(kem) {
  const key = kem.generate(); // collected, and the others closed
  const other = kem.privateKey(key.toBytes());
  const { sharedKey, ciphertext } = kem.publicKey(key.publicKey().toBytes()).encapsulate();
  if (!Buffer.from(other.decapsulate(ciphertext)).equals(sharedKey)) throw new Error("another shared key");
  other.close();
  if (kem.family === "ML-KEM") privateKeyFromPkcs8(key.toPkcs8("both")).close();
  const [dk, ek] = [key.toBytes().fill(0xff, 0, 2000), new Uint8Array(kem.publicKeyBytes).fill(0xff)];
  const errors = [
    () => kem.fromSeed(junk),
    () => key.decapsulate(junk),
    () => other.toBytes(),
    () => privateKeyFromPkcs8(junk),
    () => publicKeyFromSpki(junk),
    () => kem.generateBatch(ek, junk),
    () => kem.generateBatch(dk, dk),
  ];
  if (kem.family === "ML-KEM")
    errors.push(
      () => kem.publicKey(ek),
      () => kem.privateKey(dk),
      () => kem.encapsulate(ek),
    );
  errors.forEach(expectError);
}

const EACH = 16; // operations in one use, at least

async function collect() {
  globalThis.gc();
  await turn();
}

// Collected often, as the memory of WebAssembly only grows.
async function rounds(count) {
  for (let i = 0; i * EACH < count; i++) {
    use(kems[i % 2]);
    if (i % 32 === 0) await collect();
  }
  for (let i = 0; i < 5; i++) await collect();
  return process.memoryUsage().rss;
}

const before = await rounds(50_000);
console.log((await rounds(Number(process.argv[2]))) - before);
