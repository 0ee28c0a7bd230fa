// Makes secrets in each way and says how much of them memory still holds. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SecureRandom;
import java.util.Arrays;
import org.latkem.Batch;
import org.latkem.DecapsulationKey;
import org.latkem.Derandomized;
import org.latkem.Encapsulation;
import org.latkem.KemKeyPair;
import org.latkem.KeyFormats;
import org.latkem.ParameterSet;
import org.latkem.PrivateKeyFormat;

/**
 * Prints a line for each way: its name, how many pieces of its secrets memory held while they lived, and how many after
 * they were closed and the caller's own arrays wiped. Wants a JVM that moves no object (Epsilon).
 */
public final class Secrets {
    private static final int DEPTH = 2000;

    private final ParameterSet set;

    private Secrets(ParameterSet set) {
        this.set = set;
    }

    /** A way to use secrets: watches them, says how many pieces were there, and leaves none. */
    private interface Way {
        int live(MemoryScan scan) throws GeneralSecurityException, IOException;
    }

    /** Runs every way for each of the sets named. */
    public static void main(String[] names) throws GeneralSecurityException, IOException {
        planted();
        for (String name : names) {
            new Secrets(ParameterSet.of(name)).all();
        }
    }

    /** The control: an array that nobody wipes is found. */
    private static void planted() throws IOException {
        byte[] secret = random(64);
        byte[] copy = secret.clone();
        MemoryScan scan = new MemoryScan().watch(secret);
        System.out.println("planted live=" + scan.count());
        Arrays.fill(copy, (byte) 0);
        System.out.println("planted left=" + scan.count());
    }

    private void all() throws GeneralSecurityException, IOException {
        show("generated", this::generated);
        show("from a seed", this::fromSeed);
        show("from a generator", this::fromGenerator);
        show("imported", this::imported);
        show("refused", this::refused);
        show("secrets of objects", this::secretsOfObjects);
        show("secrets of bytes", this::secretsOfBytes);
        show("coins", this::coins);
        show("batches", this::batches);
        if (set.toString().startsWith("ML-KEM")) {
            show("key files", this::keyFiles);
            show("refused key files", this::refusedKeyFiles);
        }
    }

    /**
     * Each way is gone twice. The first time the virtual machine links what is called, in deep frames of its own, which
     * would cover what a call leaves on the stack.
     */
    private void show(String name, Way way) throws GeneralSecurityException, IOException {
        way.live(MemoryScan.blind());
        MemoryScan scan = new MemoryScan();
        int live = way.live(scan);
        System.out.println(set + " " + name + ": live=" + live + " left=" + scan.count());
    }

    private int generated(MemoryScan scan) throws GeneralSecurityException, IOException {
        try (KemKeyPair pair = deep(() -> set.generateKeyPair())) {
            DecapsulationKey key = pair.decapsulationKey();
            wipe(deep(() -> key.decapsulate(new byte[set.ciphertextBytes()])));
            wipe(deep(() -> key.decapsulate(new byte[set.ciphertextBytes()]))); // with the expanded key
            scan.watch(deep(() -> key.toBytes()));
            if (key.hasSeed()) {
                scan.watch(deep(() -> key.seed()));
            }
            return scan.count();
        }
    }

    private int fromSeed(MemoryScan scan) throws GeneralSecurityException, IOException {
        byte[] seed = random(set.seedBytes());
        try (KemKeyPair pair = deep(() -> set.keyPairFromSeed(seed))) {
            scan.watch(seed).watch(deep(() -> pair.decapsulationKey().toBytes()));
            return scan.count();
        }
    }

    private int fromGenerator(MemoryScan scan) throws GeneralSecurityException, IOException {
        Noting noting = new Noting(scan);
        try (KemKeyPair pair = deep(() -> set.generateKeyPair(noting))) {
            scan.watch(deep(() -> pair.decapsulationKey().toBytes()));
            noting.failing = true;
            try {
                deep(() -> set.generateKeyPair(noting));
            } catch (IllegalStateException expected) {
                return scan.count();
            }
            throw new IllegalStateException("the generator's failure was lost");
        }
    }

    /** Watches what it hands out, and on demand fails afterwards. */
    private static final class Noting extends SecureRandom {
        private static final long serialVersionUID = 1;
        private final transient MemoryScan scan;
        private boolean failing;

        Noting(MemoryScan scan) {
            this.scan = scan;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            fill(bytes);
            scan.watch(bytes.clone());
            if (failing) {
                throw new IllegalStateException("on demand");
            }
        }
    }

    private int imported(MemoryScan scan) throws GeneralSecurityException, IOException {
        byte[] dk;
        try (KemKeyPair pair = deep(() -> set.generateKeyPair())) {
            dk = deep(() -> pair.decapsulationKey().toBytes());
        }
        try (DecapsulationKey key = deep(() -> set.decapsulationKey(dk))) {
            scan.watch(dk);
            wipe(deep(() -> key.decapsulate(new byte[set.ciphertextBytes()])));
            return scan.count();
        }
    }

    /** Keys that are refused leave nothing either; the copy here is what is found while it lives. */
    private int refused(MemoryScan scan) throws IOException {
        byte[] dk = random(set.decapsulationKeyBytes());
        byte[] longer = Arrays.copyOf(dk, dk.length + 1);
        byte[] copy = dk.clone();
        boolean takesAny = tries(() -> set.decapsulationKey(copy).close()) & tries(() -> set.decapsulationKey(longer));
        scan.watch(dk);
        int live = scan.count();
        wipe(longer);
        wipe(copy);
        if (takesAny) {
            throw new IllegalStateException("a key of a wrong length was taken");
        }
        return live;
    }

    private interface Trial {
        void run() throws GeneralSecurityException;
    }

    private static boolean tries(Trial trial) {
        try {
            return deep(() -> {
                trial.run();
                return true;
            });
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private int secretsOfObjects(MemoryScan scan) throws GeneralSecurityException, IOException {
        try (KemKeyPair pair = deep(() -> set.generateKeyPair());
                Encapsulation made = deep(() -> pair.encapsulationKey().encapsulate())) {
            wipe(deep(() -> pair.decapsulationKey().decapsulate(made.ciphertext())));
            scan.watch(made.sharedSecret());
            return scan.count();
        }
    }

    private int secretsOfBytes(MemoryScan scan) throws GeneralSecurityException, IOException {
        byte[] eks = new byte[set.encapsulationKeyBytes()];
        byte[] dks = new byte[set.decapsulationKeyBytes()];
        deep(() -> {
            Batch.generateKeyPairs(set, 1, eks, dks);
            return dks;
        });
        try (Encapsulation made = deep(() -> set.encapsulate(eks))) {
            wipe(deep(() -> set.decapsulate(dks, made.ciphertext())));
            scan.watch(made.sharedSecret()).watch(dks);
            return scan.count();
        }
    }

    private int coins(MemoryScan scan) throws GeneralSecurityException, IOException {
        byte[] coins = random(set.coinsBytes());
        try (KemKeyPair pair = deep(() -> set.generateKeyPair());
                Encapsulation made = deep(() ->
                        Derandomized.encapsulate(set, pair.encapsulationKey().toBytes(), coins));
                Encapsulation other = deep(() -> pair.encapsulationKey().encapsulate(new Noting(scan)));
                Encapsulation second = deep(() -> pair.encapsulationKey().encapsulate(new Noting(scan)))) {
            scan.watch(coins)
                    .watch(made.sharedSecret())
                    .watch(other.sharedSecret())
                    .watch(second.sharedSecret());
            return scan.count();
        }
    }

    private int batches(MemoryScan scan) throws GeneralSecurityException, IOException {
        byte[] eks = new byte[3 * set.encapsulationKeyBytes()];
        byte[] dks = new byte[3 * set.decapsulationKeyBytes()];
        byte[] cts = new byte[3 * set.ciphertextBytes()];
        byte[] sss = new byte[3 * set.sharedSecretBytes()];
        deep(() -> {
            Batch.generateKeyPairs(set, 3, eks, dks);
            Batch.encapsulate(set, 3, cts, sss, eks);
            Batch.decapsulate(set, 3, sss, cts, dks);
            return sss;
        });
        for (int i = 0; i < 3; i++) {
            scan.watch(element(dks, i)).watch(element(sss, i));
        }
        int live = scan.count();
        wipe(dks);
        wipe(sss);
        return live;
    }

    private static byte[] element(byte[] ofThree, int i) {
        int bytes = ofThree.length / 3;
        return Arrays.copyOfRange(ofThree, i * bytes, (i + 1) * bytes);
    }

    private int keyFiles(MemoryScan scan) throws GeneralSecurityException, IOException {
        try (KemKeyPair pair = deep(() -> set.generateKeyPair())) {
            for (PrivateKeyFormat format : PrivateKeyFormat.values()) {
                byte[] der = deep(() -> KeyFormats.pkcs8(pair.decapsulationKey(), format));
                deep(() -> KeyFormats.fromPkcs8(der)).close();
                scan.watch(der);
            }
            scan.watch(deep(() -> pair.decapsulationKey().toBytes()))
                    .watch(deep(() -> pair.decapsulationKey().seed()));
            return scan.count();
        }
    }

    /** A file with a dk that is not that of its seed. */
    private int refusedKeyFiles(MemoryScan scan) throws GeneralSecurityException, IOException {
        byte[] der;
        try (KemKeyPair pair = deep(() -> set.generateKeyPair())) {
            der = deep(() -> KeyFormats.pkcs8(pair.decapsulationKey(), PrivateKeyFormat.BOTH));
            scan.watch(deep(() -> pair.decapsulationKey().toBytes()))
                    .watch(deep(() -> pair.decapsulationKey().seed()));
        }
        der[der.length - 1] ^= 1;
        int live = scan.count();
        try {
            deep(() -> KeyFormats.fromPkcs8(der));
        } catch (InvalidKeyException expected) {
            wipe(der);
            return live;
        }
        throw new IllegalStateException("a file that contradicts itself was read");
    }

    /** The calls with secrets. */
    private interface Call<T> {
        T make() throws GeneralSecurityException;
    }

    /** Calls far down the stack, where nothing that comes later writes over what the call leaves there. */
    private static <T> T deep(Call<T> call) throws GeneralSecurityException {
        return deep(DEPTH, call);
    }

    private static <T> T deep(int frames, Call<T> call) throws GeneralSecurityException {
        return frames == 0 ? call.make() : deep(frames - 1, call);
    }

    private static byte[] random(int bytes) {
        byte[] out = new byte[bytes];
        fill(out);
        return out;
    }

    private static void fill(byte[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (Math.random() * 256);
        }
    }

    private static void wipe(byte[] array) {
        Arrays.fill(array, (byte) 0);
    }
}
