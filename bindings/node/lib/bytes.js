// Arguments that are bytes: what they are is asked of the array itself, which a subclass cannot fake.
// SPDX-License-Identifier: Apache-2.0

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const getter = (name) => Object.getOwnPropertyDescriptor(typedArray, name).get;
const kindOf = getter(Symbol.toStringTag);
const bufferOf = getter("buffer");
const offsetOf = getter("byteOffset");
const lengthOf = getter("byteLength");
const plainLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength").get;

function isShared(buffer) {
  try {
    plainLength.call(buffer);
    return false;
  } catch {
    return true;
  }
}

function describe(value) {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  return value.constructor?.name ?? "object";
}

// checkedLength returns the length of a Uint8Array; for any other value it throws a TypeError that names the thing.
export function checkedLength(value, thing) {
  if (kindOf.call(value) !== "Uint8Array") throw new TypeError(`${thing} must be a Uint8Array, not ${describe(value)}`);
  return lengthOf.call(value);
}

// newBytes returns bytes over a buffer of their own. The garbage collector does not move it, so that a caller can erase it.
export function newBytes(length) {
  return new Uint8Array(new ArrayBuffer(length));
}

function viewOf(value) {
  return new Uint8Array(bufferOf.call(value), offsetOf.call(value), lengthOf.call(value));
}

// plainViews returns plain views of the same bytes, or copies of those that another thread can write.
export function plainViews(values) {
  return values.map((value) => {
    const view = viewOf(value);
    if (!isShared(view.buffer)) return view;
    const copy = newBytes(view.length);
    copy.set(view);
    return copy;
  });
}

// settle ends the use of plain views: copies of outputs, which begin at an index, are written back, and all are wiped.
export function settle(views, values, outputs) {
  views.forEach((view, i) => {
    if (view.buffer === bufferOf.call(values[i])) return;
    if (i >= outputs) viewOf(values[i]).set(view);
    view.fill(0);
  });
}

export function overlap(a, b) {
  const [from, to] = [offsetOf.call(a), offsetOf.call(b)];
  return bufferOf.call(a) === bufferOf.call(b) && from < to + lengthOf.call(b) && to < from + lengthOf.call(a);
}
