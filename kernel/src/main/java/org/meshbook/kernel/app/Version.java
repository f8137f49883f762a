package org.meshbook.kernel.app;

import java.util.Optional;

/// What this build is called.
final class Version {
    private Version() {}

    /// @return Meshbook's version, as the jar says it
    static String meshbook() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("unpacked");
    }

    /// @return Java's version
    static String java() {
        return Runtime.version().feature()
                + "."
                + Runtime.version().interim()
                + "."
                + Runtime.version().update();
    }
}
