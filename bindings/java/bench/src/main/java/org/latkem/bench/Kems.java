// Makes the KEMs that are compared. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.security.Provider;
import java.security.Security;
import java.util.Arrays;
import java.util.Optional;
import java.util.ServiceLoader;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.latkem.ParameterSet;

/** Finds a library's KEM by name. */
public final class Kems {
    private Kems() {}

    /**
     * Makes a KEM and compares its decapsulation with its encapsulation.
     *
     * @param library a name of {@link Tier#libraries}
     * @param tier how keys are held
     * @param set the parameter set
     * @return the KEM, or nothing where the library has no such set, or this JVM no such library
     * @throws Exception as the library does
     * @throws IllegalStateException if the two secrets differ
     */
    public static Optional<Kem> find(String library, Tier tier, ParameterSet set) throws Exception {
        Optional<Kem> found = Optional.ofNullable(make(library, tier, set));
        if (found.isPresent()
                && !Arrays.equals(found.get().secret(), found.get().decapsulate())) {
            throw new IllegalStateException(library + ", " + set + ": the secrets differ");
        }
        return found;
    }

    private static Kem make(String library, Tier tier, ParameterSet set) throws Exception {
        if (library.equals("C")) {
            return BareC.isThere() ? new BareC(set, tier != Tier.BYTES) : null;
        }
        if (tier.standardOnly()) {
            Provider provider = provider(library);
            return provider == null ? null : JcaKem.of(provider, set, tier == Tier.ENCODED);
        }
        if (library.equals("latkem")) {
            return tier == Tier.BYTES ? new LatkemBytes(set) : new LatkemObjects(set);
        }
        return BouncyCastleKem.of(set, tier == Tier.BYTES);
    }

    private static Provider provider(String library) {
        switch (library) {
            case "latkem":
                return ServiceLoader.load(Provider.class).stream()
                        .filter(found -> found.type().getName().startsWith("org.latkem."))
                        .findFirst()
                        .map(ServiceLoader.Provider::get)
                        .orElseThrow(() -> new IllegalStateException("latkem's provider is not on the class path"));
            case "Bouncy Castle":
                return new BouncyCastleProvider();
            default:
                Provider own = Security.getProvider("SunJCE");
                return own == null || own.getService("KEM", "ML-KEM") == null ? null : own;
        }
    }
}
