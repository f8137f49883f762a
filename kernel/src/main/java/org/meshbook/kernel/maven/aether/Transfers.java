package org.meshbook.kernel.maven.aether;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.TransferCancelledException;
import org.eclipse.aether.transfer.TransferEvent;
import org.meshbook.kernel.maven.Resolver;

/// Counts downloads, tells of them, and cancels them. Called on several threads.
final class Transfers extends AbstractTransferListener {
    private final Resolver.Progress progress;
    private final AtomicInteger files = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean asked;
    private volatile boolean cancelled;

    Transfers(Resolver.Progress progress) {
        this.progress = progress;
    }

    void cancel() {
        cancelled = true;
    }

    /// @return how many files of libraries came
    int files() {
        return files.get();
    }

    long bytes() {
        return bytes.get();
    }

    /// @return whether anything was asked for over the network
    boolean asked() {
        return asked;
    }

    @Override
    public void transferInitiated(TransferEvent event) throws TransferCancelledException {
        asked = true;
        check();
        progress.now("asking %s for %s".formatted(repository(event), name(event)));
    }

    @Override
    public void transferProgressed(TransferEvent event) throws TransferCancelledException {
        check();
        var length = event.getResource().getContentLength();
        if (length > 0 && counts(event)) {
            progress.now(
                    "loading %s from %s: %s of %s"
                            .formatted(
                                    name(event),
                                    repository(event),
                                    size(event.getTransferredBytes()),
                                    size(length)));
        }
    }

    @Override
    public void transferSucceeded(TransferEvent event) {
        if (counts(event)) {
            files.incrementAndGet();
            bytes.addAndGet(event.getTransferredBytes());
        }
    }

    private void check() throws TransferCancelledException {
        if (cancelled) {
            throw new TransferCancelledException("interrupted");
        }
    }

    /// Poms and metadata are small and many.
    private static boolean counts(TransferEvent event) {
        var name = event.getResource().getResourceName();
        return !name.endsWith(".pom") && !name.endsWith(".xml");
    }

    private static String repository(TransferEvent event) {
        return event.getResource().getRepositoryId();
    }

    private static String name(TransferEvent event) {
        var name = event.getResource().getResourceName();
        return name.substring(name.lastIndexOf('/') + 1);
    }

    static String size(long bytes) {
        if (bytes < 1_000_000) {
            return Math.max(1, bytes / 1000) + " kB";
        }
        return "%d.%d MB".formatted(bytes / 1_000_000, bytes / 100_000 % 10);
    }
}
