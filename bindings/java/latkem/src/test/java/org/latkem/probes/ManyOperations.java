// A hundred thousand operations, and how much memory the process then has. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import org.latkem.Batch;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.KeyFormats;
import org.latkem.ParameterSet;
import org.latkem.PrivateKeyFormat;

/** Arguments: a set, how many operations, and whether keys are closed. Prints the growth after a tenth of them. */
public final class ManyOperations {
    private ManyOperations() {}

    /** Runs the operations; every 400 of them the collector is called. */
    public static void main(String[] arguments) throws GeneralSecurityException, IOException {
        ParameterSet set = ParameterSet.of(arguments[0]);
        int operations = Integer.parseInt(arguments[1]);
        boolean closing = Boolean.parseBoolean(arguments[2]);
        long atFirst = 0;
        for (int i = 0; i < operations; i += 5) {
            fiveOperations(set, closing);
            batchOfTwo(set);
            if (set.toString().startsWith("ML-KEM")) {
                keyFiles(set, closing);
            }
            if (i % 400 == 0) {
                System.gc();
            }
            if (i == operations / 10) {
                atFirst = residentKilobytes();
            }
        }
        System.out.println("growth=" + (residentKilobytes() - atFirst));
    }

    private static void batchOfTwo(ParameterSet set) {
        byte[] eks = new byte[2 * set.encapsulationKeyBytes()];
        Batch.generateKeyPairs(set, 2, eks, new byte[2 * set.decapsulationKeyBytes()]);
    }

    private static void keyFiles(ParameterSet set, boolean closing) throws GeneralSecurityException {
        KemKeyPair pair = set.generateKeyPair();
        byte[] publicFile = KeyFormats.x509(pair.encapsulationKey());
        byte[] privateFile = KeyFormats.pkcs8(pair.decapsulationKey(), PrivateKeyFormat.EXPANDED);
        for (int i = 0; i < 4; i++) {
            KeyFormats.fromX509(publicFile);
            KemKeyPair read = KeyFormats.fromPkcs8(privateFile);
            if (closing) {
                read.close();
            }
        }
        if (closing) {
            pair.close();
        }
    }

    /** A key pair; encapsulations and decapsulations with objects, which expand them, and with bytes. */
    private static void fiveOperations(ParameterSet set, boolean closing) throws GeneralSecurityException {
        KemKeyPair pair = set.generateKeyPair();
        pair.encapsulationKey().encapsulate().close();
        Encapsulation made = pair.encapsulationKey().encapsulate();
        pair.decapsulationKey().decapsulate(made.ciphertext());
        byte[] ss = pair.decapsulationKey().decapsulate(made.ciphertext());
        Encapsulation other = set.encapsulate(pair.encapsulationKey().toBytes());
        byte[] otherSs = set.decapsulate(pair.decapsulationKey().toBytes(), other.ciphertext());
        if (!Arrays.equals(ss, made.sharedSecret()) || !Arrays.equals(otherSs, other.sharedSecret())) {
            throw new IllegalStateException("the two sides differ");
        }
        if (closing) {
            pair.close();
            made.close();
            other.close();
        }
    }

    /** Returns what this process has in memory. */
    public static long residentKilobytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
    }
}
