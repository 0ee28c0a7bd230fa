/* Public keys of the provider. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.PublicKey;
import java.security.spec.NamedParameterSpec;
import org.latkem.EncapsulationKey;

/** An encapsulation key of ML-KEM. Its encoding is SubjectPublicKeyInfo (RFC 9935). */
public interface MlKemPublicKey extends PublicKey, MlKemKey {
    /** Returns the key's set, such as {@code ML-KEM-768}. */
    @Override
    NamedParameterSpec getParams();

    /** Returns the key for the plain API, without a copy. */
    EncapsulationKey encapsulationKey();
}
