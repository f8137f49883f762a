package org.meshbook.elastic.worker;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// A device's own thread: works off what was dispatched, in order.
final class DeviceThread implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(DeviceThread.class.getName());
    private static final long JOIN_SECONDS = 5;

    private final BlockingQueue<Work> queue = new LinkedBlockingQueue<>();
    private final Thread thread;
    private volatile boolean closed;

    /// One piece of work; failures that are the program's are its own business.
    interface Work {
        void run() throws InterruptedException;
    }

    DeviceThread(String name) {
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .stackSize(Programs.STACK_BYTES)
                        .name(name)
                        .start(this::work);
    }

    /// Never waits.
    void add(Work work) {
        queue.add(work);
    }

    private void work() {
        while (!closed) {
            try {
                queue.take().run();
            } catch (InterruptedException e) {
                // Only close() interrupts; the loop's condition sees it.
                LOG.log(System.Logger.Level.DEBUG, "device thread ends");
            } catch (RuntimeException | Error e) {
                // A bug of ours: the device goes on, so that one run cannot take the slice along.
                LOG.log(System.Logger.Level.ERROR, "work of a device failed", e);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
