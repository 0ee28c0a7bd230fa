/* The plain API. SPDX-License-Identifier: Apache-2.0 */
/**
 * Lattice key encapsulation: ML-KEM (FIPS 203), and for research Kyber, Saber and NTRU.
 *
 * <pre>{@code
 * try (KemKeyPair alice = ParameterSet.ML_KEM_768.generateKeyPair()) {
 *     byte[] ek = alice.encapsulationKey().toBytes();                                // she publishes it
 *     try (Encapsulation e = ParameterSet.ML_KEM_768.encapsulationKey(ek).encapsulate()) { // Bob
 *         byte[] ss = alice.decapsulationKey().decapsulate(e.ciphertext());          // equals e.sharedSecret()
 *     }
 * }
 * }</pre>
 *
 * <p>What comes from outside is checked, and bad keys and ciphertexts are checked exceptions. Mistakes of the program
 * are {@link java.lang.NullPointerException}, {@link java.lang.IllegalArgumentException} and {@link
 * java.lang.IllegalStateException}.
 */
package org.latkem;
