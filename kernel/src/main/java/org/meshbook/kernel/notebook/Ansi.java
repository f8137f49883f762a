package org.meshbook.kernel.notebook;

import java.util.regex.Pattern;

/// Colours of a terminal.
final class Ansi {
    private static final Pattern SEQUENCE = Pattern.compile("\u001b\\[[0-9;?]*[A-Za-z]");

    private Ansi() {}

    static String strip(String text) {
        return text.indexOf('\u001b') < 0 ? text : SEQUENCE.matcher(text).replaceAll("");
    }
}
