package org.meshbook.kernel.cell;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.meshbook.kernel.display.CurrentScope;

/// A log record on one line, with its failure below: `16:54:22 INFO demo: hello`.
final class LogLine extends Formatter {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    @Override
    public String format(LogRecord record) {
        var text = new StringBuilder();
        text.append(TIME.format(record.getInstant().atZone(ZoneId.systemDefault())));
        text.append(' ').append(record.getLevel().getName());
        var name = record.getLoggerName();
        text.append(name == null || name.isEmpty() ? "" : " " + name);
        text.append(": ").append(formatMessage(record)).append('\n');
        var thrown = record.getThrown();
        if (thrown != null && CurrentScope.find() instanceof RunningCell cell) {
            cell.failure(thrown)
                    .trace()
                    .forEach(line -> text.append("    ").append(line).append('\n'));
        } else if (thrown != null) {
            text.append("    ").append(thrown).append('\n');
        }
        return text.toString();
    }
}
