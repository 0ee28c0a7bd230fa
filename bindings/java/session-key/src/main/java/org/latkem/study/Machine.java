/* The machine on which the results were measured. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Facts about this machine, from Java's properties and Linux's /proc. */
public final class Machine {
    private static final String UNKNOWN = "unknown";

    private final String architecture;
    private final String cpu;
    private final boolean emulated;

    /** Asks this machine. */
    public Machine() {
        this(System.getProperty("os.arch"), firstValues("/proc/cpuinfo"), firstLine("/proc/self/comm"));
    }

    /** Of what the system says: os.arch, the first value of each name in /proc/cpuinfo, the process's name. */
    Machine(String osArch, Map<String, String> cpuinfo, String processName) {
        architecture = architecture(osArch);
        emulated = isEmulated(architecture, cpuinfo, processName);
        cpu = emulated ? architecture + " under QEMU" : cpuName(cpuinfo);
    }

    /** {@return the processor's architecture: x86_64, aarch64, arm, or Java's name for another} */
    public String architecture() {
        return architecture;
    }

    /** {@return the processor's name, as far as the system has it} */
    public String cpu() {
        return cpu;
    }

    /** {@return whether QEMU executes this program's instructions one by one, so that its times mean nothing} */
    public boolean emulated() {
        return emulated;
    }

    /** {@return the system's name and version} */
    public static String system() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version");
    }

    /** {@return the virtual machine's name and version} */
    public static String jvm() {
        String version = System.getProperty("java.vm.version", UNKNOWN);
        return System.getProperty("java.vm.name", UNKNOWN) + " " + version;
    }

    /** {@return the facts by the names that the JSON has for them} */
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cpu", cpu);
        facts.put("architecture", architecture);
        facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("system", system());
        return facts;
    }

    /** One name for what Java calls amd64 or x86_64, arm64 or aarch64. */
    static String architecture(String osArch) {
        switch (osArch) {
            case "amd64":
            case "x86_64":
                return "x86_64";
            case "arm64":
            case "aarch64":
                return "aarch64";
            default:
                return osArch.startsWith("arm") ? "arm" : osArch;
        }
    }

    /**
     * QEMU's user mode is the process that Linux runs, so the process has QEMU's name, which Java's threads leave
     * alone. Its older versions also show the host's /proc/cpuinfo: that of another architecture. QEMU's whole machines
     * without KVM say so in the processor's name, or as a maker of Arm processors that is none.
     */
    private static boolean isEmulated(String architecture, Map<String, String> cpuinfo, String processName) {
        boolean ofArm = cpuinfo.containsKey("CPU implementer");
        boolean ofX86 = cpuinfo.containsKey("vendor_id");
        boolean foreign = architecture.equals("x86_64") ? ofArm : architecture.matches("aarch64|arm") && ofX86;
        boolean noMaker = "0x00".equals(cpuinfo.get("CPU implementer"));
        boolean tcg = String.valueOf(cpuinfo.get("model name")).contains("TCG");
        return processName.startsWith("qemu-") || foreign || noMaker || tcg;
    }

    private static String cpuName(Map<String, String> cpuinfo) {
        for (String name : new String[] {"model name", "Hardware", "Processor"}) {
            if (cpuinfo.containsKey(name)) {
                return cpuinfo.get(name).replaceAll("\\((R|TM)\\)", "");
            }
        }
        String part = cpuinfo.get("CPU part");
        return part == null ? UNKNOWN : "Arm implementer " + cpuinfo.get("CPU implementer") + " part " + part;
    }

    private static String firstLine(String file) {
        try (BufferedReader lines = open(file)) {
            String line = lines.readLine();
            return line == null ? "" : line;
        } catch (IOException unreadable) {
            return "";
        }
    }

    private static Map<String, String> firstValues(String file) {
        Map<String, String> values = new LinkedHashMap<>();
        try (BufferedReader lines = open(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(":", 2);
                if (parts.length == 2 && !values.containsKey(parts[0].trim())) {
                    values.put(parts[0].trim(), parts[1].trim());
                }
            }
        } catch (IOException unreadable) {
            values.clear();
        }
        return values;
    }

    private static BufferedReader open(String file) throws IOException {
        return new BufferedReader(new InputStreamReader(new FileInputStream(file), StandardCharsets.US_ASCII));
    }
}
