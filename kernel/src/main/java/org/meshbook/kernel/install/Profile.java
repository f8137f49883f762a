package org.meshbook.kernel.install;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// What a kernel's Java is tuned for.
public enum Profile {
    /// Serial collector, both compilers: the smallest that computes at full speed.
    BALANCED("the default: little memory, full speed", List.of()),
    /// Parallel collector, for cells that make much garbage on several cores.
    THROUGHPUT("parallel garbage collector, for heavy allocation", List.of("-XX:+UseParallelGC")),
    /// Most of the machine for the heap.
    LARGE("heap of up to three quarters of the memory", List.of("-XX:MaxRAMPercentage=75")),
    /// First compiler only: quicker first cells, slower loops.
    C1("first compiler only: quick cells, slow loops", List.of("-XX:TieredStopAtLevel=1")),
    /// As [#C1], with a small heap.
    SMALL("as c1, with a heap of 256 MB", List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"));

    private final String summary;
    private final List<String> arguments;

    Profile(String summary, List<String> arguments) {
        this.summary = summary;
        this.arguments = arguments;
    }

    /// @return what to give Java
    public List<String> arguments() {
        return arguments;
    }

    /// @return what to select it by
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @return each profile and what it does, as `c1 (..)`, with commas between
    public static String all() {
        return Arrays.stream(values())
                .map(p -> p.word() + " (" + p.summary + ")")
                .collect(Collectors.joining(", "));
    }

    private static String words() {
        return Arrays.stream(values()).map(Profile::word).collect(Collectors.joining(", "));
    }

    /// @param word as typed
    /// @return the profile of that name
    /// @throws NotInstalled if there is none
    public static Profile named(String word) {
        return Arrays.stream(values())
                .filter(p -> p.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () -> new NotInstalled("no profile '" + word + "'; there are " + words()));
    }
}
