/* Sealed messages, version 2 of docs/sealed-format.md: what `latkem seal --cipher aes-256-gcm` writes.
 * SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.latkem.Encapsulation;
import org.latkem.ParameterSet;

/**
 * Seals short messages to an encapsulation key and opens them with the decapsulation key, so that {@code latkem open}
 * and {@code latkem seal} are the other side. The KEM is latkem's, HKDF-SHA-256 uses {@code javax.crypto.Mac},
 * AES-256-GCM is {@code javax.crypto.Cipher}'s. For one thread at a time.
 */
public final class Sealer {
    /** The longest message: one chunk of the format. */
    public static final int MOST_BYTES = 65536;

    private static final byte[] MAGIC = "latkem sealed".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 2;
    private static final int AES_256_GCM = 1;
    private static final int KEY_BYTES = 32;
    private static final int COMMITMENT_BYTES = 32;
    private static final int TAG_BYTES = 16;
    private static final byte[] NO_SALT = {};
    /** That of chunk 0 if it is the last one. */
    private static final byte[] NONCE = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private final ParameterSet set;
    private final byte[] headerStart;
    private final Hkdf hkdf = new Hkdf();
    private final MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
    private final Cipher aes = Cipher.getInstance("AES/GCM/NoPadding");

    /**
     * Makes a sealer.
     *
     * @param set of the keys
     * @throws GeneralSecurityException if this Java has no HMAC-SHA-256, SHA-256 or AES-GCM
     */
    public Sealer(ParameterSet set) throws GeneralSecurityException {
        this.set = set;
        this.headerStart = headerStart(set.toString().getBytes(StandardCharsets.US_ASCII));
    }

    /** Magic, version, cipher, length of the set's name, the name: all that is before ct. */
    private static byte[] headerStart(byte[] name) {
        ByteArrayOutputStream start = new ByteArrayOutputStream();
        start.write(MAGIC, 0, MAGIC.length);
        start.write(VERSION);
        start.write(AES_256_GCM);
        start.write(name.length);
        start.write(name, 0, name.length);
        return start.toByteArray();
    }

    /**
     * Seals a message.
     *
     * @param ek the owner's encapsulation key, checked as FIPS 203 section 7.2 says
     * @param message at most {@link #MOST_BYTES}
     * @return header, commitment, the encrypted message and its tag
     * @throws GeneralSecurityException if ek is not valid
     */
    public byte[] seal(byte[] ek, byte[] message) throws GeneralSecurityException {
        if (message.length > MOST_BYTES) {
            throw new IllegalArgumentException("a message has at most 65536 bytes, not " + message.length);
        }
        try (Encapsulation encapsulation = set.encapsulate(ek)) {
            byte[] sealed = Arrays.copyOf(headerStart, chunkAt() + message.length + TAG_BYTES);
            System.arraycopy(encapsulation.ciphertext(), 0, sealed, headerStart.length, set.ciphertextBytes());
            byte[] keys = keys(encapsulation.sharedSecret(), sealed, ek);
            System.arraycopy(keys, KEY_BYTES, sealed, commitmentAt(), COMMITMENT_BYTES);
            init(Cipher.ENCRYPT_MODE, keys);
            aes.doFinal(message, 0, message.length, sealed, chunkAt());
            return sealed;
        }
    }

    /**
     * Opens a message.
     *
     * @param dk the owner's decapsulation key, checked as FIPS 203 section 7.3 says
     * @param sealed by {@link #seal} or {@code latkem seal --cipher aes-256-gcm}
     * @return the message
     * @throws GeneralSecurityException if dk is not valid, or the message is for another key or set, changed, cut off,
     *     of another version or cipher, or longer than one chunk
     */
    public byte[] open(byte[] dk, byte[] sealed) throws GeneralSecurityException {
        checkStart(sealed);
        byte[] ct = Arrays.copyOfRange(sealed, headerStart.length, commitmentAt());
        byte[] keys = keys(set.decapsulate(dk, ct), sealed, ekOf(dk));
        byte[] commitment = Arrays.copyOfRange(keys, KEY_BYTES, KEY_BYTES + COMMITMENT_BYTES);
        if (!MessageDigest.isEqual(commitment, Arrays.copyOfRange(sealed, commitmentAt(), chunkAt()))) {
            throw new AEADBadTagException("it was sealed for another key, or its header was changed");
        }
        init(Cipher.DECRYPT_MODE, keys);
        return aes.doFinal(sealed, chunkAt(), sealed.length - chunkAt());
    }

    private int commitmentAt() {
        return headerStart.length + set.ciphertextBytes();
    }

    private int chunkAt() {
        return commitmentAt() + COMMITMENT_BYTES;
    }

    private void checkStart(byte[] sealed) throws GeneralSecurityException {
        if (!Arrays.equals(headerStart, Arrays.copyOf(sealed, headerStart.length))) {
            throw new GeneralSecurityException("not sealed for " + set + " with AES-256-GCM, version 2");
        }
        int length = sealed.length - chunkAt() - TAG_BYTES;
        if (length < 0 || length > MOST_BYTES) {
            throw new GeneralSecurityException("the sealed message is cut off, or longer than 65536 bytes");
        }
    }

    /** The key and the commitment side by side. Wipes the shared secret. */
    private byte[] keys(byte[] sharedSecret, byte[] sealed, byte[] ek) throws GeneralSecurityException {
        sha256.update(sealed, 0, commitmentAt());
        byte[] context = sha256.digest();
        if (bindsEk()) {
            byte[] ofHeader = context;
            byte[] ofEk = sha256.digest(ek);
            context = Arrays.copyOf(ofHeader, ofHeader.length + ofEk.length);
            System.arraycopy(ofEk, 0, context, ofHeader.length, ofEk.length);
        }
        try {
            return hkdf.derive(NO_SALT, sharedSecret, context, KEY_BYTES + COMMITMENT_BYTES);
        } finally {
            Arrays.fill(sharedSecret, (byte) 0);
        }
    }

    /** The dk of all sets but NTRU's ends with ek, its hash and z; NTRU's has no ek and needs none. */
    private byte[] ekOf(byte[] dk) {
        int end = dk.length - 2 * 32;
        return bindsEk() ? Arrays.copyOfRange(dk, end - set.encapsulationKeyBytes(), end) : new byte[0];
    }

    private boolean bindsEk() {
        return !set.toString().startsWith("NTRU");
    }

    /** Sets the cipher to the message's key, which it wipes here. */
    private void init(int mode, byte[] keys) throws GeneralSecurityException {
        SecretKeySpec key = new SecretKeySpec(keys, 0, KEY_BYTES, "AES");
        Arrays.fill(keys, (byte) 0);
        aes.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, NONCE));
    }
}
