/* The names under which the provider offers ML-KEM. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.InvalidKeyException;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import org.latkem.ParameterSet;

/** The sets that a service accepts: any set of ML-KEM, or one alone. Identifiers are NIST's (RFC 9935 section 3). */
enum Accepted {
    ANY("ML-KEM", null),
    ML_KEM_512(ParameterSet.ML_KEM_512, "2.16.840.1.101.3.4.4.1"),
    ML_KEM_768(ParameterSet.ML_KEM_768, "2.16.840.1.101.3.4.4.2"),
    ML_KEM_1024(ParameterSet.ML_KEM_1024, "2.16.840.1.101.3.4.4.3");

    /** The name of the service. */
    final String algorithm;

    /** Its other names. */
    final List<String> aliases;

    private final ParameterSet onlyOrNull;

    Accepted(String algorithm, ParameterSet onlyOrNull, String... aliases) {
        this.algorithm = algorithm;
        this.onlyOrNull = onlyOrNull;
        this.aliases = List.of(aliases);
    }

    Accepted(ParameterSet only, String oid) {
        this(only.toString(), only, oid, "OID." + oid);
    }

    /** The set of key pairs when the user names none. */
    ParameterSet defaultSet() {
        return onlyOrNull == null ? ParameterSet.ML_KEM_768 : onlyOrNull;
    }

    /**
     * Returns the set of a specification by its name, in any case; null if it is none that this service accepts.
     */
    ParameterSet setOrNull(AlgorithmParameterSpec spec) {
        return spec instanceof NamedParameterSpec ? setOrNull(((NamedParameterSpec) spec).getName()) : null;
    }

    /** The set of a name; that of the family is enough where one set alone is accepted. */
    ParameterSet setOfAlgorithmOrNull(String name) {
        return ANY.algorithm.equalsIgnoreCase(name) ? onlyOrNull : setOrNull(name);
    }

    private ParameterSet setOrNull(String name) {
        for (Accepted one : values()) {
            if (one.onlyOrNull != null && one.algorithm.equalsIgnoreCase(name) && takes(one.onlyOrNull)) {
                return one.onlyOrNull;
            }
        }
        return null;
    }

    /** Throws if a key's set is not accepted. */
    void require(ParameterSet set) throws InvalidKeyException {
        if (!takes(set)) {
            throw new InvalidKeyException("a key of " + set + " where one of " + algorithm + " is needed");
        }
    }

    private boolean takes(ParameterSet set) {
        return onlyOrNull == null || onlyOrNull == set;
    }
}
