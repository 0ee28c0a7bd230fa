/* Keys that other software reads. SPDX-License-Identifier: Apache-2.0 */
package org.latkem;

import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Key files of ML-KEM: SubjectPublicKeyInfo and PKCS#8 in DER (RFC 9935), with or without the provider. Other sets have
 * no standard encoding: {@link IllegalArgumentException}. The parser is strict, and the same as that of {@code
 * latkem/keyfile.h}.
 */
public final class KeyFormats {
    private static final ParameterSet[] SETS = {
        ParameterSet.ML_KEM_512, ParameterSet.ML_KEM_768, ParameterSet.ML_KEM_1024
    };

    private KeyFormats() {}

    /** Returns a public key as SubjectPublicKeyInfo. */
    public static byte[] x509(EncapsulationKey key) {
        requireMlKem(key.parameterSet());
        return key.write();
    }

    /**
     * Reads a SubjectPublicKeyInfo.
     *
     * @throws InvalidKeyException if it is none of ML-KEM, or its key is not valid
     */
    public static EncapsulationKey fromX509(byte[] der) throws InvalidKeyException {
        Objects.requireNonNull(der, "der");
        NativeLibrary.load();
        byte[] ek = new byte[der.length]; // a key is shorter than its file
        ParameterSet set = setOf(requireFile("SubjectPublicKeyInfo", Native.readPublic(der, ek)));
        return new EncapsulationKey(set, Arrays.copyOf(ek, set.encapsulationKeyBytes()));
    }

    /**
     * Returns a private key as PKCS#8. The array is the caller's to wipe.
     *
     * @throws IllegalStateException if the form needs a seed that the key has not, or the key is closed
     */
    public static byte[] pkcs8(DecapsulationKey key, PrivateKeyFormat format) {
        requireMlKem(key.parameterSet());
        return key.write(Objects.requireNonNull(format, "format"));
    }

    /**
     * Reads PKCS#8 in any of six forms. Everything that the file says twice must agree.
     *
     * @throws InvalidKeyException if it is none of ML-KEM, or its key is not valid
     */
    public static KemKeyPair fromPkcs8(byte[] der) throws InvalidKeyException {
        Objects.requireNonNull(der, "der");
        NativeLibrary.load();
        DecapsulationKey key = new DecapsulationKey(der);
        return new KemKeyPair(key.encapsulationKey(), key);
    }

    private static void requireMlKem(ParameterSet set) {
        if (!Arrays.asList(SETS).contains(set)) {
            throw new IllegalArgumentException(set + " has no standard encoding; ML-KEM alone has");
        }
    }

    static long requireFile(String what, long result) throws InvalidKeyException {
        if (result == Native.BAD_FORMAT || result == Native.BAD_LENGTH) {
            throw new InvalidKeyException("not a " + what + " of ML-KEM");
        }
        if (result == Native.BAD_EK || result == Native.BAD_DK) {
            throw new InvalidKeyException("a " + what + " whose ML-KEM key is not valid");
        }
        Native.requireSuccess(result);
        return result;
    }

    static ParameterSet setOf(long kem) {
        return ParameterSet.of(Native.nameOf(kem));
    }
}
