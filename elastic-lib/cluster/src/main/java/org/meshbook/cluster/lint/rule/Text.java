package org.meshbook.cluster.lint.rule;

import java.util.List;
import org.meshbook.cluster.manifest.Place;

/// A document: prose with manifests, commands and output in it.
///
/// @param name the file's name
/// @param text all of it
public record Text(String name, String text) {
    /// @return its lines, without their ends
    public List<String> lines() {
        return text.lines().toList();
    }

    /// @return it as a text without objects, for findings
    public Source source() {
        return Source.plain(name, text);
    }

    /// @param from where something begins, in characters
    /// @param to where it ends
    /// @return the place of its first line
    public Place place(int from, int to) {
        int line = 1;
        int start = 0;
        for (int i = 0; i < from; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                start = i + 1;
            }
        }
        int end = text.indexOf('\n', from);
        int last = end < 0 ? to : Math.min(to, end);
        return new Place(
                line,
                text.codePointCount(start, from) + 1,
                text.codePointCount(from, Math.max(from, last)));
    }
}
