/* The security provider. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.jca;

import java.security.InvalidParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;

/**
 * ML-KEM (FIPS 203) for {@code java.security.KeyPairGenerator}, {@code java.security.KeyFactory} and, where the JDK has
 * it (21 and newer, and some 17), {@code javax.crypto.KEM}.
 *
 * <pre>{@code
 * Security.addProvider(new LatkemProvider());
 * KeyPair pair = KeyPairGenerator.getInstance("ML-KEM-768", LatkemProvider.NAME).generateKeyPair();
 * KEM kem = KEM.getInstance("ML-KEM-768", LatkemProvider.NAME);
 * KEM.Encapsulated e = kem.newEncapsulator(pair.getPublic()).encapsulate();
 * SecretKey same = kem.newDecapsulator(pair.getPrivate()).decapsulate(e.encapsulation()); // equals e.key()
 * }</pre>
 *
 * <p>Each service is there as {@code ML-KEM}, for all sets, and as {@code ML-KEM-512}, {@code ML-KEM-768} and {@code
 * ML-KEM-1024} or their object identifiers, for that set alone. The sets for research are not registered: they are in
 * {@link org.latkem.ParameterSet}. The native library is loaded by the first operation, not by this class.
 */
public final class LatkemProvider extends Provider {
    private static final long serialVersionUID = 1;

    /** The provider's name. */
    public static final String NAME = "latkem";

    private static final String VERSION = "0.2.0";
    private static final String KEM_SPI = "javax.crypto.KEMSpi";
    private static final String KEM_CLASS = "org.latkem.jca.MlKemKem";

    /** Makes the provider; {@code Security.addProvider} installs it. */
    public LatkemProvider() {
        super(NAME, VERSION, "latkem: ML-KEM (FIPS 203)");
        boolean hasKem = hasKem();
        for (Accepted accepted : Accepted.values()) {
            offer("KeyPairGenerator", accepted, MlKemKeyPairGenerator.class.getName(), MlKemKeyPairGenerator::new);
            offer("KeyFactory", accepted, MlKemKeyFactory.class.getName(), MlKemKeyFactory::new);
            if (hasKem) {
                offer("KEM", accepted, KEM_CLASS, LatkemProvider::newKem);
            }
        }
    }

    private static boolean hasKem() {
        try {
            Class.forName(KEM_SPI);
            return true;
        } catch (ClassNotFoundException olderJdk) {
            return false;
        }
    }

    /** By its name, since a JDK without {@code javax.crypto.KEMSpi} cannot load the class. */
    private static Object newKem(Accepted accepted) throws ReflectiveOperationException {
        return Class.forName(KEM_CLASS).getDeclaredConstructor(Accepted.class).newInstance(accepted);
    }

    private void offer(String type, Accepted accepted, String className, Maker maker) {
        putService(new MlKemService(this, type, accepted, className, maker));
    }

    /** How an implementation is made. */
    private interface Maker {
        Object make(Accepted accepted) throws ReflectiveOperationException;
    }

    private static final class MlKemService extends Service {
        private final Accepted accepted;
        private final Maker maker;

        MlKemService(Provider provider, String type, Accepted accepted, String className, Maker maker) {
            super(provider, type, accepted.algorithm, className, accepted.aliases, null);
            this.accepted = accepted;
            this.maker = maker;
        }

        @Override
        public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
            if (parameter != null) {
                throw new InvalidParameterException(getType() + " takes no parameter");
            }
            try {
                return maker.make(accepted);
            } catch (ReflectiveOperationException e) {
                throw new NoSuchAlgorithmException(getAlgorithm() + " " + getType() + " could not be made", e);
            }
        }
    }
}
