// Which of Bouncy Castle's classes serve which parameter set. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import java.security.SecureRandom;
import java.util.Map;
import org.bouncycastle.crypto.generators.MLKEMKeyPairGenerator;
import org.bouncycastle.crypto.kems.MLKEMExtractor;
import org.bouncycastle.crypto.kems.MLKEMGenerator;
import org.bouncycastle.crypto.params.MLKEMKeyGenerationParameters;
import org.bouncycastle.crypto.params.MLKEMParameters;
import org.bouncycastle.crypto.params.MLKEMPrivateKeyParameters;
import org.bouncycastle.crypto.params.MLKEMPublicKeyParameters;
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
import org.latkem.ParameterSet;

/** Saber's sets are those with secrets of 256 bits, which are the document's. */
final class BouncyCastleSchemes {
    private static final Map<ParameterSet, MLKEMParameters> ML_KEM = Map.of(
            ParameterSet.ML_KEM_512, MLKEMParameters.ml_kem_512,
            ParameterSet.ML_KEM_768, MLKEMParameters.ml_kem_768,
            ParameterSet.ML_KEM_1024, MLKEMParameters.ml_kem_1024);
    private static final Map<ParameterSet, SABERParameters> SABER = Map.of(
            ParameterSet.LIGHTSABER, SABERParameters.lightsaberkem256r3,
            ParameterSet.SABER, SABERParameters.saberkem256r3,
            ParameterSet.FIRESABER, SABERParameters.firesaberkem256r3);
    private static final Map<ParameterSet, NTRUParameters> NTRU = Map.of(
            ParameterSet.NTRU_HPS_2048_509, NTRUParameters.ntruhps2048509,
            ParameterSet.NTRU_HPS_2048_677, NTRUParameters.ntruhps2048677,
            ParameterSet.NTRU_HPS_4096_821, NTRUParameters.ntruhps4096821,
            ParameterSet.NTRU_HRSS_701, NTRUParameters.ntruhrss701);

    private BouncyCastleSchemes() {}

    static BouncyCastleKem.Scheme of(ParameterSet set) {
        SecureRandom random = new SecureRandom();
        if (ML_KEM.containsKey(set)) {
            return mlKem(ML_KEM.get(set), random);
        }
        if (SABER.containsKey(set)) {
            return saber(SABER.get(set), random);
        }
        return NTRU.containsKey(set) ? ntru(NTRU.get(set), random) : null;
    }

    private static BouncyCastleKem.Scheme mlKem(MLKEMParameters parameters, SecureRandom random) {
        BouncyCastleKem.Scheme scheme = new BouncyCastleKem.Scheme();
        scheme.keys = new MLKEMKeyPairGenerator();
        scheme.keys.init(new MLKEMKeyGenerationParameters(random, parameters));
        scheme.encapsulator = new MLKEMGenerator(random);
        scheme.decapsulator = key -> new MLKEMExtractor((MLKEMPrivateKeyParameters) key);
        scheme.publicKey = bytes -> new MLKEMPublicKeyParameters(parameters, bytes);
        scheme.privateKey = bytes -> new MLKEMPrivateKeyParameters(parameters, bytes);
        scheme.publicBytes = key -> ((MLKEMPublicKeyParameters) key).getEncoded();
        scheme.privateBytes = key -> ((MLKEMPrivateKeyParameters) key).getEncoded();
        return scheme;
    }

    private static BouncyCastleKem.Scheme saber(SABERParameters parameters, SecureRandom random) {
        BouncyCastleKem.Scheme scheme = new BouncyCastleKem.Scheme();
        scheme.keys = new SABERKeyPairGenerator();
        scheme.keys.init(new SABERKeyGenerationParameters(random, parameters));
        scheme.encapsulator = new SABERKEMGenerator(random);
        scheme.decapsulator = key -> new SABERKEMExtractor((SABERPrivateKeyParameters) key);
        scheme.publicKey = bytes -> new SABERPublicKeyParameters(parameters, bytes);
        scheme.privateKey = bytes -> new SABERPrivateKeyParameters(parameters, bytes);
        scheme.publicBytes = key -> ((SABERPublicKeyParameters) key).getPublicKey();
        scheme.privateBytes = key -> ((SABERPrivateKeyParameters) key).getPrivateKey();
        return scheme;
    }

    private static BouncyCastleKem.Scheme ntru(NTRUParameters parameters, SecureRandom random) {
        BouncyCastleKem.Scheme scheme = new BouncyCastleKem.Scheme();
        scheme.keys = new NTRUKeyPairGenerator();
        scheme.keys.init(new NTRUKeyGenerationParameters(random, parameters));
        scheme.encapsulator = new NTRUKEMGenerator(random);
        scheme.decapsulator = key -> new NTRUKEMExtractor((NTRUPrivateKeyParameters) key);
        scheme.publicKey = bytes -> new NTRUPublicKeyParameters(parameters, bytes);
        scheme.privateKey = bytes -> new NTRUPrivateKeyParameters(parameters, bytes);
        scheme.publicBytes = key -> ((NTRUPublicKeyParameters) key).getPublicKey();
        scheme.privateBytes = key -> ((NTRUPrivateKeyParameters) key).getPrivateKey();
        return scheme;
    }
}
