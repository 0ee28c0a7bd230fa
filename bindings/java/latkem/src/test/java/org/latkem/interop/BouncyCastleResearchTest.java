// Saber and NTRU between the plain API and Bouncy Castle. SPDX-License-Identifier: Apache-2.0
package org.latkem.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.security.SecureRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.EncapsulatedSecretExtractor;
import org.bouncycastle.crypto.EncapsulatedSecretGenerator;
import org.bouncycastle.crypto.SecretWithEncapsulation;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.pqc.crypto.ntru.NTRUKEMExtractor;
import org.bouncycastle.pqc.crypto.ntru.NTRUKEMGenerator;
import org.bouncycastle.pqc.crypto.ntru.NTRUKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.ntru.NTRUKeyPairGenerator;
import org.bouncycastle.pqc.crypto.ntru.NTRUParameters;
import org.bouncycastle.pqc.crypto.ntru.NTRUPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.ntru.NTRUPublicKeyParameters;
import org.bouncycastle.pqc.crypto.saber.SABERKEMExtractor;
import org.bouncycastle.pqc.crypto.saber.SABERKEMGenerator;
import org.bouncycastle.pqc.crypto.saber.SABERKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.saber.SABERKeyPairGenerator;
import org.bouncycastle.pqc.crypto.saber.SABERParameters;
import org.bouncycastle.pqc.crypto.saber.SABERPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.saber.SABERPublicKeyParameters;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.ParameterSet;

class BouncyCastleResearchTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A set here, and how Bouncy Castle does each step with it, on the same bytes. */
    record Peer(
            ParameterSet set,
            AsymmetricCipherKeyPair pair,
            EncapsulatedSecretGenerator generator,
            Function<byte[], AsymmetricKeyParameter> publicKey,
            Function<byte[], EncapsulatedSecretExtractor> extractor,
            Function<AsymmetricKeyParameter, byte[]> bytes) {
        @Override
        public String toString() {
            return set.toString();
        }
    }

    private static Peer saber(ParameterSet set, SABERParameters theirs) {
        SABERKeyPairGenerator pairs = new SABERKeyPairGenerator();
        pairs.init(new SABERKeyGenerationParameters(RANDOM, theirs));
        return new Peer(
                set,
                pairs.generateKeyPair(),
                new SABERKEMGenerator(RANDOM),
                ek -> new SABERPublicKeyParameters(theirs, ek),
                dk -> new SABERKEMExtractor(new SABERPrivateKeyParameters(theirs, dk)),
                key -> key.isPrivate()
                        ? ((SABERPrivateKeyParameters) key).getPrivateKey()
                        : ((SABERPublicKeyParameters) key).getPublicKey());
    }

    private static Peer ntru(ParameterSet set, NTRUParameters theirs) {
        NTRUKeyPairGenerator pairs = new NTRUKeyPairGenerator();
        pairs.init(new NTRUKeyGenerationParameters(RANDOM, theirs));
        return new Peer(
                set,
                pairs.generateKeyPair(),
                new NTRUKEMGenerator(RANDOM),
                ek -> new NTRUPublicKeyParameters(theirs, ek),
                dk -> new NTRUKEMExtractor(new NTRUPrivateKeyParameters(theirs, dk)),
                key -> key.isPrivate()
                        ? ((NTRUPrivateKeyParameters) key).getPrivateKey()
                        : ((NTRUPublicKeyParameters) key).getPublicKey());
    }

    static Stream<Peer> peers() {
        return Stream.of(
                saber(ParameterSet.LIGHTSABER, SABERParameters.lightsaberkem256r3),
                saber(ParameterSet.SABER, SABERParameters.saberkem256r3),
                saber(ParameterSet.FIRESABER, SABERParameters.firesaberkem256r3),
                ntru(ParameterSet.NTRU_HPS_2048_509, NTRUParameters.ntruhps2048509),
                ntru(ParameterSet.NTRU_HPS_2048_677, NTRUParameters.ntruhps2048677),
                ntru(ParameterSet.NTRU_HPS_4096_821, NTRUParameters.ntruhps4096821),
                ntru(ParameterSet.NTRU_HRSS_701, NTRUParameters.ntruhrss701));
    }

    @ParameterizedTest
    @MethodSource("peers")
    void itUsesOurKeys(Peer peer) throws Exception {
        try (KemKeyPair pair = peer.set.generateKeyPair()) {
            byte[] ek = pair.encapsulationKey().toBytes();
            SecretWithEncapsulation theirs = peer.generator.generateEncapsulated(peer.publicKey.apply(ek));
            assertArrayEquals(theirs.getSecret(), pair.decapsulationKey().decapsulate(theirs.getEncapsulation()));
            Encapsulation ours = pair.encapsulationKey().encapsulate();
            byte[] dk = pair.decapsulationKey().toBytes();
            agreeAndRejectAlike(peer, dk, ours);
        }
    }

    @ParameterizedTest
    @MethodSource("peers")
    void weUseItsKeys(Peer peer) throws Exception {
        byte[] ek = peer.bytes.apply(peer.pair.getPublic());
        byte[] dk = peer.bytes.apply(peer.pair.getPrivate());
        SecretWithEncapsulation theirs = peer.generator.generateEncapsulated(peer.pair.getPublic());
        assertArrayEquals(theirs.getSecret(), peer.set.decapsulate(dk, theirs.getEncapsulation()));
        agreeAndRejectAlike(peer, dk, peer.set.encapsulationKey(ek).encapsulate());
    }

    /**
     * Also a changed ciphertext gives the two of them the same secret. The change is so small that the message stays
     * the same: where bytes of Saber's ciphertext differ in their highest bit, Bouncy Castle 1.86 takes it for a good
     * one, since its comparison loses the sign.
     */
    private static void agreeAndRejectAlike(Peer peer, byte[] dk, Encapsulation made) throws Exception {
        byte[] ct = made.ciphertext();
        EncapsulatedSecretExtractor extractor = peer.extractor.apply(dk);
        assertArrayEquals(made.sharedSecret(), extractor.extractSecret(ct));
        ct[0] ^= 1;
        assertArrayEquals(extractor.extractSecret(ct), peer.set.decapsulate(dk, ct));
    }
}
