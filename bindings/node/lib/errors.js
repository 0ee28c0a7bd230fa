// Errors, and the codes of latkem.h and src/keys.h that become them. SPDX-License-Identifier: Apache-2.0

export class InvalidKeyError extends Error {
  get name() {
    return "InvalidKeyError";
  }
}

export class RandomError extends Error {
  get name() {
    return "RandomError";
  }
}

const ERR_PART = -101;
const KINDS = new Map([
  [-2, [RangeError, "a wrong length"]],
  [-3, [InvalidKeyError, "the public key is not valid"]],
  [-4, [InvalidKeyError, "the private key is not valid"]],
  [-5, [RandomError, "the random generator failed"]],
  [-11, [InvalidKeyError, "it is not a key file of this kind"]],
  [-13, [Error, "the operation did not run as written: a fault in the hardware, or damaged code"]],
  [-100, [RangeError, "there is not enough memory"]],
]);

// checked returns the result of an engine's call, or throws its error; missing says what a key may not hold.
export function checked(subject, result, missing) {
  if (typeof result !== "number" || result >= 0) return result;
  if (result === ERR_PART) throw new TypeError(`${subject}: ${missing}`);
  const [Kind, text] = KINDS.get(result) ?? [Error, `error ${result}`];
  throw new Kind(`${subject}: ${text}`);
}
