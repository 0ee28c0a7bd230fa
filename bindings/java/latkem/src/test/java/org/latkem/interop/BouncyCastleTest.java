// ML-KEM between the provider and Bouncy Castle's. SPDX-License-Identifier: Apache-2.0
package org.latkem.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.Provider;
import org.bouncycastle.jcajce.interfaces.MLKEMPrivateKey;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.latkem.PrivateKeyFormat;
import org.latkem.jca.LatkemProvider;
import org.latkem.jca.MlKemPrivateKey;

class BouncyCastleTest {
    private static final Provider OURS = new LatkemProvider();
    private static final Provider THEIRS = new BouncyCastleProvider();

    @EachSet
    void readsEveryFormOfOurKeys(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, OURS);
        for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
            byte[] encoded = ((MlKemPrivateKey) pair.getPrivate()).getEncoded(format);
            new Exchange(OURS, THEIRS).run(set, pair, encoded);
        }
    }

    /** It writes the seed, or both, or the expanded key alone. */
    @EachSet
    void itsKeysAreRead(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, THEIRS);
        MLKEMPrivateKey key = (MLKEMPrivateKey) pair.getPrivate();
        new Exchange(THEIRS, OURS).run(set, pair, key.getEncoded());
        new Exchange(THEIRS, OURS).run(set, pair, key.getPrivateKey(true).getEncoded());
        new Exchange(THEIRS, OURS).run(set, pair, key.getPrivateKey(false).getEncoded());
    }

    @EachSet
    void itsKeyObjectsAreTakenAsTheyAre(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, THEIRS);
        Exchange.agree(set, pair, OURS, OURS);
        Exchange.agree(set, pair, OURS, THEIRS);
        Exchange.agree(set, pair, THEIRS, OURS);
        Exchange.rejectAlike(set, pair.getPrivate(), THEIRS, pair.getPrivate(), OURS);
    }

    @EachSet
    void theSeedIsTheSame(String set) throws Exception {
        KeyPair pair = Exchange.pair(set, THEIRS);
        MlKemPrivateKey ours =
                (MlKemPrivateKey) KeyFactory.getInstance(set, OURS).translateKey(pair.getPrivate());
        assertArrayEquals(
                ((MLKEMPrivateKey) pair.getPrivate()).getSeed(),
                ours.decapsulationKey().seed());
        assertArrayEquals(
                ((MLKEMPrivateKey) pair.getPrivate()).getPrivateData(),
                ours.decapsulationKey().toBytes());
        assertEquals(set, ours.getParams().getName());
    }
}
