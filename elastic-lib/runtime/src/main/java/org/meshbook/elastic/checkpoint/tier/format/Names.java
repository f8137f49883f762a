package org.meshbook.elastic.checkpoint.tier.format;

import static org.meshbook.elastic.UsageError.require;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Names that become files: nothing in them can lead out of their folder.
public final class Names {
    private static final Pattern RUN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern STEP = Pattern.compile("[1-9][0-9]{0,17}");

    private Names() {}

    /// @param run name of a run
    /// @return the same
    /// @throws org.meshbook.elastic.UsageError if it is not fit to name a folder
    public static String run(String run) {
        require(
                RUN.matcher(run).matches(),
                "'%s' does not name a run; use letters, digits, '.', '_' and '-', the first of them a"
                        + " letter or a digit, 100 at most",
                run);
        return run;
    }

    /// @param step number of a step
    /// @return the same
    /// @throws org.meshbook.elastic.UsageError if it is 0, which means that there is no checkpoint,
    ///   or less
    public static long step(long step) {
        require(
                step >= 1,
                "step %d cannot be saved or restored: steps are counted from 1, and 0 stands for no"
                        + " checkpoint",
                step);
        return step;
    }

    /// @param name of a file or folder
    /// @return the step that it names, if it names one
    public static OptionalLong stepOf(String name) {
        return STEP.matcher(name).matches()
                ? OptionalLong.of(Long.parseLong(name))
                : OptionalLong.empty();
    }

    /// @param name of a file in a checkpoint, as a manifest says
    /// @return whether it is one that a checkpoint can have
    public static boolean file(String name) {
        return RUN.matcher(name).matches() && name.endsWith(".bin");
    }
}
