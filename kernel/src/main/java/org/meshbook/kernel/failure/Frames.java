package org.meshbook.kernel.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.meshbook.kernel.display.TypeNames;
import org.meshbook.kernel.jshell.Shell;

/// A stack trace as its user wrote it: frames of cells with their lines, frames of libraries folded
/// into one line, frames of ours left out, and what recurs capped.
public final class Frames {
    private static final int MOST = 20;
    private static final int FIRST = 12;
    private static final int LAST = 4;
    private static final int WIDEST_TEXT = 100;
    private static final String STATEMENT = "do_it$";
    private static final String CELL = "REPL.$JShell$";

    /// How code comes to run, here or on any thread; nobody wrote that.
    private static final Pattern OURS =
            Pattern.compile(
                    "org\\.meshbook\\.kernel\\..*|jdk\\.jshell\\..*|jdk\\.internal\\.(?:reflect|vm)\\..*"
                            + "|java\\.lang\\.(?:reflect|invoke)\\..*|java\\.lang\\.(?:Virtual)?Thread\\b.*"
                            + "|java\\.util\\.concurrent\\.FutureTask");

    private final Shell shell;

    Frames(Shell shell) {
        this.shell = shell;
    }

    /// A frame as `Throwable` prints it: `java.base/java.lang.Thread.run(Thread.java:1474)`.
    private static final Pattern PRINTED =
            Pattern.compile(
                    "(?:[^/]*/[^/]*/|[^/]*/)?([\\w.$]+)\\.([\\w$<>]+)\\((?:[^:]*:(\\d+)|.*)\\)");

    /// Rewrites one line of a stack trace that the user's code prints.
    ///
    /// @param shell knows where the classes of cells came from
    /// @param printed the line, without its lead
    /// @return how to print it; empty if it says nothing to the user
    public static Optional<String> printed(Shell shell, String printed) {
        var frame = PRINTED.matcher(printed);
        if (!frame.matches()) {
            return Optional.of(printed);
        }
        if (OURS.matcher(frame.group(1)).matches()) {
            return Optional.empty();
        }
        if (!frame.group(1).startsWith(CELL)) {
            return Optional.of(printed);
        }
        var line = frame.group(3) == null ? -1 : Integer.parseInt(frame.group(3));
        return Optional.of(
                new Frames(shell)
                        .user(new StackTraceElement(frame.group(1), frame.group(2), null, line)));
    }

    /// @param shell knows where the classes of cells came from
    /// @param trace from the innermost frame out
    /// @return where that is, in a few words: the line of a cell, and what of a library it is in
    public static String top(Shell shell, StackTraceElement[] trace) {
        var parts = parts(trace);
        var frames = new Frames(shell);
        var library =
                trace.length > 0 && !trace[0].getClassName().startsWith(CELL)
                        ? library(trace[0])
                        : "";
        for (var part : parts) {
            if (part instanceof Part.User(var frame)) {
                return (library.isEmpty() ? "" : library + ", called by ") + frames.user(frame);
            }
        }
        return library;
    }

    /// A run of frames that becomes one line.
    private sealed interface Part {
        record User(StackTraceElement frame) implements Part {}

        /// @param frames from the innermost out
        record Library(List<StackTraceElement> frames) implements Part {}
    }

    /// @param trace from the innermost frame out
    /// @return lines; none if nothing in it is of interest
    List<String> tell(StackTraceElement[] trace) {
        var parts = parts(trace);
        var lines = new ArrayList<String>();
        var inner = parts.size() <= MOST ? parts.size() : FIRST;
        parts.subList(0, inner)
                .forEach(part -> lines.add(line(part, lines.isEmpty(), parts.size() == 1)));
        if (parts.size() > MOST) {
            lines.add("    ... %,d more frames".formatted(parts.size() - FIRST - LAST));
            parts.subList(parts.size() - LAST, parts.size())
                    .forEach(part -> lines.add(line(part, false, false)));
        }
        return lines;
    }

    private static List<Part> parts(StackTraceElement[] trace) {
        var parts = new ArrayList<Part>();
        for (var frame : trace) {
            var type = frame.getClassName();
            if (type.startsWith(CELL)) {
                if (!isEcho(frame, parts)) {
                    parts.add(new Part.User(frame));
                }
            } else if (!OURS.matcher(type).matches()) {
                if (parts.isEmpty() || parts.getLast() instanceof Part.User) {
                    parts.add(new Part.Library(new ArrayList<>()));
                }
                ((Part.Library) parts.getLast()).frames().add(frame);
            }
        }
        var users = parts.stream().filter(Part.User.class::isInstance).count();
        while (users > 0 && parts.getLast() instanceof Part.Library) {
            parts.removeLast();
        }
        return parts;
    }

    /// JShell runs what a variable is set to in a method that another one calls.
    private static boolean isEcho(StackTraceElement frame, List<Part> parts) {
        return !parts.isEmpty()
                && parts.getLast() instanceof Part.User(var before)
                && before.getClassName().equals(frame.getClassName())
                && before.getMethodName().startsWith(STATEMENT)
                && frame.getMethodName().startsWith(STATEMENT);
    }

    private String line(Part part, boolean innermost, boolean alone) {
        return switch (part) {
            case Part.User(var frame) -> "    at " + user(frame);
            case Part.Library(var frames) when alone -> "    in " + place(frames.getFirst());
            case Part.Library(var frames) when innermost -> innermost(frames);
            case Part.Library(var frames) ->
                    "    ... %,d library frame%s"
                            .formatted(frames.size(), frames.size() == 1 ? "" : "s");
        };
    }

    /// Names what the user called; and of a library that is not the JDK, where it was.
    private static String innermost(List<StackTraceElement> frames) {
        var called = library(frames.getLast());
        var foreign = frames.stream().filter(frame -> !isJdk(frame)).findFirst();
        return "    in "
                + foreign.filter(frame -> frame != frames.getLast())
                        .map(frame -> place(frame) + ", called by ")
                        .orElse("")
                + called;
    }

    private static String place(StackTraceElement frame) {
        return isJdk(frame) || frame.getFileName() == null
                ? library(frame)
                : "%s (%s:%d)"
                        .formatted(library(frame), frame.getFileName(), frame.getLineNumber());
    }

    private static String library(StackTraceElement frame) {
        var type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1).replace('$', '.')
                + "."
                + frame.getMethodName().replaceFirst("^lambda\\$.*", "lambda");
    }

    private static boolean isJdk(StackTraceElement frame) {
        var module = frame.getModuleName();
        return module != null && module.matches("(java|jdk)\\..*");
    }

    private String user(StackTraceElement frame) {
        var method = method(frame);
        var place = shell.place(frame);
        if (place == null || place.origin() == null) {
            return method.isEmpty() ? "start-up code" : method;
        }
        var excerpt = Excerpt.of(place.origin(), place.offset(), 1);
        var where = "cell %d:%d".formatted(excerpt.cell(), excerpt.line());
        var text = excerpt.text().strip();
        return (method.isEmpty() ? where : "%s (%s)".formatted(method, where))
                + (text.isEmpty() ? "" : "   \u2192 " + shortened(text));
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= WIDEST_TEXT
                ? text
                : text.substring(0, text.offsetByCodePoints(0, WIDEST_TEXT)) + " ...";
    }

    /// `REPL.$JShell$5$Car.go` is `Car.go`; the wrapper's own methods have no class.
    private static String method(StackTraceElement frame) {
        var type = TypeNames.clean(frame.getClassName()).replace('$', '.');
        var name = frame.getMethodName();
        if (name.startsWith(STATEMENT)) {
            return "";
        }
        var shown =
                switch (name) {
                    case String s when s.startsWith("lambda$") -> "lambda";
                    case "<init>" -> type.isEmpty() ? "" : "new " + last(type);
                    case "<clinit>" -> "static initialiser";
                    default -> name;
                };
        return type.isEmpty() || shown.startsWith("new ") ? shown : type + "." + shown;
    }

    private static String last(String type) {
        return type.substring(type.lastIndexOf('.') + 1);
    }
}
