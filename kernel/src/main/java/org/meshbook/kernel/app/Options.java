package org.meshbook.kernel.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.spi.Nearest;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/// The options of one command, built without reflection and read by picocli.
final class Options {
    private final String command;
    private final CommandSpec spec;

    Options(String command, String summary) {
        this.command = command;
        this.spec = CommandSpec.create().name("meshbook " + command);
        spec.usageMessage().description(summary);
        spec.mixinStandardHelpOptions(false);
        spec.addOption(
                OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .type(boolean.class)
                        .description("shows this")
                        .build());
    }

    Options flag(String name, String description) {
        spec.addOption(
                OptionSpec.builder(name).type(boolean.class).description(description).build());
        return this;
    }

    Options value(String name, String label, String description) {
        spec.addOption(
                OptionSpec.builder(name)
                        .type(String.class)
                        .paramLabel(label)
                        .description(description)
                        .build());
        return this;
    }

    /// An option that may be given several times.
    Options values(String name, String label, String description) {
        spec.addOption(
                OptionSpec.builder(name)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel(label)
                        .description(description)
                        .build());
        return this;
    }

    Options argument(String label, String description) {
        spec.addPositional(
                PositionalParamSpec.builder()
                        .type(String.class)
                        .index("0")
                        .required(true)
                        .arity("1")
                        .paramLabel(label)
                        .description(description)
                        .build());
        return this;
    }

    /// @param arguments what was typed
    /// @return what it says, or empty if help was asked for and printed
    /// @throws CommandLineError if it is not understood
    Optional<Given> read(List<String> arguments) {
        var line = new CommandLine(spec);
        try {
            var result = line.parseArgs(arguments.toArray(String[]::new));
            if (result.isUsageHelpRequested()) {
                line.usage(System.out);
                return Optional.empty();
            }
            return Optional.of(new Given(result));
        } catch (CommandLine.UnmatchedArgumentException e) {
            var typed = e.getUnmatched().getFirst();
            throw new CommandLineError(
                    "%s: '%s' is not understood; there are %s%s"
                            .formatted(
                                    command,
                                    typed,
                                    String.join(", ", names()),
                                    Nearest.hint(typed.replaceFirst("=.*", ""), names())));
        } catch (CommandLine.ParameterException e) {
            var said = String.valueOf(e.getMessage()).lines().findFirst().orElse("not understood");
            throw new CommandLineError(
                    command + ": " + said + "; see meshbook " + command + " --help");
        }
    }

    private List<String> names() {
        var names = new ArrayList<String>();
        spec.positionalParameters().forEach(p -> names.add(p.paramLabel()));
        spec.options().forEach(o -> names.add(o.longestName()));
        return names;
    }

    /// What was typed.
    record Given(ParseResult result) {
        boolean has(String flag) {
            return result.hasMatchedOption(flag);
        }

        Optional<String> value(String name) {
            return Optional.ofNullable(result.matchedOptionValue(name, (String) null));
        }

        List<String> values(String name) {
            return result.matchedOptionValue(name, List.<String>of());
        }

        String argument() {
            return result.matchedPositionalValue(0, "");
        }
    }
}
