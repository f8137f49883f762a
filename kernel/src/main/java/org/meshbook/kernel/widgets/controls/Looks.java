package org.meshbook.kernel.widgets.controls;

import java.util.List;

/// The front end's own colours, by what they mean.
final class Looks {
    private Looks() {}

    static String one(String look, List<String> known) {
        if (!known.contains(look)) {
            throw new IllegalArgumentException(
                    "no look '%s'; there are %s"
                            .formatted(look, String.join(", ", known).replaceFirst("^, ", "")));
        }
        return look;
    }
}
