package org.meshbook.magics.maven;

import java.util.ArrayList;
import java.util.List;

/// Words of a line; quotes keep blanks.
final class Words {
    private Words() {}

    static List<String> of(String line) {
        var words = new ArrayList<String>();
        var word = new StringBuilder();
        var quote = '\0';
        var begun = false;
        for (var c : line.toCharArray()) {
            if (quote != '\0' ? c == quote : c == '"' || c == '\'') {
                quote = quote == '\0' ? c : '\0';
                begun = true;
            } else if (Character.isWhitespace(c) && quote == '\0') {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
            } else {
                word.append(c);
                begun = true;
            }
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }

    /// @param line what stands after a magic's name
    /// @param body the lines below; empty ones and those that begin with `#` or `//` do not count
    /// @return the words of both
    static List<String> of(String line, String body) {
        var words = new ArrayList<>(of(line));
        body.lines()
                .map(String::strip)
                .filter(l -> !l.isEmpty() && !l.startsWith("#") && !l.startsWith("//"))
                .forEach(l -> words.addAll(of(l)));
        return words;
    }

    /// @return the word that ends at the cursor
    static String at(String arguments, int cursor) {
        var before = arguments.substring(0, Math.min(cursor, arguments.length()));
        int start = before.length();
        while (start > 0 && !Character.isWhitespace(before.charAt(start - 1))) {
            start--;
        }
        return before.substring(start);
    }

    /// @return how many words stand before the one at the cursor
    static int before(String arguments, int cursor) {
        var typed = arguments.substring(0, Math.min(cursor, arguments.length()));
        var word = at(arguments, cursor);
        return of(typed.substring(0, typed.length() - word.length())).size();
    }
}
