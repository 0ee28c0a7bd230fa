/* Private keys of the provider. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.PrivateKey;
import java.security.spec.NamedParameterSpec;
import org.latkem.DecapsulationKey;
import org.latkem.PrivateKeyFormat;

/**
 * A decapsulation key of ML-KEM, which lies in native memory. Its encoding is PKCS#8 (RFC 9935), in the form that holds
 * the seed; without a seed, in the expanded one. The security or system property {@code latkem.pkcs8} chooses another:
 * {@code SEED}, {@code EXPANDED} or {@code BOTH}. JDK 24 and 25 read {@code EXPANDED} only.
 */
public interface MlKemPrivateKey extends PrivateKey, MlKemKey {
    /** Returns the key's set, such as {@code ML-KEM-768}. */
    @Override
    NamedParameterSpec getParams();

    /** Returns the key for the plain API, without a copy. Closing it destroys this key. */
    DecapsulationKey decapsulationKey();

    /**
     * Returns the key as PKCS#8 in a form of the caller's choice. The array is the caller's to wipe.
     *
     * @throws IllegalStateException if the form needs a seed that the key has not, or the key is destroyed
     */
    byte[] getEncoded(PrivateKeyFormat format);

    /** Wipes the key. Afterwards it has neither encoding nor format, and cannot be used. */
    @Override
    void destroy();
}
