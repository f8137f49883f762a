package org.meshbook.kernel.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.display.TypeNames;
import org.meshbook.kernel.display.Unwinding;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.MagicException;

/// What a cell's code threw, with its causes and what was suppressed.
///
/// The user's own `getMessage` is called; it may do anything at all.
public final class Traces {
    private static final int MOST_CAUSES = 10_000;
    private static final int FIRST_CAUSES = 8;
    private static final int LAST_CAUSES = 4;
    private static final int MOST_IN_A_LINE = 1_000;
    private static final int MOST_SUPPRESSED = 4;
    private static final int MOST_CHARACTERS = 8_000;
    private static final int MOST_LINES = 60;

    /// A cast between two classes of one name.
    private static final Pattern OLD_OBJECT =
            Pattern.compile(
                    "REPL\\.\\$JShell\\$\\d+[A-Z]*\\$(\\S+) cannot be cast to class"
                            + " REPL\\.\\$JShell\\$\\d+[A-Z]*\\$\\1 ");

    private final Frames frames;
    private final Ink ink;
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    /// The frames that were told last; a cause from the same place needs no second look.
    private List<String> above = List.of();

    /// @param shell knows where the classes of cells came from
    /// @param ink colours
    public Traces(Shell shell, Ink ink) {
        frames = new Frames(shell);
        this.ink = ink;
    }

    /// @param thrown anything
    /// @return it in words
    public Told tell(Throwable thrown) {
        return switch (thrown) {
            case MagicException e ->
                    ink.line(
                            e.getClass() == MagicException.class ? "UsageError" : name(e), text(e));
            case Shell.Unresolved e -> ink.line("Undeclared", text(e));
            default -> {
                var first = unwrapped(thrown);
                var lines = new ArrayList<String>();
                chain(first, lines, "");
                RuntimeHints.of(first).ifPresent(hint -> lines.add("hint: " + hint));
                yield new Told(name(first), firstLine(text(first)), lines);
            }
        };
    }

    /// What a static initialiser threw comes in a wrapper that says nothing.
    private static Throwable unwrapped(Throwable thrown) {
        var cause = thrown instanceof ExceptionInInitializerError ? thrown.getCause() : null;
        return cause == null ? thrown : cause;
    }

    private static String firstLine(String text) {
        var line = text.lines().filter(each -> !each.isBlank()).findFirst().orElse("").strip();
        return line.codePointCount(0, line.length()) <= MOST_IN_A_LINE
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MOST_IN_A_LINE)) + "...";
    }

    private void chain(Throwable first, List<String> lines, String indent) {
        var causes = causes(first);
        var hidden = causes.size() - FIRST_CAUSES - LAST_CAUSES;
        for (var i = 0; i < causes.size(); i++) {
            if (hidden > 1 && i == FIRST_CAUSES) {
                lines.add(indent + "... %,d more causes".formatted(hidden));
                i += hidden;
            }
            one(causes.get(i), lines, indent, i == 0 ? "" : "Caused by: ");
        }
    }

    /// The failure and its causes, the root last. Ends where it would begin anew.
    private List<Throwable> causes(Throwable first) {
        var causes = new ArrayList<Throwable>();
        @Nullable Throwable next = first;
        while (next != null && causes.size() < MOST_CAUSES && seen.add(next)) {
            causes.add(next);
            next = cause(next);
        }
        return causes;
    }

    private void one(Throwable thrown, List<String> lines, String indent, String lead) {
        var text = shortened(text(thrown)).split("\n", -1);
        lines.add(indent + lead + ink.headline(name(thrown), text[0]));
        for (var i = 1; i < text.length; i++) {
            lines.add(indent + text[i]);
        }
        var told = frames.tell(stack(thrown));
        if (!told.equals(above)) {
            told.forEach(line -> lines.add(indent + line));
        }
        above = told;
        suppressed(thrown, lines, indent + "    ");
    }

    private void suppressed(Throwable thrown, List<String> lines, String indent) {
        var all = thrown.getSuppressed();
        for (var i = 0; i < Math.min(MOST_SUPPRESSED, all.length); i++) {
            if (!seen.contains(all[i])) {
                lines.add(indent + "Suppressed:");
                chain(all[i], lines, indent);
            }
        }
        if (all.length > MOST_SUPPRESSED) {
            lines.add(indent + "... %d more suppressed".formatted(all.length - MOST_SUPPRESSED));
        }
    }

    private static @Nullable Throwable cause(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable e) {
            // The user's own code: anything may come.
            return null;
        }
    }

    private static StackTraceElement[] stack(Throwable thrown) {
        try {
            return thrown.getStackTrace();
        } catch (Throwable e) {
            // As above.
            return new StackTraceElement[0];
        }
    }

    private static String name(Throwable thrown) {
        return TypeNames.simple(thrown.getClass());
    }

    private static String text(Throwable thrown) {
        try {
            return Optional.ofNullable(thrown.getLocalizedMessage())
                    .map(message -> readable(thrown, message))
                    .orElse("");
        } catch (Throwable e) {
            // As above.
            return e instanceof Unwinding
                    ? "its message did not end in time"
                    : "its message cannot be read: " + e.getClass().getSimpleName();
        }
    }

    private static String readable(Throwable thrown, String message) {
        if (!(thrown instanceof ClassCastException)) {
            return TypeNames.clean(message).stripTrailing();
        }
        var old = OLD_OBJECT.matcher(message);
        return old.find()
                ? "this %s was made before its class changed its shape; make it anew"
                        .formatted(old.group(1))
                : TypeNames.clean(message).replaceFirst(" \\(\\S+ (?:and|is) .* loader .*\\)$", "");
    }

    private static String shortened(String text) {
        var cut = text;
        if (text.length() > MOST_CHARACTERS) {
            var end = MOST_CHARACTERS;
            end -= Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
            cut =
                    "%s... %,d more characters"
                            .formatted(text.substring(0, end), text.length() - end);
        }
        var lines = cut.split("\r?\n", -1);
        return lines.length <= MOST_LINES
                ? String.join("\n", lines)
                : String.join("\n", List.of(lines).subList(0, MOST_LINES))
                        + "\n... %,d more lines".formatted(lines.length - MOST_LINES);
    }
}
