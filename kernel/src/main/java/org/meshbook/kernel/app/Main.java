package org.meshbook.kernel.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.meshbook.kernel.cell.CellEngine;
import org.meshbook.kernel.cell.CellEngines;
import org.meshbook.kernel.spi.Command;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Nearest;

/// The launcher's commands: built-in ones, and those that ServiceLoader finds.
public final class Main {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Terminal terminal;
    private final List<Command> own;

    private Main(Terminal terminal) {
        this.terminal = terminal;
        this.own = own(terminal);
    }

    /// @param arguments a command and what stands after it
    public static void main(String[] arguments) {
        var terminal = new Terminal();
        System.setOut(terminal.out());
        System.setErr(terminal.err());
        leave(new Main(terminal).run(Arrays.asList(arguments)));
    }

    @SuppressWarnings("CatchingUnchecked") // a command's failure is one line, whatever it is
    private int run(List<String> arguments) {
        var first = arguments.isEmpty() ? "console" : arguments.getFirst();
        try {
            return switch (first) {
                case "--version", "-V", "version" -> version();
                case "--help", "-h", "help" -> help();
                default -> find(first).run(arguments.stream().skip(1).toList());
            };
        } catch (CommandLineError e) {
            terminal.complain(oneLine(e));
            return 2;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 130;
        } catch (Exception e) {
            terminal.complain(first + ": " + oneLine(e));
            return 1;
        }
    }

    private Command find(String name) {
        // Loading the others costs time that a kernel's start does not have.
        return own.stream()
                .filter(command -> command.name().equals(name))
                .findFirst()
                .or(() -> all().stream().filter(c -> c.name().equals(name)).findFirst())
                .orElseThrow(() -> unknown(name));
    }

    private CommandLineError unknown(String name) {
        var names = all().stream().map(Command::name).toList();
        if (name.endsWith(".ipynb")) {
            return new CommandLineError(
                    "no command '" + name + "'; to run a notebook: meshbook run " + name);
        }
        return new CommandLineError(
                "no command '"
                        + name
                        + "'; there are "
                        + String.join(", ", names)
                        + Nearest.hint(name, names));
    }

    private int version() {
        terminal.out().println("meshbook " + Version.meshbook() + " (Java " + Version.java() + ")");
        return 0;
    }

    private int help() {
        var out = terminal.out();
        var commands = all();
        out.println("usage: meshbook [--jvm-arg=OPTION]... [COMMAND] [ARGUMENTS]");
        out.println();
        var width = commands.stream().mapToInt(c -> c.name().length()).max().orElse(0);
        for (var command : commands) {
            out.println(
                    "  "
                            + (command.name() + " ".repeat(width)).substring(0, width)
                            + "  "
                            + command.summary());
        }
        out.println();
        out.println(
                """
                Without a command it is the console. Each command explains itself by --help;
                --version names this build.

                Variables: MESHBOOK_JAVA names a JDK, MESHBOOK_JAVA_OPTS has options for it,
                MESHBOOK_HISTORY a folder for what was typed, or 'off'; NO_COLOR means none.\
                """);
        return 0;
    }

    private List<Command> all() {
        var all = new ArrayList<>(own);
        ServiceLoader.load(Command.class).forEach(all::add);
        all.sort(Comparator.comparing(Command::name));
        return List.copyOf(all);
    }

    private static List<Command> own(Terminal terminal) {
        Supplier<CellEngine> engines =
                () ->
                        CellEngines.open(
                                () ->
                                        ServiceLoader.load(Extension.class).stream()
                                                .map(ServiceLoader.Provider::get)
                                                .toList());
        return List.of(
                new ConsoleCommand(engines, terminal),
                new RunCommand(engines, terminal),
                new InstallCommand(),
                new KernelCommand(engines),
                new JshellCommand(terminal),
                new LabCommand(terminal));
    }

    private static String oneLine(Exception e) {
        var message = e.getMessage();
        return message == null || message.isBlank()
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse(message);
    }

    /// Ends the process now, whatever threads the cells left; a hook of theirs that hangs is not
    /// waited for.
    private static void leave(int status) {
        var never = new CountDownLatch(1);
        Thread.ofPlatform()
                .daemon()
                .name("meshbook-leave")
                .start(
                        () -> {
                            try {
                                if (!never.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                                    Runtime.getRuntime().halt(status);
                                }
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        System.exit(status);
    }
}
