// The engine in WebAssembly: the rows of src/operations.h over a module's memory.
//
// Each call has one block there, with a frame and the buffers, which is wiped and freed before the call returns. A key is
// an object with its address in that memory. SPDX-License-Identifier: Apache-2.0

const RANDOM_PIECE = 65536; // the most that getRandomValues gives at once
const IO_ERROR = 29; // of WASI
const POINTER_BYTES = 4;
const MEMORY_MAX = 2 ** 32;
// Errors of latkem.h after which outputs are written: an invalid ek, an invalid dk, no randomness.
const WRITTEN = [-3, -4, -5];
const ERR_MEMORY = -100; // of src/keys.h

// imports gives what a module needs, which asks for its instance's memory when it is called.
function imports(memory) {
  const random_get = (at, length) => {
    try {
      for (let done = 0; done < length; done += RANDOM_PIECE) {
        const now = Math.min(RANDOM_PIECE, length - done);
        globalThis.crypto.getRandomValues(new Uint8Array(memory().buffer, at + done, now));
      }
      return 0;
    } catch {
      return IO_ERROR;
    }
  };
  return { wasi_snapshot_preview1: { random_get } };
}

function textReader(memory) {
  return (at) => {
    if (at === 0) return undefined;
    const bytes = new Uint8Array(memory.buffer, at);
    return String.fromCharCode(...bytes.subarray(0, bytes.indexOf(0)));
  };
}

// A row of the table as a function.
function operation(native, index, keys) {
  const { memory } = native;
  const inputs = native.operationInputs(index);
  const makesKey = native.operationMakesKey(index) !== 0;
  const frame = native.frameBytes();

  // The memory may grow in every call, which ends all views of it.
  const run = (block, subject, buffers, places) => {
    const header = new Uint32Array(memory.buffer, block, frame / POINTER_BYTES);
    buffers.forEach((buffer, i) => {
      header.set([places[i], buffer.length], 2 * i);
      if (i < inputs) new Uint8Array(memory.buffer, places[i], buffer.length).set(buffer);
    });
    const result = native.run(index, subject?.at ?? subject ?? 0, block);
    if (makesKey && result === 0) {
      return keys.hold(new Uint32Array(memory.buffer, block, frame / POINTER_BYTES).at(-1));
    }
    if (result >= 0 || WRITTEN.includes(result)) {
      buffers.slice(inputs).forEach((buffer, i) => {
        buffer.set(new Uint8Array(memory.buffer, places[inputs + i], buffer.length));
      });
    }
    return result;
  };

  return (subject, ...buffers) => {
    const total = buffers.reduce((sum, buffer) => sum + buffer.length, frame);
    const block = total < MEMORY_MAX ? native.allocate(total) >>> 0 : 0;
    if (block === 0) return ERR_MEMORY;
    let end = block + frame;
    const places = buffers.map((buffer) => (end += buffer.length) - buffer.length);
    try {
      return run(block, subject, buffers, places);
    } finally {
      native.release(block, total);
    }
  };
}

// Keys that are collected are wiped and freed.
function keyHolder(native) {
  const registry = new FinalizationRegistry((at) => native.close(at));
  return {
    hold(at) {
      const key = { at };
      registry.register(key, at, key);
      return key;
    },
    close(key) {
      registry.unregister(key);
      native.close(key.at);
    },
  };
}

function engineOf(instance) {
  const native = instance.exports;
  native._initialize();
  const text = textReader(native.memory);
  const keys = keyHolder(native);
  const engine = {
    backend: "wasm",
    version: text(native.version()),
    close: keys.close,
    setOf: (key) => native.setOf(key.at),
    setText: (index, isFamily) => text(native.setText(index, isFamily)),
    setNumber: native.setNumber,
  };
  for (let i = 0, name; (name = text(native.operationName(i))) !== undefined; i++) {
    engine[name] = operation(native, i, keys);
  }
  return engine;
}

// engineOfBytes compiles at once, which browsers allow in workers only; awaitEngine compiles wherever it is.
export function engineOfBytes(bytes) {
  const instance = new WebAssembly.Instance(
    new WebAssembly.Module(bytes),
    imports(() => instance.exports.memory),
  );
  return engineOf(instance);
}

export async function awaitEngine(bytes) {
  const { instance } = await WebAssembly.instantiate(
    bytes,
    imports(() => instance.exports.memory),
  );
  return engineOf(instance);
}
