/* How an emulated machine is distinguished from a real one. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MachineTest {
    private static final Map<String, String> X64 =
            Map.of("vendor_id", "GenuineIntel", "model name", "Intel(R) Xeon(R)");
    private static final Map<String, String> ARM = Map.of("CPU implementer", "0x41", "CPU part", "0xd0b");

    @Test
    void realMachinesAreNotEmulated() {
        assertFalse(new Machine("amd64", X64, "java").emulated());
        assertFalse(new Machine("aarch64", ARM, "java").emulated());
        assertFalse(new Machine("riscv64", Map.of(), "").emulated());
    }

    @Test
    void theProcessHasTheNameOfQemu() {
        assertTrue(new Machine("aarch64", Map.of(), "qemu-aarch64").emulated());
        assertTrue(new Machine("amd64", X64, "qemu-x86_64-sta").emulated());
    }

    @Test
    void theProcessorIsOfAnotherArchitecture() {
        assertTrue(new Machine("aarch64", X64, "java").emulated());
        assertTrue(new Machine("amd64", ARM, "java").emulated());
    }

    @Test
    void theProcessorIsSoftware() {
        assertTrue(new Machine("aarch64", Map.of("CPU implementer", "0x00"), "java").emulated());
        assertTrue(new Machine("amd64", Map.of("model name", "QEMU TCG CPU version 2.5+"), "java").emulated());
    }

    @Test
    void processorsAndArchitecturesHaveOneName() {
        assertEquals("Intel Xeon", new Machine("amd64", X64, "java").cpu());
        assertEquals("Arm implementer 0x41 part 0xd0b", new Machine("arm64", ARM, "java").cpu());
        assertEquals("aarch64 under QEMU", new Machine("aarch64", X64, "java").cpu());
        assertEquals("x86_64", Machine.architecture("amd64"));
        assertEquals("aarch64", Machine.architecture("arm64"));
        assertEquals("arm", Machine.architecture("armv7l"));
        assertEquals("riscv64", Machine.architecture("riscv64"));
    }
}
