// The parts of the ratio program that need no library. SPDX-License-Identifier: Apache-2.0
package org.latkem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RatiosTest {
    @Test
    void quartilesLieBetweenNumbers() {
        assertEquals(new Quartiles(2, 3, 4), Quartiles.of(List.of(5.0, 1.0, 4.0, 2.0, 3.0)));
        assertEquals(new Quartiles(1.75, 2.5, 3.25), Quartiles.of(List.of(4.0, 1.0, 2.0, 3.0)));
        assertEquals(new Quartiles(7, 7, 7), Quartiles.of(List.of(7.0)));
    }

    @Test
    void jsonQuotesWhatItMust() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", "a \"b\" \\ \n");
        map.put("numbers", List.of(0.000123456, 1234.56, 7));
        String expected = "{\"text\": \"a \\\"b\\\" \\\\ \\u000a\", \"numbers\": [\n 0.00012346,\n 1234.6,\n 7\n]}";
        assertEquals(expected, Json.of(map));
        assertEquals("{}", Json.of(Map.of()));
    }

    @Test
    void aWrongCommandLineIsRefused() {
        for (String[] words : new String[][] {{"--fast"}, {"--json"}, {"--tier", "wire"}, {"--set", "Sabre"}}) {
            assertThrows(IllegalArgumentException.class, () -> Ratios.Arguments.of(words));
        }
        Ratios.Arguments right = Ratios.Arguments.of(new String[] {"--quick", "--tier", "jca,bytes"});
        assertEquals(List.of("jca", "bytes"), right.tiers());
    }

    @Test
    void everyContestantHasItsBlockInEachTurn() throws Exception {
        Blocks blocks = new Blocks(Operation.ENCAPS);
        CountingKem one = new CountingKem();
        CountingKem other = new CountingKem();
        blocks.contestants.add(new Blocks.Contestant("one", one));
        blocks.contestants.add(new Blocks.Contestant("other", other));
        blocks.contestants.get(1).calls = 10;
        blocks.run(7);
        assertEquals(7, one.calls);
        assertEquals(70, other.calls);
        assertEquals(7, blocks.contestants.get(0).times.size());
    }

    /** Counts encapsulations and does nothing else. */
    private static final class CountingKem implements Kem {
        private int calls;

        @Override
        public Object generateKeyPair() {
            throw new AssertionError();
        }

        @Override
        public Object encapsulate() {
            return calls++;
        }

        @Override
        public byte[] decapsulate() {
            throw new AssertionError();
        }

        @Override
        public byte[] secret() {
            throw new AssertionError();
        }
    }
}
