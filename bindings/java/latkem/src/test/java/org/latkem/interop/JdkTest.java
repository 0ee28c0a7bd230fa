// ML-KEM between the provider and the JDK's own, which came with JDK 24. SPDX-License-Identifier: Apache-2.0
package org.latkem.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.EncodedKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.crypto.KEM;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.latkem.PrivateKeyFormat;
import org.latkem.jca.LatkemProvider;
import org.latkem.jca.MlKemPrivateKey;

class JdkTest {
    private static final Provider OURS = new LatkemProvider();
    private static final Provider THEIRS = Security.getProvider("SunJCE");

    @BeforeAll
    static void needsMlKemInTheJdk() {
        if (THEIRS != null && THEIRS.getService("KEM", "ML-KEM-768") != null) {
            return;
        }
        System.out.println("skipped: JDK " + Runtime.version().feature() + " has no ML-KEM of its own; 24 has");
        Assumptions.abort("no ML-KEM in this JDK");
    }

    /** JDK 24 and 25 read the expanded form alone. */
    @EachSet
    void readsOurKeys(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, OURS);
        byte[] encoded = ((MlKemPrivateKey) pair.getPrivate()).getEncoded(PrivateKeyFormat.EXPANDED);
        new Exchange(OURS, THEIRS).run(set, pair, encoded);
        PrivateKey read = KeyFactory.getInstance(set, THEIRS).generatePrivate(new PKCS8EncodedKeySpec(encoded));
        Exchange.rejectAlike(set, pair.getPrivate(), OURS, read, THEIRS);
    }

    @EachSet
    void itsKeysAreRead(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, THEIRS);
        new Exchange(THEIRS, OURS).run(set, pair, pair.getPrivate().getEncoded());
    }

    @EachSet
    void itsKeyObjectsAreTakenAsTheyAre(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, THEIRS);
        Exchange.agree(set, pair, OURS, OURS);
        Exchange.agree(set, pair, OURS, THEIRS);
        Exchange.agree(set, pair, THEIRS, OURS);
    }

    /** The property lets the JDK take our key objects too. */
    @EachSet
    void takesOurKeyObjectsInTheExpandedForm(String set) throws Exception {
        System.setProperty("latkem.pkcs8", "EXPANDED");
        try {
            Exchange.agree(set, Exchange.pair(set, OURS), THEIRS, THEIRS);
        } finally {
            System.clearProperty("latkem.pkcs8");
        }
    }

    /** A use of a provider's services. */
    private interface Use {
        Object of(Provider provider) throws Exception;
    }

    private static String outcome(Use use, Provider provider) {
        try {
            return "accepted: " + use.of(provider);
        } catch (Exception refused) {
            return "refused: " + refused.getClass().getName();
        }
    }

    /** The same slices; the JDK's exceptions are not those that KEM documents. */
    private static void isAcceptedAsTheirs(String what, Use use) {
        assertEquals(
                outcome(use, THEIRS).replaceAll("^refused: .*", "refused"),
                outcome(use, OURS).replaceAll("^refused: .*", "refused"),
                what);
    }

    private static void isAsTheirs(String what, Use use) {
        assertEquals(outcome(use, THEIRS), outcome(use, OURS), what);
    }

    /** By {@code AsymmetricKey.getParams}, which the oldest JDK that compiles this has not. */
    private static String setOf(KeyPairGenerator generator) throws Exception {
        Method getParams = Class.forName("java.security.AsymmetricKey").getMethod("getParams");
        Object params = getParams.invoke(generator.generateKeyPair().getPublic());
        return ((NamedParameterSpec) params).getName();
    }

    private static final String[] NAMES = {
        "ML-KEM", "ML-KEM-512", "ML-KEM-768", "ml-kem-1024", "2.16.840.1.101.3.4.4.2", "OID.2.16.840.1.101.3.4.4.3"
    };

    @ParameterizedTest
    @FieldSource("NAMES")
    void generatorsTakeAndRefuseTheSame(String name) {
        List<AlgorithmParameterSpec> specs = new ArrayList<>();
        for (String set :
                List.of("ML-KEM-512", "ml-kem-768", "ML-KEM-1024", "ML-KEM", "X25519", "Kyber768", NAMES[4])) {
            specs.addAll(List.of(new NamedParameterSpec(set), new ECGenParameterSpec(set)));
        }
        specs.add(null);
        specs.add(new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4));
        for (AlgorithmParameterSpec spec : specs) {
            isAsTheirs(name + ", " + spec, provider -> {
                KeyPairGenerator generator = KeyPairGenerator.getInstance(name, provider);
                generator.initialize(spec);
                generator.initialize(-1, new SecureRandom());
                return setOf(generator);
            });
        }
        for (int size : new int[] {-2, -1, 0, 512, 768, 1024}) {
            isAsTheirs(name + ", " + size, provider -> {
                KeyPairGenerator generator = KeyPairGenerator.getInstance(name, provider);
                generator.initialize(size);
                return setOf(generator);
            });
        }
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void kemsTakeAndRefuseTheSameKeys(String name) throws Exception {
        List<PublicKey> publicKeys = new ArrayList<>();
        List<PrivateKey> privateKeys = new ArrayList<>();
        publicKeys.add(null);
        privateKeys.add(null);
        for (String set : new String[] {"ML-KEM-512", "ML-KEM-768", "ML-KEM-1024"}) {
            KeyPair pair = Exchange.pair(set, THEIRS);
            publicKeys.add(pair.getPublic());
            privateKeys.add(pair.getPrivate());
        }
        KeyPair rsa = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        publicKeys.add(rsa.getPublic());
        privateKeys.add(rsa.getPrivate());
        AlgorithmParameterSpec[] specs = {null, new NamedParameterSpec("ML-KEM-768")};
        for (PublicKey key : publicKeys) {
            for (AlgorithmParameterSpec spec : specs) {
                isAsTheirs(name + ", " + key + ", " + spec, provider -> {
                    KEM.Encapsulator made = KEM.getInstance(name, provider).newEncapsulator(key, spec, null);
                    return made.encapsulationSize() + " " + made.secretSize();
                });
            }
        }
        for (PrivateKey key : privateKeys) {
            for (AlgorithmParameterSpec spec : specs) {
                isAsTheirs(name + ", " + spec, provider -> {
                    KEM.Decapsulator made = KEM.getInstance(name, provider).newDecapsulator(key, spec);
                    return made.encapsulationSize() + " " + made.secretSize();
                });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0,32", "0,16", "16,32", "5,5", "0,0", "32,32", "-1,5", "0,33", "20,10", "33,33"})
    void kemsGiveAndRefuseTheSameSlices(int from, int to) throws Exception {
        KeyPair pair = Exchange.pair("ML-KEM-768", THEIRS);
        for (String algorithm : new String[] {"AES", "Generic", "", null}) {
            isAcceptedAsTheirs(algorithm, provider -> {
                KEM.Encapsulated made = KEM.getInstance("ML-KEM", provider)
                        .newEncapsulator(pair.getPublic())
                        .encapsulate(from, to, algorithm);
                return made.key().getEncoded().length + made.key().getAlgorithm() + made.params();
            });
            for (int length : new int[] {0, 1087, 1088, 1089}) {
                isAcceptedAsTheirs(algorithm + " of " + length, provider -> {
                    SecretKey made = KEM.getInstance("ML-KEM", provider)
                            .newDecapsulator(pair.getPrivate())
                            .decapsulate(new byte[length], from, to, algorithm);
                    return Arrays.toString(made.getEncoded()) + made.getAlgorithm();
                });
            }
        }
    }

    private record RawPublic(String getAlgorithm, byte[] getEncoded, NamedParameterSpec getParams)
            implements PublicKey {
        @Override
        public String getFormat() {
            return "RAW";
        }
    }

    private record RawPrivate(String getAlgorithm, byte[] getEncoded, NamedParameterSpec getParams)
            implements PrivateKey {
        @Override
        public String getFormat() {
            return "RAW";
        }
    }

    /** Keys that are bytes alone. */
    @EachSet
    void rawKeysAreTakenAlike(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, THEIRS);
        KeyFactory theirs = KeyFactory.getInstance(set, THEIRS);
        EncodedKeySpec ek = theirs.getKeySpec(pair.getPublic(), EncodedKeySpec.class);
        EncodedKeySpec dk = theirs.getKeySpec(pair.getPrivate(), EncodedKeySpec.class);
        assertEquals("RAW", ek.getFormat());
        for (String name : new String[] {"ML-KEM", set}) {
            isAsTheirs(
                    name,
                    provider -> Arrays.hashCode(KeyFactory.getInstance(name, provider)
                            .generatePublic(ek)
                            .getEncoded()));
            isAsTheirs(
                    name,
                    provider -> KeyFactory.getInstance(name, provider)
                            .generatePrivate(dk)
                            .getAlgorithm());
            for (String algorithm : new String[] {"ML-KEM", "ml-kem", set, set.toLowerCase(Locale.ROOT), "EC"}) {
                for (NamedParameterSpec params : new NamedParameterSpec[] {null, new NamedParameterSpec(set)}) {
                    isAsTheirs(name + ", " + algorithm, provider -> {
                        KEM kem = KEM.getInstance(name, provider);
                        kem.newDecapsulator(new RawPrivate(algorithm, dk.getEncoded(), params));
                        return kem.newEncapsulator(new RawPublic(algorithm, ek.getEncoded(), params))
                                .encapsulationSize();
                    });
                }
            }
        }
    }
}
