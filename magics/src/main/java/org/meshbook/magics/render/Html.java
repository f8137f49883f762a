package org.meshbook.magics.render;

/// Text made safe to stand in HTML and SVG.
final class Html {
    private Html() {}

    static String escape(String text) {
        var safe = new StringBuilder();
        for (char c : text.toCharArray()) {
            switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                default -> safe.append(c);
            }
        }
        return safe.toString();
    }
}
