package org.meshbook.kernel.history;

import java.util.regex.Pattern;

/// Patterns of the protocol: `*` any text, `?` any character, `[..]` one of these, `[!..]` none of
/// these; a bracket that is never closed is itself.
final class Glob {
    private Glob() {}

    static Pattern compile(String glob) {
        var regex = new StringBuilder();
        for (var at = 0; at < glob.length(); at++) {
            var c = glob.charAt(at);
            var close = c == '[' ? glob.indexOf(']', at + 2) : -1;
            if (c == '*') {
                // Possessive in effect: `**` is one, so that stars cannot multiply.
                if (at == 0 || glob.charAt(at - 1) != '*') {
                    regex.append(".*");
                }
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
