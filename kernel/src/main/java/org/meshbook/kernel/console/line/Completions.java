package org.meshbook.kernel.console.line;

import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;
import org.meshbook.kernel.cell.CellEngine;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What may follow the cursor, each with its type or what it does, as long as finding that out
/// takes no time that a person would notice.
final class Completions implements Completer {
    private static final Duration PATIENCE = Duration.ofMillis(150);
    private static final int LONGEST = 60;

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
            var about = System.nanoTime() < deadline ? about(before + match).orElse(null) : null;
            candidates.add(candidate(match, about, candidates.size()));
        }
    }

    /// Nothing is put behind a match: what follows is the person's.
    private static Candidate candidate(String match, @Nullable String about, int rank) {
        return new Candidate(match, match, null, about, null, null, false, rank);
    }

    /// The first line that is known of what ends the code.
    private Optional<String> about(String code) {
        return Optional.ofNullable(engine.inspect(code, code.length(), 0))
                .map(data -> String.valueOf(data.bundle().get("text/plain")))
                .flatMap(text -> text.lines().filter(line -> !line.isBlank()).findFirst())
                .map(String::strip)
                .map(l -> l.length() <= LONGEST ? l : l.substring(0, LONGEST - 1) + "…");
    }
}
