// Runs a main class of the tests in a fresh JVM. SPDX-License-Identifier: Apache-2.0
package org.latkem.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A fresh JVM of the kind that runs the tests, with the same class path. It runs code that a JVM runs once or may not
 * survive.
 */
public final class ChildJvm {
    private final List<String> options = new ArrayList<>();
    private String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private boolean nativeAccess = true;

    /** The result of a JVM: its exit status and all that it printed. */
    public record Result(int status, String output) {}

    /** Adds options of the JVM. */
    public ChildJvm with(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Puts a folder or jar before everything else on the class path. */
    public ChildJvm first(Path place) {
        classPath = place + File.pathSeparator + classPath;
        return this;
    }

    /** Leaves out the option by which newer JVMs permit native code. */
    public ChildJvm withoutNativeAccess() {
        nativeAccess = false;
        return this;
    }

    /** Runs a class's main method to its end. */
    public Result run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        return finish(command(main, arguments), Map.of());
    }

    /** The same with environment variables added. */
    public Result run(Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        return finish(command(main, arguments), environment);
    }

    /** The same behind another program, such as one that changes what the JVM may do. */
    public Result runBehind(List<String> program, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(command(main, arguments));
        return finish(command, Map.of());
    }

    private List<String> command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (nativeAccess && Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private static Result finish(List<String> command, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}
