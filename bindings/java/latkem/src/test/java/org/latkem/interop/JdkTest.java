// ML-KEM between the provider and the JDK's own, which came with JDK 24. SPDX-License-Identifier: Apache-2.0
package org.latkem.interop;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Security;
import java.security.spec.PKCS8EncodedKeySpec;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.latkem.PrivateKeyFormat;
import org.latkem.jca.LatkemProvider;
import org.latkem.jca.MlKemPrivateKey;

class JdkTest {
    private static final Provider OURS = new LatkemProvider();
    private static final Provider THEIRS = Security.getProvider("SunJCE");

    @BeforeAll
    static void needsMlKemInTheJdk() {
        if (THEIRS != null && THEIRS.getService("KEM", "ML-KEM-768") != null) return;
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
}
