package org.meshbook.kernel.jshell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// How the methods among the matches are called. Asks JShell once a method, which takes some
/// milliseconds, and so only for a few.
final class Signatures {
    private static final int MOST = 8;
    private static final Duration LIMIT = Duration.ofMillis(60);
    private static final Pattern PARAMETERS = Pattern.compile("(?s)^(.*?)\\b\\w+(\\(.*\\)).*$");

    private final Shell shell;

    Signatures(Shell shell) {
        this.shell = shell;
    }

    /// @param matches all
    /// @param cell where they would stand
    /// @param word what they would replace
    /// @return the same, with signatures if there are few
    List<Match> added(List<Match> matches, CellText cell, String word) {
        if (matches.size() > MOST) {
            return matches;
        }
        var head = cell.whole().substring(0, cell.whole().length() - word.length());
        var end = System.nanoTime() + LIMIT.toNanos();
        var added = new ArrayList<Match>();
        for (var match : matches) {
            var call = match.text().replaceFirst("\\(.*", "");
            added.add(
                    match.kind() != Match.Kind.FUNCTION || System.nanoTime() > end
                            ? match
                            : new Match(match.text(), match.kind(), signature(head + call + "(")));
        }
        return added;
    }

    private String signature(String code) {
        return shell.ask(a -> a.documentation(code, code.length(), false)).stream()
                .map(found -> shape(found.signature()))
                .flatMap(Optional::stream)
                .collect(Collectors.joining("\n"));
    }

    /// `String String.strip()` becomes `() -> String`.
    private static Optional<String> shape(String signature) {
        var parts = PARAMETERS.matcher(signature);
        if (!parts.matches()) {
            return Optional.empty();
        }
        var result = parts.group(1).strip().replaceFirst("\\s*\\S*\\.$", "");
        return Optional.of(parts.group(2) + (result.isEmpty() ? "" : " -> " + result));
    }
}
