package org.dflib.jjava.jupyter.messages.publish;

import java.util.List;

/// An error as front ends get it.
public class PublishError {
    private final String name;
    private final String message;
    private final List<String> trace;

    public PublishError(String name, String message, List<String> trace) {
        this.name = name;
        this.message = message;
        this.trace = List.copyOf(trace);
    }

    public static PublishError of(Exception thrown, ErrorFormatter formatter) {
        return new PublishError(
                thrown.getClass().getSimpleName(),
                String.valueOf(thrown.getMessage()),
                formatter.format(thrown));
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
