package org.meshbook.kernel.cell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meshbook.kernel.display.CurrentScope;

class LogLineTest {
    private static final LogLine FORMAT = new LogLine();

    private static LogRecord logged(@Nullable String logger, @Nullable Throwable thrown) {
        var record = new LogRecord(Level.WARNING, "hello {0}");
        record.setParameters(new Object[] {"you"});
        var time = LocalDateTime.of(2026, 3, 1, 16, 5, 9).atZone(ZoneId.systemDefault());
        record.setInstant(time.toInstant());
        record.setLoggerName(logger);
        record.setThrown(thrown);
        return record;
    }

    @Test
    void aRecordIsOneLine() {
        assertThat(FORMAT.format(logged("demo", null)))
                .isEqualTo("16:05:09 WARNING demo: hello you\n");
    }

    @Test
    void aLoggerWithoutANameIsNotNamed() {
        assertThat(FORMAT.format(logged("", null))).isEqualTo("16:05:09 WARNING: hello you\n");
        assertThat(FORMAT.format(logged(null, null))).isEqualTo("16:05:09 WARNING: hello you\n");
    }

    @Test
    void aFailureOfNoCellIsNamed() {
        assertThat(FORMAT.format(logged("d", new IllegalStateException("x"))))
                .isEqualTo(
                        "16:05:09 WARNING d: hello you\n    java.lang.IllegalStateException: x\n");
    }

    @Test
    void aFailureOfACellShowsItsLines() {
        var cell = new BareHost().cell("", 1, new Recorded());
        var record = logged("d", new IllegalStateException("x"));
        assertThat(CurrentScope.within(cell, () -> FORMAT.format(record)))
                .isEqualTo(
                        "16:05:09 WARNING d: hello you\n"
                                + "    IllegalStateException: x\n"
                                + "    at cell 1\n");
    }
}
