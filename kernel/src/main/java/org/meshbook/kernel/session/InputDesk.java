package org.meshbook.kernel.session;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.meshbook.kernel.protocol.Publication;

/// Questions to the user: one at a time, each waits for its answer.
final class InputDesk {
    private final Outbox outbox;
    private final ReentrantLock asking = new ReentrantLock();
    private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();

    InputDesk(Outbox outbox) {
        this.outbox = outbox;
    }

    /// @return what was typed
    String ask(Parent parent, Publication.InputRequest question) throws InterruptedException {
        asking.lockInterruptibly();
        try {
            // An answer to a question that was interrupted.
            answers.clear();
            outbox.ask(parent, question);
            return answers.take();
        } finally {
            asking.unlock();
        }
    }

    void answered(String value) {
        answers.add(value);
    }
}
