package org.meshbook.kernel.jshell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A documentation comment as HTML for a tooltip: its inline tags worked out, its block tags as a
/// list, and of its own HTML only what lays out text, without attributes.
final class JavadocHtml {
    private static final Pattern CODE = Pattern.compile("\\{@(?:code|literal)\\s+([^{}]*)\\}");
    private static final Pattern LINK =
            Pattern.compile("\\{@(?:link|linkplain)\\s+(\\S+?)(?:\\s+([^{}]*))?\\}");
    private static final Pattern OTHER =
            Pattern.compile("\\{@(?:value|systemProperty|summary|index)\\s+([^{}]*)\\}");
    private static final Pattern EMPTY = Pattern.compile("\\{@\\w+\\s*\\}");
    private static final Pattern TAG = Pattern.compile("<(/?)([a-zA-Z][a-zA-Z0-9]*)\\b[^>]*>");
    private static final Pattern BLOCK =
            Pattern.compile("(?m)^\\s*@(\\w+)[ \\t]*((?:.|\\n(?!\\s*@\\w))*)");
    private static final Set<String> LAYOUT =
            Set.of(
                    "p",
                    "ul",
                    "ol",
                    "li",
                    "pre",
                    "code",
                    "i",
                    "em",
                    "b",
                    "strong",
                    "br",
                    "table",
                    "tr",
                    "td",
                    "th",
                    "thead",
                    "tbody",
                    "blockquote",
                    "dl",
                    "dt",
                    "dd",
                    "sub",
                    "sup",
                    "tt",
                    "h3",
                    "h4");

    private JavadocHtml() {}

    /// @param signature a declaration's head
    /// @param comment its documentation comment, or nothing
    /// @return both
    static String of(String signature, String comment) {
        var head = "<pre><code>" + escaped(signature) + "</code></pre>";
        if (comment.isBlank()) {
            return head;
        }
        var blocks = new ArrayList<String>();
        var prose = BLOCK.matcher(comment).replaceAll(m -> block(m, blocks));
        return head
                + "<div>%s</div>".formatted(inline(prose.strip()))
                + (blocks.isEmpty() ? "" : "<dl>" + String.join("", blocks) + "</dl>");
    }

    private static String block(MatchResult tag, List<String> blocks) {
        var rest = tag.group(2).strip();
        var space = rest.indexOf(' ');
        var first = space < 0 ? rest : rest.substring(0, space);
        var more = space < 0 ? "" : rest.substring(space + 1);
        switch (tag.group(1)) {
            case "param" -> blocks.add(entry("<code>" + escaped(first) + "</code>", more));
            case "throws", "exception" ->
                    blocks.add(entry("throws <code>" + escaped(first) + "</code>", more));
            case "return" -> blocks.add(entry("returns", rest));
            case "since" -> blocks.add(entry("since", rest));
            case "deprecated" -> blocks.add(entry("deprecated", rest));
            case "apiNote", "implNote", "implSpec" -> blocks.add(entry("note", rest));
            default -> {} // for whoever reads the sources
        }
        return "";
    }

    private static String entry(String term, String text) {
        return "<dt>%s</dt><dd>%s</dd>".formatted(term, inline(text.strip()));
    }

    private static String inline(String comment) {
        var text = comment;
        String before;
        do { // tags lie in one another
            before = text;
            text = replaced(CODE, text, m -> "<code>" + escaped(m.group(1)) + "</code>");
            text = replaced(LINK, text, JavadocHtml::link);
            text = replaced(OTHER, text, m -> m.group(1));
        } while (!text.equals(before));
        text = EMPTY.matcher(text).replaceAll("");
        return replaced(TAG, text, JavadocHtml::layout);
    }

    private static String link(MatchResult link) {
        var label = link.group(2);
        var shown =
                label == null || label.isBlank()
                        ? link.group(1).replaceFirst("^#", "").replace('#', '.')
                        : label.strip();
        return "<code>" + escaped(shown) + "</code>";
    }

    private static String layout(MatchResult tag) {
        var name = tag.group(2).toLowerCase(java.util.Locale.ROOT);
        return LAYOUT.contains(name) ? "<" + tag.group(1) + name + ">" : "";
    }

    private interface Replacement {
        String of(MatchResult match);
    }

    private static String replaced(Pattern pattern, String text, Replacement by) {
        return pattern.matcher(text)
                .replaceAll(m -> java.util.regex.Matcher.quoteReplacement(by.of(m)));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
