/* HKDF-SHA-256 beside the examples of RFC 5869, appendix A. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.security.GeneralSecurityException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HkdfTest {
    private static final HexFormat HEX = HexFormat.of();

    private static void check(String salt, String secret, String info, String expected)
            throws GeneralSecurityException {
        byte[] derived =
                new Hkdf().derive(HEX.parseHex(salt), HEX.parseHex(secret), HEX.parseHex(info), expected.length() / 2);
        assertEquals(expected, HEX.formatHex(derived));
    }

    /** The bytes from first to last. */
    private static String bytes(int first, int last) {
        StringBuilder text = new StringBuilder();
        for (int value = first; value <= last; value++) {
            text.append(HEX.toHexDigits((byte) value));
        }
        return text.toString();
    }

    @Test
    void basic() throws GeneralSecurityException {
        check(
                bytes(0, 12),
                "0b".repeat(22),
                bytes(0xf0, 0xf9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    }

    @Test
    void longInputs() throws GeneralSecurityException {
        check(
                bytes(0x60, 0xaf),
                bytes(0, 0x4f),
                bytes(0xb0, 0xff),
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
                        + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
                        + "cc30c58179ec3e87c14c01d5c1f3434f1d87");
    }

    @Test
    void noSaltAndNoInfo() throws GeneralSecurityException {
        check(
                "",
                "0b".repeat(22),
                "",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
    }

    @Test
    void moreThanItCanGiveIsRefused() throws GeneralSecurityException {
        Hkdf hkdf = new Hkdf();
        byte[] some = new byte[1];
        assertEquals(8160, hkdf.derive(some, some, some, 8160).length);
        assertThrows(IllegalArgumentException.class, () -> hkdf.derive(some, some, some, 8161));
    }
}
