package org.meshbook.kernel.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.meshbook.kernel.protocol.Reply;
import org.meshbook.kernel.protocol.Request;

/// Cells that were run in this session, oldest first. Owned by the shell's thread.
final class History {
    private static final int SESSION = 1;

    private final List<Reply.Line> lines = new ArrayList<>();

    void add(int number, String source) {
        lines.add(new Reply.Line(SESSION, number, source, Optional.empty()));
    }

    /// Adds the result of the cell that was added last.
    void result(String text) {
        var line = lines.removeLast();
        lines.add(new Reply.Line(SESSION, line.number(), line.source(), Optional.of(text)));
    }

    List<Reply.Line> find(Request.Query query) {
        return switch (query) {
            case Request.Query.Tail(var count) -> last(lines, count);
            case Request.Query.Range(var session, var start, var stop) ->
                    session == 0 || session == SESSION
                            ? lines.stream()
                                    .filter(line -> line.number() >= start)
                                    .filter(line -> line.number() < stop.orElse(Integer.MAX_VALUE))
                                    .toList()
                            : List.of();
            case Request.Query.Search(var pattern, var count, var unique) -> {
                var glob = glob(pattern);
                var found =
                        lines.stream()
                                .filter(line -> glob.matcher(line.source()).matches())
                                .toList();
                yield last(unique ? latestOfEach(found) : found, count.orElse(found.size()));
            }
        };
    }

    private static <T> List<T> last(List<T> all, int count) {
        return all.subList(Math.max(0, all.size() - Math.max(0, count)), all.size());
    }

    private static List<Reply.Line> latestOfEach(List<Reply.Line> found) {
        var latest = new LinkedHashMap<String, Reply.Line>();
        for (var line : found) {
            latest.remove(line.source());
            latest.put(line.source(), line);
        }
        return List.copyOf(latest.values());
    }

    /// `*` any text, `?` any character, `[..]` one of these; a bracket that is never closed is
    /// itself.
    private static Pattern glob(String glob) {
        var regex = new StringBuilder();
        for (var at = 0; at < glob.length(); at++) {
            var c = glob.charAt(at);
            var close = c == '[' ? glob.indexOf(']', at + 2) : -1;
            if (c == '*') {
                regex.append(".*");
            } else if (c == '?') {
                regex.append('.');
            } else if (close > 0) {
                var negated = glob.charAt(at + 1) == '!';
                regex.append(negated ? "[^" : "[");
                var members = glob.substring(at + (negated ? 2 : 1), close);
                regex.append(members.replaceAll("[\\\\\\[\\]^&]", "\\\\$0")).append(']');
                at = close;
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }
}
