/* A ciphertext of the wrong length. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.GeneralSecurityException;

/**
 * A ciphertext of the wrong length. One of the right length is never an error: if it is not a valid encapsulation,
 * decapsulation returns a pseudo-random secret (implicit rejection), and nobody can distinguish the two.
 */
public final class InvalidCiphertextException extends GeneralSecurityException {
    private static final long serialVersionUID = 1;

    InvalidCiphertextException(String message) {
        super(message);
    }
}
