package org.meshbook.kernel.cell;

import java.util.List;
import java.util.Optional;
import jdk.jshell.Diag;
import org.meshbook.kernel.jshell.Origin;

/// A snippet that is right, but not for JShell: it makes every type public, and so refuses the
/// constructor of a record that does not say `public`.
///
/// @param source the snippet, so that JShell takes it
/// @param origin the same place, in a text that has the change
record Repair(String source, Origin origin) {
    private static final String REFUSED = "compiler.err.invalid.canonical.constructor.in.record";
    private static final String MISSING = "public ";

    /// @return what to evaluate instead, if that is why it was refused
    static Optional<Repair> of(List<Diag> errors, String source, Origin origin) {
        if (errors.size() != 1
                || !errors.getFirst().getCode().equals(REFUSED)
                || !errors.getFirst().getMessage(java.util.Locale.ROOT).contains("was public")) {
            return Optional.empty();
        }
        var at = (int) errors.getFirst().getPosition();
        var inCell = origin.offset() + at;
        return at < 0 || at > source.length() || inCell > origin.code().length()
                ? Optional.empty()
                : Optional.of(
                        new Repair(
                                insert(source, at),
                                new Origin(
                                        origin.cell(),
                                        insert(origin.code(), inCell),
                                        origin.offset())));
    }

    private static String insert(String text, int at) {
        return text.substring(0, at) + MISSING + text.substring(at);
    }
}
