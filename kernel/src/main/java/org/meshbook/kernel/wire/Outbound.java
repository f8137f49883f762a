package org.meshbook.kernel.wire;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What waits to be sent. Bounded by [#awaitRoom] for the output of cells only: replies and status
/// must never wait for a slow subscriber, and there are few of them.
final class Outbound {
    /// Something to do on the sockets' thread.
    sealed interface Item {
        /// A message to send.
        record Message(Channel channel, Envelope envelope) implements Item {}

        /// An action to run once shell is read empty.
        record CatchUp(Runnable action) implements Item {}
    }

    /// Output of cells waits above this.
    private static final long ROOM_BYTES = 8L << 20;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final ArrayDeque<Item> urgent = new ArrayDeque<>();
    private final ArrayDeque<Item> ordered = new ArrayDeque<>();
    private volatile long waitingBytes;
    private boolean closed;

    void add(Item item) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            switch (item) {
                case Item.Message(var channel, _) when channel == Channel.CONTROL ->
                        urgent.add(item);
                case Item.Message(_, var envelope) -> {
                    ordered.add(item);
                    grow(envelope.sizeBytes());
                }
                case Item.CatchUp _ -> ordered.add(item);
            }
        } finally {
            lock.unlock();
        }
    }

    void awaitRoom() throws InterruptedException {
        if (waitingBytes < ROOM_BYTES) {
            return;
        }
        lock.lockInterruptibly();
        try {
            while (waitingBytes >= ROOM_BYTES && !closed) {
                room.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// For the sockets' thread.
    ///
    /// @return the next item that may overtake, taken out
    @Nullable Item pollUrgent() {
        lock.lock();
        try {
            return urgent.poll();
        } finally {
            lock.unlock();
        }
    }

    /// For the sockets' thread.
    ///
    /// @return the next message in order; it stays until [#sent]
    @Nullable Item peekOrdered() {
        lock.lock();
        try {
            return ordered.peek();
        } finally {
            lock.unlock();
        }
    }

    /// For the sockets' thread: takes out what [#peekOrdered] gave.
    void sent() {
        lock.lock();
        try {
            if (ordered.poll() instanceof Item.Message(_, var envelope)) {
                grow(-envelope.sizeBytes());
            }
            if (waitingBytes < ROOM_BYTES) {
                room.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Takes nothing more and lets everyone who waits go on.
    void close() {
        lock.lock();
        try {
            closed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void grow(long bytes) {
        waitingBytes = waitingBytes + bytes;
    }
}
