package org.meshbook.elastic.engine.xla;

/// What a plugin answered instead of a result; nothing is broken by it.
final class PjrtFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /// Codes are those of absl::StatusCode.
    static final int INVALID_ARGUMENT = 3;

    private static final int RESOURCE_EXHAUSTED = 8;
    private static final int UNIMPLEMENTED = 12;

    private final int code;

    PjrtFailure(int code, String message) {
        super(message);
        this.code = code;
    }

    int code() {
        return code;
    }

    boolean isOutOfMemory() {
        return code == RESOURCE_EXHAUSTED;
    }

    boolean isLacking() {
        return code == UNIMPLEMENTED;
    }

    /// @return the first line of what the plugin said, which is the one that tells what is wrong
    String firstLine() {
        return String.valueOf(getMessage()).lines().findFirst().orElse("no message");
    }
}
