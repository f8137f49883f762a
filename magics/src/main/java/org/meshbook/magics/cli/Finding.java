package org.meshbook.magics.cli;

import java.util.Locale;

/// What `doctor` found about one thing.
///
/// @param thing what was looked at
/// @param outcome how it stands
/// @param found what is there
/// @param next what to do; empty if nothing
record Finding(String thing, Outcome outcome, String found, String next) {
    enum Outcome {
        OK,
        /// Something optional is missing, or is small.
        WARN,
        /// Meshbook cannot work.
        FAIL;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String thing, String found) {
        return new Finding(thing, Outcome.OK, found, "");
    }

    static Finding warn(String thing, String found, String next) {
        return new Finding(thing, Outcome.WARN, found, next);
    }

    static Finding fail(String thing, String found, String next) {
        return new Finding(thing, Outcome.FAIL, found, next);
    }
}
