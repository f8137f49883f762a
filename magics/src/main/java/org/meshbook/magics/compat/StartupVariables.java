package org.meshbook.magics.compat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.magics.maven.Globs;

/// The variables by which IJava and JJava are set up, taken by the first cell: what they start runs
/// as a part of it, and what fails is told there. The name may begin with `MESHBOOK`, `JJAVA` or
/// `IJAVA`; the first of them that is set counts.
final class StartupVariables {
    private static final List<String> PREFIXES = List.of("MESHBOOK_", "JJAVA_", "IJAVA_");
    private static final Pattern TIME = Pattern.compile("(\\d+)\\s*([A-Za-z]*)");

    private final Map<String, String> environment;
    private final Cell cell;

    StartupVariables(Map<String, String> environment, Cell cell) {
        this.environment = environment;
        this.cell = cell;
    }

    void take() {
        find("CLASSPATH").ifPresent(this::classPath);
        find("TIMEOUT").ifPresent(this::timeout);
        find("STARTUP_SCRIPTS_PATH").ifPresent(this::scripts);
        find("STARTUP_SCRIPT").ifPresent(v -> attempt(v.name, () -> cell.run(v.value)));
        find("COMPILER_OPTS")
                .ifPresent(
                        v ->
                                cell.err()
                                        .println(
                                                "%s is not taken: cells are compiled with fixed options"
                                                        .formatted(v.name)));
    }

    private record Variable(String name, String value) {}

    private interface Work {
        @Nullable Object run() throws Exception;
    }

    private Optional<Variable> find(String name) {
        return PREFIXES.stream()
                .map(prefix -> new Variable(prefix + name, value(prefix + name)))
                .filter(variable -> !variable.value.isEmpty())
                .findFirst();
    }

    private String value(String name) {
        return environment.getOrDefault(name, "").strip();
    }

    private void attempt(String what, Work work) {
        try {
            var unused = work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            cell.err().println("start-up: %s failed: %s".formatted(what, said(e)));
        }
    }

    private static String said(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private void classPath(Variable variable) {
        for (var path : variable.value.split(File.pathSeparator)) {
            attempt(
                    variable.name,
                    () -> {
                        cell.workspace().addToClassPath(Globs.find(path));
                        return true;
                    });
        }
    }

    private void scripts(Variable variable) {
        for (var pattern : variable.value.split(File.pathSeparator)) {
            attempt(
                    variable.name,
                    () -> {
                        for (var script : Globs.find(pattern)) {
                            attempt(
                                    variable.name + ", " + script.getFileName(),
                                    () -> cell.run(text(script)));
                        }
                        return true;
                    });
        }
    }

    private static String text(java.nio.file.Path script) throws IOException {
        return Files.readString(script);
    }

    /// Milliseconds, or a number and a unit as `TimeUnit` names it.
    private void timeout(Variable variable) {
        var match = TIME.matcher(variable.value);
        if (!match.matches()) {
            if (!variable.value.startsWith("-")) {
                cell.err()
                        .println(
                                "%s is '%s', which is no time; it is not taken"
                                        .formatted(variable.name, variable.value));
            }
            return;
        }
        var unit =
                switch (match.group(2).toUpperCase(Locale.ROOT)) {
                    case "", "MS", "MILLISECONDS" -> "ms";
                    case "M", "MINUTES" -> "m";
                    case "H", "HOURS" -> "h";
                    default -> "s";
                };
        attempt(variable.name, () -> cell.run("%config cell.timeout=" + match.group(1) + unit));
    }
}
