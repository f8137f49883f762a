package org.meshbook.kernel.cell;

import jdk.jshell.Diag;

import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellOutcome.Failed;
import org.meshbook.kernel.jshell.Origin;
import org.meshbook.kernel.jshell.Shell;
import org.meshbook.kernel.spi.MagicException;
import org.meshbook.kernel.spi.PartFailed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Words failures for a person: the cell's line and what is wrong with it, nothing of ours.
final class Traces {
    private static final int MOST_FRAMES = 20;
    private static final int MOST_CAUSES = 8;
    private static final int MOST_ERRORS = 10;
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    /// A cast between two classes of one name.
    private static final Pattern OLD_OBJECT =
            Pattern.compile(
                    "REPL\\.\\$JShell\\$\\d+[A-Z]*\\$(\\S+) cannot be cast to class"
                            + " REPL\\.\\$JShell\\$\\d+[A-Z]*\\$\\1 ");

    private final Shell shell;

    Traces(Shell shell) {
        this.shell = shell;
    }

    static Failed line(String name, String message) {
        return new Failed(name, message, List.of(headline(name, message)));
    }

    private static String headline(String name, String message) {
        return RED + name + PLAIN + (message.isEmpty() ? "" : ": " + message);
    }

    /// @param origin where the refused snippet stands
    Failed compileErrors(List<Diag> errors, Origin origin) {
        var lines = new ArrayList<String>();
        var first = "it does not compile";
        for (var error : errors.subList(0, Math.min(MOST_ERRORS, errors.size()))) {
            var message = message(error);
            var position = origin.at((int) Math.max(0, error.getPosition()));
            var where =
                    "cell %d:%d:%d".formatted(position.cell(), position.line(), position.column());
            if (lines.isEmpty()) {
                first = "%s (%s)".formatted(message, where);
            }
            var length = (int) (error.getEndPosition() - error.getPosition());
            lines.add(headline("CompileError", message));
            lines.add("    at " + where);
            lines.add("    " + position.text());
            lines.add("    " + position.caret(length));
            if (position.text().matches("\\s*%%?[a-zA-Z].*")) {
                lines.add(
                        "a magic stands only after a finished statement; is a ';' missing above?");
            }
        }
        if (errors.size() > MOST_ERRORS) {
            lines.add("... %d more errors".formatted(errors.size() - MOST_ERRORS));
        }
        hints(errors).forEach(lines::add);
        return new Failed("CompileError", first, lines);
    }

    /// Declarations that wait for others, if an error is about one of them.
    private Stream<String> hints(List<Diag> errors) {
        var text = errors.stream().map(Traces::message).collect(Collectors.joining("\n"));
        return shell.waiting().entrySet().stream()
                .filter(e -> text.matches("(?s).*\\b" + Pattern.quote(e.getKey()) + "\\b.*"))
                .map(Map.Entry::getValue)
                .distinct();
    }

    /// javac's lines `symbol:` belong to the sentence; `location:` names JShell's own classes.
    private static String message(Diag error) {
        var text = new StringBuilder();
        for (var line : error.getMessage(Locale.ROOT).split("\n")) {
            var part = line.strip().replaceAll("\\s+", " ");
            if (part.startsWith("location: class REPL") || part.equals("location: class")) {
                continue;
            }
            text.append(text.isEmpty() ? "" : part.startsWith("symbol:") ? "; " : " ").append(part);
        }
        return text.toString();
    }

    /// @param thrown what a cell's Java threw
    Failed thrown(Throwable thrown) {
        return switch (thrown) {
            case CellFailure failure -> failure.failed();
            case PartFailed part -> part(part);
            case MagicException e -> line(e.getClass().getSimpleName(), text(e));
            case Shell.Unresolved e -> line("Undeclared", text(e));
            default -> {
                var lines = new ArrayList<String>();
                chain(thrown, lines, Collections.newSetFromMap(new IdentityHashMap<>()));
                yield new Failed(name(thrown), text(thrown), lines);
            }
        };
    }

    private Failed part(PartFailed part) {
        var inner = thrown(part.failure());
        var message = inner.message().isEmpty() ? text(part) : text(part) + ": " + inner.message();
        var lines = new ArrayList<>(inner.trace());
        lines.add("    " + text(part));
        return new Failed(inner.name(), message, lines);
    }

    private void chain(Throwable first, List<String> lines, Set<Throwable> seen) {
        var lead = "";
        @Nullable Throwable next = first;
        while (next != null && seen.add(next) && seen.size() <= MOST_CAUSES) {
            lines.add(lead + headline(name(next), text(next)));
            frames(next, lines);
            lead = "Caused by: ";
            next = next.getCause();
        }
    }

    private void frames(Throwable thrown, List<String> lines) {
        var shown = 0;
        var left = 0;
        for (var frame : thrown.getStackTrace()) {
            var place = shown < MOST_FRAMES ? shell.place(frame) : null;
            if (place == null) {
                left += shown >= MOST_FRAMES ? 1 : 0;
                continue;
            }
            lines.add("    at " + frame(frame, place, shown == 0));
            shown++;
        }
        if (left > 0) {
            lines.add("    ... %d more frames".formatted(left));
        }
    }

    private String frame(StackTraceElement frame, Shell.Place place, boolean withText) {
        var method = method(frame);
        var origin = place.origin();
        if (origin == null) {
            return method.isEmpty() ? "start-up code" : method;
        }
        var position = origin.at(place.offset());
        var where = "cell %d:%d".formatted(position.cell(), position.line());
        var line = withText ? "   | " + position.text().strip() : "";
        return (method.isEmpty() ? where : "%s (%s)".formatted(method, where)) + line;
    }

    /// `REPL.$JShell$5$Car.go` is `Car.go`; the wrapper's own methods have no class.
    private static String method(StackTraceElement frame) {
        var type = frame.getClassName().replaceFirst("^REPL\\.\\$JShell\\$\\d+[A-Z]*\\$?", "");
        var name = frame.getMethodName();
        if (name.startsWith("do_it$")) {
            return "";
        }
        if (name.startsWith("lambda$")) {
            name = "lambda";
        }
        return type.isEmpty() ? name : type.replace('$', '.') + "." + name;
    }

    private static String name(Throwable thrown) {
        var name = thrown.getClass().getSimpleName();
        return name.isEmpty() ? thrown.getClass().getName() : name;
    }

    private static String text(Throwable thrown) {
        try {
            var message = thrown.getLocalizedMessage();
            if (message == null) {
                return "";
            }
            var old = OLD_OBJECT.matcher(message);
            return thrown instanceof ClassCastException && old.find()
                    ? "this %s was made before its class changed its shape; make it anew"
                            .formatted(old.group(1))
                    : message.replaceAll("REPL\\.\\$JShell\\$\\d+[A-Z]*[$.]", "");
        } catch (Exception | StackOverflowError | LinkageError e) {
            return "its message cannot be read: " + e.getClass().getSimpleName();
        }
    }
}
