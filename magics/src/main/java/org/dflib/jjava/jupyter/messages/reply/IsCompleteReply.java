package org.dflib.jjava.jupyter.messages.reply;

/// Whether a text could be run.
public class IsCompleteReply {
    public static final IsCompleteReply VALID_CODE = new IsCompleteReply(Status.VALID_CODE, "");
    public static final IsCompleteReply INVALID_CODE = new IsCompleteReply(Status.INVALID_CODE, "");
    public static final IsCompleteReply UNKNOWN = new IsCompleteReply(Status.UNKNOWN, "");

    private final Status status;
    private final String indent;

    /// What is known.
    public enum Status {
        VALID_CODE,
        NOT_FINISHED,
        INVALID_CODE,
        UNKNOWN
    }

    private IsCompleteReply(Status status, String indent) {
        this.status = status;
        this.indent = indent;
    }

    public static IsCompleteReply getIncompleteReplyWithIndent(String indent) {
        return new IsCompleteReply(Status.NOT_FINISHED, indent);
    }

    public Status getStatus() {
        return status;
    }

    public String getIndent() {
        return indent;
    }
}
