package org.meshbook.cluster.lint.rule;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The release of Kueue that manifests are for.
public enum Kueue {
    V0_14,
    V0_17,
    V0_19;

    /// What is meant if nobody says.
    public static final Kueue DEFAULT = V0_17;

    /// @return as people write it, such as `0.17`
    public String label() {
        return name().substring(1).replace('_', '.');
    }

    /// @param other a release
    /// @return whether this one is as new
    public boolean since(Kueue other) {
        return compareTo(other) >= 0;
    }

    /// @return all of them, as people write them
    public static List<String> labels() {
        return Arrays.stream(values()).map(Kueue::label).toList();
    }

    /// @param label what a person wrote
    /// @return the release
    public static Optional<Kueue> named(String label) {
        return Arrays.stream(values()).filter(k -> k.label().equals(label)).findFirst();
    }
}
