/* A step of the scenario. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

/** The steps that a round measures; the native library knows the steps by their order here. */
public enum Step {
    /** A key pair is made, as arrays. In C: {@code latkem_keypair}. */
    KEYGEN("keygen", "key pair"),
    /** The session key is sealed to it. In C: {@code latkem_encaps}. */
    ENCRYPT("encrypt", "encrypt"),
    /** The sealed session key is opened and compared. In C: {@code latkem_decaps}. */
    DECRYPT("decrypt", "decrypt");

    private final String key;
    private final String title;

    Step(String key, String title) {
        this.key = key;
        this.title = title;
    }

    /** {@return the name in JSON and CSV} */
    public String key() {
        return key;
    }

    /** {@return the name for readers} */
    public String title() {
        return title;
    }
}
