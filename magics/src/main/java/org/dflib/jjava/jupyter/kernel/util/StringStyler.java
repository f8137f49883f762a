package org.dflib.jjava.jupyter.kernel.util;

import java.util.List;

/// Cuts text into lines.
public class StringStyler {
    public static List<String> splitLines(String text) {
        return List.of(text.split("\\R", -1));
    }
}
