package org.meshbook.cluster.nodes.process;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/// One line of a log file, as container runtimes write them: time, stream, `F` for a whole line or
/// `P` for a piece of a long one, text.
///
/// @param time when it came, with nine digits of a second: such times sort as texts
/// @param whole whether the line ends here
/// @param text what was printed
public record LogLine(String time, boolean whole, String text) {
    private static final DateTimeFormatter FORM =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'")
                    .withZone(ZoneOffset.UTC);
    private static final String STREAM = " stdout ";
    private static final int PARTS = 4;

    /// @param at a time
    /// @return it, as lines have it
    public static String time(Instant at) {
        return FORM.format(at);
    }

    /// @param written a line of a file
    /// @return what it says
    public static LogLine parse(String written) {
        var parts = written.split(" ", PARTS);
        return parts.length == PARTS
                ? new LogLine(parts[0], !parts[2].equals("P"), parts[3])
                : new LogLine("", true, written);
    }

    /// @param time when
    /// @param whole whether the line ends here
    /// @return what stands before a line's text
    static String head(String time, boolean whole) {
        return time + STREAM + (whole ? "F " : "P ");
    }
}
