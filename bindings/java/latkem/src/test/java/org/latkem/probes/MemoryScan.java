// Looks for secrets in all memory of this process. SPDX-License-Identifier: Apache-2.0
package org.latkem.probes;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Pieces of secrets, and how often they lie in memory that this process can write.
 *
 * <p>The pieces are kept masked and what is read is wiped at once, so that the scan finds nothing of its own.
 */
final class MemoryScan {
    private static final int PIECE = 32;
    private static final int PAGE = 4096;
    private static final int BLOCK = 1 << 20;
    private static final long MASK = 0xa5c3_965a_3c69_f00fL;

    private final boolean isBlind;
    private final List<long[]> pieces = new ArrayList<>();
    private final boolean[] starts = new boolean[1 << 16];
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK).order(ByteOrder.LITTLE_ENDIAN);

    MemoryScan() {
        this(false);
    }

    private MemoryScan(boolean isBlind) {
        this.isBlind = isBlind;
    }

    /** One that finds nothing, and takes no time for it. */
    static MemoryScan blind() {
        return new MemoryScan(true);
    }

    /**
     * Looks for this secret too: 32 bytes of it at its start, after a quarter and at its end, which in no scheme are
     * those of the public key that a private key holds. The array is wiped.
     */
    MemoryScan watch(byte[] secret) {
        ByteBuffer bytes = ByteBuffer.wrap(secret).order(ByteOrder.LITTLE_ENDIAN);
        for (int at : new int[] {0, Math.min(secret.length / 4, secret.length - PIECE), secret.length - PIECE}) {
            long[] piece = new long[PIECE / Long.BYTES];
            for (int i = 0; i < piece.length; i++) {
                piece[i] = bytes.getLong(at + i * Long.BYTES) ^ MASK;
            }
            pieces.add(piece);
            starts[hash(piece[0])] = true;
        }
        Arrays.fill(secret, (byte) 0);
        return this;
    }

    /** How often a piece of a watched secret lies in memory. */
    int count() throws IOException {
        if (isBlind) {
            return 0;
        }
        int found = 0;
        try (FileChannel memory = new RandomAccessFile("/proc/self/mem", "r").getChannel()) {
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
                String[] words = line.split("\\s+", 6);
                if (words[1].startsWith("rw")) {
                    String[] ends = words[0].split("-");
                    found += inRange(memory, Long.parseLong(ends[0], 16), Long.parseLong(ends[1], 16));
                }
            }
        }
        return found;
    }

    private int inRange(FileChannel memory, long from, long to) throws IOException {
        int found = 0;
        for (long at = from; at < to; at += BLOCK - PAGE) {
            block.clear().limit((int) Math.min(BLOCK, to - at));
            int length = read(memory, at);
            found += inBlock(length, length < BLOCK ? length : BLOCK - PAGE);
            wipe(length);
        }
        return found;
    }

    /** A mapping that went away, or that cannot be read, holds nothing. */
    private int read(FileChannel memory, long at) {
        try {
            return Math.max(0, memory.read(block, at));
        } catch (IOException e) {
            return 0;
        }
    }

    private int inBlock(int length, int starting) {
        int found = 0;
        for (int i = 0; i < starting && i + PIECE <= length; i++) {
            if (i % PAGE == 0 && isBlank(i, length)) {
                i += PAGE - PIECE;
            } else if (starts[hash(block.getLong(i) ^ MASK)]) {
                found += matches(i);
            }
        }
        return found;
    }

    /** Most pages of a heap were never written; no piece begins in them but in the last bytes. */
    private boolean isBlank(int at, int length) {
        long any = length - at < PAGE ? 1 : 0;
        for (int i = at; any == 0 && i < at + PAGE; i += Long.BYTES) {
            any = block.getLong(i);
        }
        return any == 0;
    }

    private static int hash(long start) {
        return (int) ((start * 0x9e37_79b9_7f4a_7c15L) >>> 48);
    }

    /** Makes no object: nothing is collected here, and there may be millions of calls. */
    private int matches(int at) {
        int found = 0;
        for (int i = 0; i < pieces.size(); i++) {
            long[] piece = pieces.get(i);
            int same = 0;
            while (same < piece.length && (block.getLong(at + same * Long.BYTES) ^ MASK) == piece[same]) {
                same++;
            }
            found += same == piece.length ? 1 : 0;
        }
        return found;
    }

    private void wipe(int length) {
        for (int i = 0; i < length; i += Long.BYTES) {
            block.putLong(i, 0);
        }
    }
}
