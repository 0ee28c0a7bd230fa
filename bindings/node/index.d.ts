/**
 * Lattice key encapsulation: ML-KEM (FIPS 203), and for research Kyber, Saber and NTRU.
 *
 * All calls are synchronous. Bytes come in as `Uint8Array` (a Buffer is one) and go out as new ones over buffers of their
 * own, which belong to the caller. A wrong length is a `RangeError`, another type a `TypeError`.
 */

/** The parameter sets. */
export type SetName =
  | "ML-KEM-512"
  | "ML-KEM-768"
  | "ML-KEM-1024"
  | "Kyber512"
  | "Kyber768"
  | "Kyber1024"
  | "Kyber512-90s"
  | "Kyber768-90s"
  | "Kyber1024-90s"
  | "LightSaber"
  | "Saber"
  | "FireSaber"
  | "NTRU-HPS-2048-509"
  | "NTRU-HPS-2048-677"
  | "NTRU-HPS-4096-821"
  | "NTRU-HRSS-701";

export type Family = "ML-KEM" | "Kyber" | "Kyber-90s" | "Saber" | "NTRU";

/** The content of a private key's file (RFC 9935). Every reader knows the seed. */
export type PrivateKeyForm = "seed" | "expanded" | "both";

export interface Encapsulation {
  /** The shared key, a secret. */
  readonly sharedKey: Uint8Array<ArrayBuffer>;
  /** The ciphertext for the owner of the private key. */
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** A parameter set. There is one object of each. */
export class Kem {
  private constructor();
  /** The set of that name; `RangeError` if there is none. */
  static of(name: SetName): Kem;
  /** All names, in the library's order. */
  static names(): SetName[];

  readonly name: SetName;
  readonly family: Family;
  /** The NIST security category: 1, 3 or 5. */
  readonly level: number;
  /** Whether a published standard (FIPS 203) has the set; others are for research. */
  readonly isStandard: boolean;
  readonly publicKeyBytes: number;
  readonly privateKeyBytes: number;
  readonly ciphertextBytes: number;
  readonly sharedKeyBytes: number;
  readonly seedBytes: number;
  readonly coinsBytes: number;

  /** A fresh key. ML-KEM's keys keep their seed. `RandomError` if there is no randomness. */
  generate(): PrivateKey;
  /** The key of a seed: `d || z` of ML-KEM. */
  fromSeed(seed: Uint8Array): PrivateKey;
  /** An expanded private key, once it is checked; `InvalidKeyError` if it is not valid. */
  privateKey(data: Uint8Array): PrivateKey;
  /** A public key, once it is checked; `InvalidKeyError` if it is not valid. */
  publicKey(data: Uint8Array): PublicKey;

  /** Encapsulates to a public key's bytes. A `PublicKey` is faster from its second use on. */
  encapsulate(publicKey: Uint8Array): Encapsulation;
  /** Decapsulates with an expanded private key's bytes. */
  decapsulate(privateKey: Uint8Array, ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Encapsulates with given coins, for tests: who uses coins twice loses the shared key. */
  encapsulateDerand(publicKey: Uint8Array, coins: Uint8Array): Encapsulation;

  /** Fills both arrays with keys, as many as they have room for. */
  generateBatch(publicKeys: Uint8Array, privateKeys: Uint8Array): void;
  /** Encapsulates once to each public key. */
  encapsulateBatch(publicKeys: Uint8Array, ciphertexts: Uint8Array, sharedKeys: Uint8Array): void;
  /** Decapsulates each ciphertext with its private key. */
  decapsulateBatch(privateKeys: Uint8Array, ciphertexts: Uint8Array, sharedKeys: Uint8Array): void;

  /** The name. */
  toJSON(): SetName;
}

/** A private key. Its secrets are wiped by `close`, or once it is collected. */
export class PrivateKey {
  private constructor();
  readonly kem: Kem;
  readonly closed: boolean;
  /** The public key; `TypeError` for an expanded key of NTRU, which does not hold it. */
  publicKey(): PublicKey;
  /** The shared key. A ciphertext that is not valid gives a pseudo-random one (implicit rejection). */
  decapsulate(ciphertext: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The expanded key, a secret. */
  toBytes(): Uint8Array<ArrayBuffer>;
  /** The seed of an ML-KEM key, a secret, if it is known. */
  seed(): Uint8Array<ArrayBuffer> | undefined;
  /** A key file (PKCS#8 in DER) of ML-KEM, a secret. The form is "seed" if none is named; `TypeError` without a seed. */
  toPkcs8(form?: PrivateKeyForm): Uint8Array<ArrayBuffer>;
  /** Wipes the key. Every later call but `close`, `closed`, `kem` and `toJSON` is a `TypeError`. */
  close(): void;
  /** `close`, for `using`. */
  [Symbol.dispose](): void;
  /** The name of the set. */
  toJSON(): SetName;
}

/** A public key that was checked. */
export class PublicKey {
  private constructor();
  readonly kem: Kem;
  /** A fresh shared key and its ciphertext. `RandomError` if there is no randomness. */
  encapsulate(): Encapsulation;
  toBytes(): Uint8Array<ArrayBuffer>;
  /** A key file (SubjectPublicKeyInfo in DER) of ML-KEM. */
  toSpki(): Uint8Array<ArrayBuffer>;
  /** Whether it is a public key of the same set with the same bytes. */
  equals(other: unknown): boolean;
  /** The name of the set. */
  toJSON(): SetName;
}

/** Reads a key file of ML-KEM, PKCS#8 in DER, in each form; `InvalidKeyError` for anything else. */
export function privateKeyFromPkcs8(der: Uint8Array): PrivateKey;
/** Reads a key file of ML-KEM, SubjectPublicKeyInfo in DER; `InvalidKeyError` for anything else. */
export function publicKeyFromSpki(der: Uint8Array): PublicKey;

export const mlkem512: Kem;
export const mlkem768: Kem;
export const mlkem1024: Kem;

/** The version of the library. */
export const version: string;
/** "wasm", or the kernels that the add-on runs: "avx512", "neon", .. */
export const backend: string;

/** A key or a key file that is not valid. */
export class InvalidKeyError extends Error {
  readonly name: "InvalidKeyError";
}
/** The system's random generator failed. */
export class RandomError extends Error {
  readonly name: "RandomError";
}
