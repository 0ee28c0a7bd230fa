/* The command line of the study. SPDX-License-Identifier: Apache-2.0 */
package org.latkem.study.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.latkem.Backend;
import org.latkem.Latkem;
import org.latkem.ParameterSet;
import org.latkem.study.CTimer;
import org.latkem.study.Csv;
import org.latkem.study.Machine;
import org.latkem.study.Native;
import org.latkem.study.Result;
import org.latkem.study.Study;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a session key on its way in Java, beside C, and compares machines. */
@Command(
        name = Main.NAME,
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        customSynopsis = "usage: java -jar latkem-session-key-VERSION.jar [options]",
        synopsisHeading = "",
        resourceBundle = "org.latkem.study.cli.Help")
public final class Main implements Callable<Integer> {
    static final String NAME = "latkem-session-key";
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    /** Asks the library. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {NAME + " " + Latkem.version()};
        }
    }

    @Spec
    private CommandSpec spec;

    /** For the help. */
    static final class SetNames extends ArrayList<String> {
        private static final long serialVersionUID = 1;

        SetNames() {
            for (ParameterSet set : ParameterSet.values()) {
                add(set.toString());
            }
        }
    }

    @Option(names = "--sets", split = ",", paramLabel = "NAME", completionCandidates = SetNames.class)
    private List<String> sets;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "30")
    private int rounds;

    @Option(names = "--repetitions", paramLabel = "N", defaultValue = "1000")
    private int repetitions;

    @Option(names = "--backend", paramLabel = "NAME")
    private String backend;

    @Option(names = "--json", paramLabel = "FILE")
    private Path json;

    @Option(names = "--csv", paramLabel = "FILE")
    private Path csv;

    @Option(names = "--compare", paramLabel = "OTHER.json")
    private List<Path> compare = List.of();

    private final Text out;
    private final Text err;

    Main(Text out, Text err) {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the program.
     *
     * @param arguments as {@code --help} explains them
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err, System.getProperty("stdout.encoding")));
    }

    /** Returns the exit status: 0, 1 for a failure, 2 for options that cannot be meant. */
    static int run(String[] arguments, PrintStream out, PrintStream err, String encoding) {
        Text text = new Text(out, encoding);
        Text errors = new Text(err, encoding);
        CommandLine line = new CommandLine(new Main(text, errors));
        line.setOut(text.writer()).setErr(errors.writer());
        line.setParameterExceptionHandler((error, given) -> explain(errors, error, MISUSED));
        line.setExecutionExceptionHandler((error, command, parsed) -> explain(errors, error, FAILED));
        return line.execute(arguments);
    }

    /** One line, whatever went wrong. */
    private static int explain(Text errors, Exception error, int status) {
        String message = error.getMessage() == null ? error.toString() : error.getMessage();
        String help = status == MISUSED ? " (see --help)" : "";
        errors.line(NAME + ": " + message.replaceAll("\\s*\\R\\s*", " ") + help);
        return status;
    }

    @Override
    public Integer call() throws IOException, GeneralSecurityException {
        checkOptions();
        if (compare.size() == 2) {
            out.lines(comparison(read(compare.get(0)), read(compare.get(1))).lines());
        } else {
            measure();
        }
        return 0;
    }

    private void checkOptions() {
        require(rounds >= 1 && rounds <= 100_000, "--rounds must be 1 to 100000, not " + rounds);
        require(repetitions >= 1 && repetitions <= 1_000_000, "--repetitions must be 1 to 1000000, not " + repetitions);
        require(compare.size() <= 2, "--compare can be given once, or twice to compare two files without measuring");
        require(
                compare.size() < 2 || json == null && csv == null,
                "two files are compared without measuring: there is" + " nothing for --json or --csv to write");
        for (Path file : Arrays.asList(json, csv)) {
            require(
                    file == null || Files.isDirectory(file.toAbsolutePath().getParent()),
                    file + " cannot be written:" + " there is no such folder");
        }
    }

    private void measure() throws IOException, GeneralSecurityException {
        List<ParameterSet> chosen = chosenSets();
        chooseBackend();
        Machine machine = new Machine();
        Run other = compare.isEmpty() ? null : read(compare.get(0));
        require(
                other == null || other.emulated() == machine.emulated(),
                other == null ? "" : Comparison.refusal(other.name(), other.emulated()));
        List<Result> results = study(chosen);
        JsonFile report = new JsonFile(machine, Backend.name(), rounds, repetitions, results);
        out.lines(ResultTable.lines(machine, rounds, repetitions, results));
        write(json, report.text());
        write(csv, Csv.of(results, machine.emulated()));
        if (other != null) {
            out.line("");
            out.lines(comparison(other, Run.of("this run", report.tree())).lines());
        }
    }

    private List<ParameterSet> chosenSets() {
        return sets == null
                ? Arrays.asList(ParameterSet.values())
                : sets.stream().distinct().map(this::set).toList();
    }

    private ParameterSet set(String name) {
        for (ParameterSet set : ParameterSet.values()) {
            if (set.toString().equals(name)) {
                return set;
            }
        }
        String[] near = Arrays.stream(ParameterSet.values())
                .map(String::valueOf)
                .filter(name::equalsIgnoreCase)
                .toArray(String[]::new);
        String hint = near.length == 0 ? "" : "; is " + near[0] + " meant?";
        throw new ParameterException(spec.commandLine(), "there is no set named \"" + name + "\"" + hint);
    }

    private void chooseBackend() {
        List<String> available = Backend.available();
        require(
                backend == null || available.contains(backend),
                "this machine has no backend named \"" + backend + "\", but " + String.join(", ", available));
        Backend.use(backend);
    }

    private List<Result> study(List<ParameterSet> chosen) throws GeneralSecurityException {
        ProgressLine progress = new ProgressLine(err, rounds);
        try {
            return new Study(chosen, rounds, repetitions, timer()).run(progress);
        } finally {
            progress.clear();
        }
    }

    /** Without the native library of the study the rest can still be measured. */
    private CTimer timer() {
        try {
            Native.load();
            return Native.timer(Backend.name());
        } catch (UnsatisfiedLinkError error) {
            err.line(NAME + ": C is not measured: " + error.getMessage());
            return null;
        }
    }

    private Run read(Path file) throws IOException {
        try {
            return Run.read(file);
        } catch (IllegalArgumentException error) {
            throw new ParameterException(spec.commandLine(), file + " " + error.getMessage());
        } catch (NoSuchFileException error) {
            throw new ParameterException(spec.commandLine(), file + " does not exist");
        }
    }

    private Comparison comparison(Run one, Run other) {
        try {
            return new Comparison(one, other);
        } catch (IllegalArgumentException error) {
            throw new ParameterException(spec.commandLine(), error.getMessage());
        }
    }

    private static void write(Path file, String text) throws IOException {
        if (file != null) {
            Files.writeString(file, text);
        }
    }

    private void require(boolean met, String otherwise) {
        if (!met) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }
}
