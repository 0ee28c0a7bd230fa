// The package in browsers: WebAssembly from the file beside this one. SPDX-License-Identifier: Apache-2.0
import { Kem, start } from "./api.js";
import { awaitEngine } from "./wasm.js";

async function fetchWasm() {
  const answer = await fetch(new URL("./latkem.wasm", import.meta.url));
  if (!answer.ok) throw new Error(`latkem.wasm: the server answered ${answer.status}`);
  return answer.arrayBuffer();
}

const engine = await awaitEngine(await fetchWasm());
start(engine);

export const { version, backend } = engine;
export const mlkem512 = Kem.of("ML-KEM-512");
export const mlkem768 = Kem.of("ML-KEM-768");
export const mlkem1024 = Kem.of("ML-KEM-1024");
export { Kem, PrivateKey, privateKeyFromPkcs8, PublicKey, publicKeyFromSpki } from "./api.js";
export { InvalidKeyError, RandomError } from "./errors.js";
