package org.meshbook.kernel.console.line;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;

/// What may follow the cursor, each with its type or what it does, as long as finding that out
/// takes no time that a person would notice.
final class Completions implements Completer {
    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final int LONGEST = 60;
    private static final Pattern PACKAGE = Pattern.compile("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])");

    private final CellEngine engine;

    Completions(CellEngine engine) {
        this.engine = engine;
    }

    @Override
    public void complete(LineReader reader, ParsedLine parsed, List<Candidate> candidates) {
        if (!(parsed instanceof Typed.Words typed)) {
            return;
        }
        var before = typed.line().substring(0, typed.start());
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        for (var match : typed.matches()) {
            var about = System.nanoTime() < deadline ? about(before, match).orElse(null) : null;
            candidates.add(candidate(match, about, candidates.size()));
        }
    }

    /// Nothing is put behind a match: what follows is the person's.
    private static Candidate candidate(String match, @Nullable String about, int rank) {
        return new Candidate(match, match, null, about, null, null, false, rank);
    }

    /// The first line that is known of what ends the code.
    private Optional<String> about(String before, String match) {
        var code = before + match;
        return Optional.ofNullable(engine.inspect(code, code.length(), 0))
                .map(data -> String.valueOf(data.bundle().get("text/plain")))
                .flatMap(text -> text.lines().filter(line -> !line.isBlank()).findFirst())
                .map(line -> brief(line.strip(), match))
                .map(l -> l.length() <= LONGEST ? l : l.substring(0, LONGEST - 1) + "…");
    }

    /// What is not said already by the match: a magic's name goes, and so do packages and the class
    /// that a member belongs to.
    ///
    /// @param line as `java.lang.String String.substring(int begin)`, or `%time: Runs ..`
    /// @param match what it is about
    /// @return as `String substring(int begin)`, or `Runs ..`
    static String brief(String line, String match) {
        var name = match.replaceFirst("\\W+$", "");
        if (line.startsWith("%")) {
            return line.replaceFirst("^%+" + Pattern.quote(name) + ":\\s*", "");
        }
        var text = PACKAGE.matcher(line).replaceAll("");
        var member = Pattern.compile("(?<=[.\\s>])" + Pattern.quote(name) + "\\b").matcher(text);
        if (!member.find()) {
            return text;
        }
        var type = text.substring(0, firstGap(text, member.start()));
        return (type + " " + text.substring(member.start())).strip();
    }

    /// The end of the type at the start of a signature: blanks within its brackets are its own.
    private static int firstGap(String text, int end) {
        var depth = 0;
        for (var at = 0; at < end; at++) {
            var c = text.charAt(at);
            depth += c == '<' ? 1 : c == '>' ? -1 : 0;
            if (c == ' ' && depth == 0) {
                return at;
            }
        }
        return 0;
    }
}
