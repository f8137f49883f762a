package org.meshbook.kernel.install;

import java.util.Locale;
import java.util.regex.Pattern;

/// What front ends start a kernel by; also the name of its folder.
///
/// Jupyter compares names in lower case, so that one that is not would hide another.
///
/// @param text letters, digits, '.', '_' and '-'; begins with a letter or digit
public record KernelName(String text) {
    private static final Pattern SHAPE = Pattern.compile("[a-z0-9][a-z0-9._-]{0,99}");

    /// What Windows takes for devices, whatever their ending.
    private static final Pattern DEVICE =
            Pattern.compile("(con|prn|aux|nul|com[0-9]|lpt[0-9])(\\..*)?");

    public KernelName {
        text = text.toLowerCase(Locale.ROOT);
        if (!SHAPE.matcher(text).matches()
                || DEVICE.matcher(text).matches()
                || text.endsWith(".")) {
            throw new NotInstalled(
                    "'%s' cannot be a kernel's name; use up to 100 letters, digits, '.', '_' and '-', beginning with a letter or digit, as meshbook-large"
                            .formatted(shown(text)));
        }
    }

    /// A name may hold anything, line ends too; the message stays one line.
    private static String shown(String text) {
        var line = text.replaceAll("\\p{Cntrl}", "?");
        return line.length() <= 60 ? line : line.substring(0, 60) + "…";
    }

    @Override
    public String toString() {
        return text;
    }
}
