package org.dflib.jjava.jupyter.messages.reply;

import java.util.Arrays;
import java.util.List;

/// An error as front ends get it.
public class ErrorReply {
    private final String name;
    private final String message;
    private final List<String> trace;

    public ErrorReply(String name, String message, List<String> trace) {
        this.name = name;
        this.message = message;
        this.trace = List.copyOf(trace);
    }

    public static ErrorReply of(Exception thrown) {
        return new ErrorReply(
                thrown.getClass().getSimpleName(),
                String.valueOf(thrown.getMessage()),
                Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::toString).toList());
    }

    public String getErrorName() {
        return name;
    }

    public String getErrorMessage() {
        return message;
    }

    public List<String> getStacktrace() {
        return trace;
    }
}
