package org.dflib.jjava.jupyter.messages;

import java.time.Instant;
import java.util.Date;

/// A moment as messages carry it.
public class KernelTimestamp {
    private final String text;

    public KernelTimestamp(String text) {
        this.text = text;
    }

    public KernelTimestamp(Date date) {
        this(date.toInstant().toString());
    }

    public static KernelTimestamp now() {
        return new KernelTimestamp(Instant.now().toString());
    }

    public Date getDate() {
        return Date.from(Instant.parse(text));
    }

    public String getDateString() {
        return text;
    }
}
