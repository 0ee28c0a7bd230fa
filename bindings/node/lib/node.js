// The package in Node: the add-on of this platform, or WebAssembly. SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { Kem, start } from "./api.js";
import { engineOfBytes } from "./wasm.js";

function loadWasm() {
  return engineOfBytes(readFileSync(new URL("./latkem.wasm", import.meta.url)));
}

function loadNative() {
  return createRequire(import.meta.url)(`../prebuilds/${process.platform}-${process.arch}/latkem.node`);
}

function nativeOrWasm() {
  try {
    return loadNative();
  } catch {
    return loadWasm();
  }
}

function choose() {
  const wanted = process.env.LATKEM_ENGINE ?? "";
  const engines = { "": nativeOrWasm, native: loadNative, wasm: loadWasm };
  if (!Object.hasOwn(engines, wanted)) throw new RangeError(`LATKEM_ENGINE is "native" or "wasm", not "${wanted}"`);
  return engines[wanted]();
}

const engine = choose();
start(engine);

export const { version, backend } = engine;
export const mlkem512 = Kem.of("ML-KEM-512");
export const mlkem768 = Kem.of("ML-KEM-768");
export const mlkem1024 = Kem.of("ML-KEM-1024");
export { Kem, PrivateKey, privateKeyFromPkcs8, PublicKey, publicKeyFromSpki } from "./api.js";
export { InvalidKeyError, RandomError } from "./errors.js";
