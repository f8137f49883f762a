package org.meshbook.kernel.jshell;

import java.util.regex.Pattern;

/// A documentation comment as plain text.
final class Javadoc {
    private static final Pattern INLINE =
            Pattern.compile(
                    "\\{@(?:code|literal|link|linkplain|value|systemProperty|summary)\\s+([^{}]*)\\}");
    private static final Pattern BLOCK =
            Pattern.compile("</?(?:p|ul|ol|pre|blockquote|h\\d|table|tr)\\b[^>]*>");
    private static final Pattern TAG = Pattern.compile("</?[a-zA-Z][^>]*>");

    private Javadoc() {}

    static String plain(String comment) {
        var text = comment;
        String before;
        do {
            before = text;
            text = INLINE.matcher(text).replaceAll("$1");
        } while (!text.equals(before));
        text = text.replaceAll("(?m)^[ \\t]+", "");
        text = BLOCK.matcher(text).replaceAll("\n");
        text = text.replaceAll("<li\\b[^>]*>", "- ");
        text = TAG.matcher(text).replaceAll("");
        text =
                text.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&nbsp;", " ")
                        .replace("&amp;", "&");
        return text.replaceAll("\\n{3,}", "\n\n").strip();
    }
}
