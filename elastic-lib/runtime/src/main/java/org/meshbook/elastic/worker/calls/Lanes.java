package org.meshbook.elastic.worker.calls;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/// Queues of work by name: what is in one queue runs in order, on a thread that lives as long as
/// there is work. Thread-safe.
public final class Lanes implements AutoCloseable {
    private final Map<String, Deque<Runnable>> waiting = new HashMap<>();
    private final Map<String, Thread> threads = new HashMap<>();
    private boolean closed;

    /// Makes lanes without work.
    public Lanes() {}

    /// Never waits.
    ///
    /// @param lane name of the queue
    /// @param work handles its own failures
    public void add(String lane, Runnable work) {
        synchronized (waiting) {
            if (closed) {
                return;
            }
            waiting.computeIfAbsent(lane, _ -> new ArrayDeque<>()).add(work);
            // Functions may block in native code, which a virtual thread must not.
            threads.computeIfAbsent(
                    lane,
                    _ ->
                            Thread.ofPlatform()
                                    .daemon()
                                    .name("calls of " + lane)
                                    .start(() -> work(lane)));
        }
    }

    private void work(String lane) {
        while (true) {
            Runnable next;
            synchronized (waiting) {
                var queue = waiting.get(lane);
                if (closed || queue == null || queue.isEmpty()) {
                    waiting.remove(lane);
                    threads.remove(lane);
                    return;
                }
                next = queue.remove();
            }
            next.run();
        }
    }

    /// Interrupts what runs, and drops what waits.
    @Override
    public void close() {
        synchronized (waiting) {
            closed = true;
            waiting.clear();
            threads.values().forEach(Thread::interrupt);
        }
    }
}
