/* A failure that no caller can prevent. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

/**
 * The system's random generator failed, or there is no native library for this system. In the second case the message
 * lists what was tried, and each later call tries again.
 */
public final class LatkemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LatkemException(String message) {
        super(message);
    }

    LatkemException(String message, Throwable cause) {
        super(message, cause);
    }
}
