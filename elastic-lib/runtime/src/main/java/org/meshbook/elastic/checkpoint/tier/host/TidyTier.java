package org.meshbook.elastic.checkpoint.tier.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.meshbook.elastic.checkpoint.tier.format.Retention;
import org.meshbook.elastic.checkpoint.tier.store.Found;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.checkpoint.tier.store.TierStore;
import org.meshbook.elastic.checkpoint.tier.store.Writer;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Removes or hides what is not wanted any more.
public final class TidyTier implements HostFunction {
    /// What to do; empty lists mean nothing.
    ///
    /// @param store where
    /// @param keep which complete steps stay; none given, all stay
    /// @param reading steps that are being read, and stay
    /// @param above steps above this one are of a past that was rolled back
    /// @param keepBytes whether those are hidden rather than deleted
    /// @param discard saves that failed
    /// @param sweep whether to look for what dead processes left
    /// @param writer who asks
    /// @param live attempts that the asking process is writing
    public record Request(
            StoreAt store,
            List<Retention> keep,
            Set<Long> reading,
            long above,
            boolean keepBytes,
            List<Attempt> discard,
            boolean sweep,
            Writer writer,
            Set<String> live) {
        /// @param store where
        /// @param writer who asks
        /// @return does nothing yet
        public static Request in(StoreAt store, Writer writer) {
            return new Request(
                    store,
                    List.of(),
                    Set.of(),
                    Long.MAX_VALUE,
                    true,
                    List.of(),
                    false,
                    writer,
                    Set.of());
        }

        /// @param retention which complete steps stay
        /// @param read steps that are being read
        /// @return the changed copy
        public Request keeping(Retention retention, Set<Long> read) {
            return new Request(
                    store,
                    List.of(retention),
                    read,
                    above,
                    keepBytes,
                    discard,
                    sweep,
                    writer,
                    live);
        }

        /// @param step the newest that is left
        /// @param hide whether later ones are hidden rather than deleted
        /// @return the changed copy
        public Request rolledBackTo(long step, boolean hide) {
            return new Request(store, keep, reading, step, hide, discard, sweep, writer, live);
        }

        /// @param failed saves that failed
        /// @return the changed copy
        public Request discarding(List<Attempt> failed) {
            return new Request(store, keep, reading, above, keepBytes, failed, sweep, writer, live);
        }

        /// @param writing attempts that the asking process is writing
        /// @return the changed copy
        public Request sweeping(Set<String> writing) {
            return new Request(
                    store, keep, reading, above, keepBytes, discard, true, writer, writing);
        }
    }

    /// One save.
    ///
    /// @param step number of the step
    /// @param attempt which save of it
    public record Attempt(long step, String attempt) {}

    /// Is made by the worker.
    public TidyTier() {}

    /// @return how many were swept, as four bytes
    @Override
    public byte[] call(Host host, byte[] arguments) throws IOException {
        var request = Json.value(arguments, Request.class);
        var store = request.store().open(host.slice(), host.host());
        rollBack(store, request);
        prune(store, request);
        for (var failed : request.discard()) {
            store.discard(failed.step(), failed.attempt());
        }
        int swept =
                request.sweep() ? store.sweep(request.writer(), request.live(), Instant.now()) : 0;
        return ByteBuffer.allocate(Integer.BYTES).putInt(swept).array();
    }

    private static void rollBack(TierStore store, Request request) throws IOException {
        if (request.above() == Long.MAX_VALUE) {
            return;
        }
        for (var found : store.scan()) {
            if (found.step() > request.above()) {
                if (request.keepBytes()) {
                    store.putAside(found.step());
                } else {
                    store.delete(found.step());
                }
            }
        }
    }

    /// What is damaged is nobody's to delete: it may be all that is left of something.
    private static void prune(TierStore store, Request request) throws IOException {
        for (var retention : request.keep()) {
            var steps =
                    store.scan().stream()
                            .filter(found -> found.damage().isEmpty())
                            .map(Found::step)
                            .toList();
            for (long step : retention.unwanted(steps)) {
                if (!request.reading().contains(step)) {
                    store.delete(step);
                }
            }
        }
    }
}
