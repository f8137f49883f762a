package org.meshbook.cluster;

import java.util.Arrays;
import java.util.stream.Collectors;

/// Which Kueue is meant: its rules, texts and schemas differ from one minor version to the next.
public enum Profile {
    V0_14("0.14"),
    /// The default.
    V0_17("0.17"),
    V0_19("0.19");

    private final String text;

    Profile(String text) {
        this.text = text;
    }

    /// @return such as `0.17`
    public String text() {
        return text;
    }

    /// @param text what a person typed, such as `0.17`
    /// @return the profile that is meant
    /// @throws IllegalArgumentException if there is none, with the known ones
    public static Profile of(String text) {
        return Arrays.stream(values())
                .filter(p -> p.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(unknown(text)));
    }

    private static String unknown(String text) {
        var known = Arrays.stream(values()).map(Profile::text).collect(Collectors.joining(", "));
        return "no Kueue profile \"%s\"; use one of %s".formatted(text, known);
    }
}
