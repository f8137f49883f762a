package org.meshbook.bench.queue;

/// A bench that came to no end: nothing was measured.
final class QueueBenchFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    QueueBenchFailed(String message) {
        super(message);
    }
}
