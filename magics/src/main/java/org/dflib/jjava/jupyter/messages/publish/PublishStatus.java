package org.dflib.jjava.jupyter.messages.publish;

/// Whether the kernel works.
public class PublishStatus {
    public static final PublishStatus BUSY = new PublishStatus(State.BUSY);
    public static final PublishStatus IDLE = new PublishStatus(State.IDLE);
    public static final PublishStatus STARTING = new PublishStatus(State.STARTING);

    private final State state;

    /// What it does.
    public enum State {
        BUSY,
        IDLE,
        STARTING
    }

    private PublishStatus(State state) {
        this.state = state;
    }

    public static PublishStatus forState(State state) {
        return switch (state) {
            case BUSY -> BUSY;
            case IDLE -> IDLE;
            case STARTING -> STARTING;
        };
    }

    public State getState() {
        return state;
    }
}
