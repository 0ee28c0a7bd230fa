// The ARM libraries on Android 6's own C library, which unidbg brings. SPDX-License-Identifier: Apache-2.0
import com.github.unidbg.AndroidEmulator;
import com.github.unidbg.arm.backend.Unicorn2Factory;
import com.github.unidbg.linux.android.AndroidEmulatorBuilder;
import com.github.unidbg.linux.android.AndroidResolver;
import com.github.unidbg.linux.android.dvm.DalvikModule;
import com.github.unidbg.linux.android.dvm.DvmClass;
import com.github.unidbg.linux.android.dvm.DvmObject;
import com.github.unidbg.linux.android.dvm.StringObject;
import com.github.unidbg.linux.android.dvm.VM;
import com.github.unidbg.linux.android.dvm.array.ByteArray;
import com.github.unidbg.linux.android.dvm.array.DoubleArray;
import com.github.unidbg.linux.android.dvm.array.IntArray;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;

/**
 * {@code Bionic LIBRARY STUDY 64|32 FILE} loads both libraries, which resolve each of their symbols or say which they
 * cannot. The lines of the file are set, seed, coins, ek, ct, ss in hexadecimal; of each set a line says where the
 * library's answer differs. The last line has the parts of Saber's profile.
 */
public final class Bionic {
    private static final int API = 23;

    private final AndroidEmulator emulator;
    private final VM vm;
    private final DvmClass natives;

    private Bionic(File library, boolean is64Bit, String natives) {
        AndroidEmulatorBuilder builder =
                is64Bit ? AndroidEmulatorBuilder.for64Bit() : AndroidEmulatorBuilder.for32Bit();
        emulator = builder.addBackendFactory(new Unicorn2Factory(false)).build();
        emulator.getMemory().setLibraryResolver(new AndroidResolver(API));
        vm = emulator.createDalvikVM();
        DalvikModule module = vm.loadLibrary(library, false);
        module.callJNI_OnLoad(emulator);
        this.natives = vm.resolveClass(natives);
    }

    public static void main(String[] arguments) throws IOException {
        boolean is64Bit = arguments[2].equals("64");
        Bionic bionic = new Bionic(new File(arguments[0]), is64Bit, "org/latkem/Native");
        System.out.println("version " + bionic.text("version()Ljava/lang/String;"));
        System.out.println("backend " + bionic.text("backend()Ljava/lang/String;"));
        List<String> lines = Files.readAllLines(Paths.get(arguments[3]));
        for (String line : lines) {
            String[] words = line.split(" ");
            System.out.println(words[0] + " " + bionic.answer(words));
        }
        Bionic study = new Bionic(new File(arguments[1]), is64Bit, "org/latkem/study/Native");
        System.out.println("profile" + study.profile());
    }

    /** Nanoseconds of the functions of key generation, encapsulation, decapsulation. */
    private String profile() {
        DoubleArray parts = natives.callStaticJniMethodObject(
                emulator, "saberProfile(Ljava/lang/String;I)[D", new StringObject(vm, "Saber"), 3);
        StringBuilder text = new StringBuilder();
        for (double part : parts.getValue()) {
            text.append(' ').append(Math.round(part));
        }
        return text.toString();
    }

    private String text(String method) {
        DvmObject<?> text = natives.callStaticJniMethodObject(emulator, method);
        return (String) text.getValue();
    }

    /** Empty if the set gives the known answer. */
    private String answer(String[] words) {
        StringObject name = new StringObject(vm, words[0]);
        long kem = natives.callStaticJniMethodLong(emulator, "find(Ljava/lang/String;)J", name);
        IntArray facts = natives.callStaticJniMethodObject(emulator, "facts(J)[I", kem);
        int[] bytes = facts.getValue();
        byte[] ek = new byte[bytes[2]];
        byte[] dk = new byte[bytes[3]];
        byte[] ctAndSs = new byte[bytes[4] + bytes[5]];
        byte[] again = new byte[bytes[5]];
        long key = natives.callStaticJniMethodLong(
                emulator, "fromSeed(JZ[B[B)J", kem, false, new ByteArray(vm, ek), array(words[1]));
        natives.callStaticJniMethod(emulator, "toBytes(J[B)V", key, new ByteArray(vm, dk));
        natives.callStaticJniMethodInt(
                emulator,
                "encapsulate(J[B[B[B)I",
                kem,
                new ByteArray(vm, ctAndSs),
                new ByteArray(vm, ek),
                array(words[2]));
        byte[] ct = Arrays.copyOf(ctAndSs, bytes[4]);
        natives.callStaticJniMethodInt(
                emulator,
                "decapsulate(J[B[B[B)I",
                kem,
                new ByteArray(vm, again),
                new ByteArray(vm, ct),
                new ByteArray(vm, dk));
        natives.callStaticJniMethod(emulator, "freeKey(J)V", key);
        return compare("ek", words[3], ek)
                + compare("ct and ss", words[4] + words[5], ctAndSs)
                + compare("ss of decapsulation", words[5], again);
    }

    private ByteArray array(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return new ByteArray(vm, bytes);
    }

    private static String compare(String what, String expected, byte[] found) {
        StringBuilder hex = new StringBuilder();
        for (byte b : found) {
            hex.append(String.format("%02x", b));
        }
        return expected.contentEquals(hex) ? "" : "another " + what + "; ";
    }
}
