package org.meshbook.kernel.failure;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import jdk.jshell.Diag;
import org.meshbook.kernel.display.TypeNames;
import org.meshbook.kernel.jshell.Origin;
import org.meshbook.kernel.jshell.Shell;

/// Why a snippet does not compile.
public final class CompileErrors {
    private static final int MOST_ERRORS = 10;
    private static final int MOST_DETAILS = 6;
    private static final String NAME = "CompileError";

    /// `java.lang.String` in javac's own sentences, but not in `package java.util`.
    private static final Pattern QUALIFIED =
            Pattern.compile("\\bjava\\.(?:[a-z]\\w*\\.)+(?=[A-Z])");

    private final Shell shell;
    private final Ink ink;

    /// @param shell which refused the snippet
    /// @param ink colours
    public CompileErrors(Shell shell, Ink ink) {
        this.shell = shell;
        this.ink = ink;
    }

    /// @param errors why it was refused
    /// @param source the refused snippet
    /// @param origin where it stands
    /// @return the failure in words
    public Told tell(List<Diag> errors, String source, Origin origin) {
        var real = withoutEchoes(errors, source);
        var lines = new ArrayList<String>();
        var hints = new LinkedHashSet<String>();
        var message = "it does not compile";
        for (var error : real.subList(0, Math.min(MOST_ERRORS, real.size()))) {
            var sentences = sentences(error);
            var excerpt = excerpt(error, source, origin);
            if (lines.isEmpty()) {
                message = "%s (%s)".formatted(sentences.getFirst(), excerpt.where());
            }
            lines.add(ink.headline(NAME, sentences.getFirst()));
            details(sentences, lines);
            lines.addAll(excerpt.lines());
            hints.addAll(new Hints(shell, source).of(error));
        }
        if (real.size() > MOST_ERRORS) {
            lines.add("... %d more errors".formatted(real.size() - MOST_ERRORS));
        }
        hints.addAll(waiting(real));
        hints.forEach(hint -> lines.add("hint: " + hint));
        return new Told(NAME, message, lines);
    }

    /// JShell wraps a statement in a method; what javac then says of that method is no news.
    private static List<Diag> withoutEchoes(List<Diag> errors, String source) {
        var real =
                errors.stream()
                        .filter(
                                e ->
                                        !e.getCode().equals("compiler.err.missing.ret.stmt")
                                                || e.getPosition()
                                                        < source.stripTrailing().length())
                        .toList();
        return real.isEmpty() ? errors : real;
    }

    private static Excerpt excerpt(Diag error, String source, Origin origin) {
        var at = (int) Math.max(0, error.getPosition());
        var length = (int) (error.getEndPosition() - at);
        // Of `a.b()` javac marks the dot; people look for the name.
        var dot = at < source.length() && source.charAt(at) == '.' ? 1 : 0;
        return Excerpt.of(origin, at + dot, length - dot);
    }

    private static void details(List<String> sentences, List<String> lines) {
        var details = sentences.subList(1, sentences.size());
        details.stream().limit(MOST_DETAILS).forEach(line -> lines.add("      " + line));
        if (details.size() > MOST_DETAILS) {
            lines.add("      ... %d more".formatted(details.size() - MOST_DETAILS));
        }
    }

    /// Declarations that wait for others, if an error is about one of them.
    private Set<String> waiting(List<Diag> errors) {
        var found = new LinkedHashSet<String>();
        for (var each : shell.waiting().entrySet()) {
            var name = Pattern.compile("\\b" + Pattern.quote(each.getKey()) + "\\b");
            if (errors.stream().anyMatch(e -> name.matcher(e.getMessage(Locale.ROOT)).find())) {
                found.add(each.getValue());
            }
        }
        return found;
    }

    /// javac's message: the sentence first, then its alternatives, one each. Its lines `symbol:`
    /// belong to the sentence; `location:` only where it names something of the user's.
    static List<String> sentences(Diag error) {
        var first = new StringBuilder();
        var details = new ArrayList<String>();
        for (var line : error.getMessage(Locale.ROOT).split("\n")) {
            var part = readable(line.strip().replaceAll("\\s+", " "));
            if (part.isEmpty() || part.equals("location: class")) {
                continue;
            }
            if (first.isEmpty()) {
                first.append(part);
            } else if (part.matches("(symbol|required|found|reason): .*")) {
                first.append("; ").append(part);
            } else if (part.startsWith("location: ")) {
                first.append(" in ").append(part.substring("location: ".length()));
            } else if (part.matches("(method|constructor) .*")) {
                details.add(part);
            } else if (details.isEmpty()) {
                first.append(part.startsWith("(") ? " " : ": ").append(part);
            } else {
                details.set(details.size() - 1, details.getLast() + " " + part);
            }
        }
        details.addFirst(first.toString());
        return details;
    }

    private static String readable(String line) {
        if (line.startsWith("location: class REPL")
                || line.startsWith("location: interface REPL")) {
            return "";
        }
        if (line.startsWith("JShell method names must not match Object methods")) {
            return "a method that stands alone cannot have the name of a method of Object; put it"
                    + " into a class";
        }
        return TypeNames.clean(QUALIFIED.matcher(line).replaceAll(""));
    }
}
