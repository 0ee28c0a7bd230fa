// A program over the package's types, which tsc --strict reads. SPDX-License-Identifier: Apache-2.0
import {
  backend,
  type Encapsulation,
  type Family,
  InvalidKeyError,
  Kem,
  mlkem512,
  mlkem768,
  mlkem1024,
  PrivateKey,
  privateKeyFromPkcs8,
  PublicKey,
  publicKeyFromSpki,
  RandomError,
  type SetName,
  version,
} from "latkem";

const names: SetName[] = Kem.names();
const family: Family = Kem.of("NTRU-HRSS-701").family;
const sizes: number[] = names.map(Kem.of).map((kem) => kem.publicKeyBytes + kem.level);
const facts: [string, string, boolean] = [version, backend, mlkem512.isStandard];

function use(kem: Kem): Uint8Array {
  using key: PrivateKey = kem.generate();
  const seed: Uint8Array | undefined = key.seed();
  const { sharedKey, ciphertext }: Encapsulation = key.publicKey().encapsulate();
  const again: PrivateKey = privateKeyFromPkcs8(key.toPkcs8("both"));
  const theirs: PublicKey = publicKeyFromSpki(key.publicKey().toSpki());
  if (!theirs.equals(again.publicKey()) || seed === undefined) throw new InvalidKeyError("never");
  kem.generateBatch(new Uint8Array(kem.publicKeyBytes), new Uint8Array(kem.privateKeyBytes));
  return sharedKey.length > 0 ? key.decapsulate(ciphertext) : sharedKey;
}

// @ts-expect-error: no such set
Kem.of("ML-KEM-769");
// @ts-expect-error: no public constructor
new PrivateKey();
// @ts-expect-error: text is no bytes
mlkem768.fromSeed("text");
// @ts-expect-error: no such form
mlkem768.generate().toPkcs8("pem");
// @ts-expect-error: a seed may be missing
mlkem768.generate().seed().length;
// @ts-expect-error: sets are frozen
mlkem1024.level = 1;

export const all = [family, sizes, facts, use, RandomError];
