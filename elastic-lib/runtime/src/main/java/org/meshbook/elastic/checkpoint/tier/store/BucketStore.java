package org.meshbook.elastic.checkpoint.tier.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.meshbook.elastic.checkpoint.tier.bucket.Bucket;
import org.meshbook.elastic.checkpoint.tier.format.CheckpointCorrupt;
import org.meshbook.elastic.checkpoint.tier.format.ManifestText;
import org.meshbook.elastic.checkpoint.tier.format.Names;

/// Checkpoints in an object store, which has no atomic rename: a step is there once the object
/// `120/manifest` is, which is put last and appears as one.
///
/// While a save writes, `120/writing-ATTEMPT` says who; its files lie below `120/ATTEMPT/`.
final class BucketStore implements TierStore {
    private static final String MANIFEST = "manifest";
    private static final String WRITING = "writing-";
    private static final String ASIDE = "aside-";
    private static final int PART_BYTES = 8 << 20;

    private final Bucket bucket;
    private final String prefix;

    /// @param prefix of the run, ends with `/`
    BucketStore(Bucket bucket, String prefix) {
        this.bucket = bucket;
        this.prefix = prefix;
    }

    @Override
    public Sink create(long step, Writer writer, String file) throws IOException {
        bucket.put(prefix + step + "/" + WRITING + writer.attempt(), signed(writer));
        return new ObjectSink(bucket.create(prefix + step + "/" + writer.attempt() + "/" + file));
    }

    /// Another machine's writer is taken for dead by its age, which the text has to say here.
    private static byte[] signed(Writer writer) {
        var text = new String(writer.text(), UTF_8).strip();
        return (text + "\n" + System.currentTimeMillis() + "\n").getBytes(UTF_8);
    }

    @Override
    public void commit(long step, String attempt, byte[] manifest) throws IOException {
        putAside(step);
        bucket.put(prefix + step + "/" + MANIFEST, manifest);
        bucket.delete(prefix + step + "/" + WRITING + attempt);
    }

    @Override
    public void discard(long step, String attempt) throws IOException {
        if (steps().getOrDefault(step, Map.of()).containsKey(MANIFEST)
                && attemptOf(step).equals(attempt)) {
            delete(step);
        }
        for (var name : bucket.list(prefix + step + "/" + attempt + "/").keySet()) {
            bucket.delete(prefix + step + "/" + attempt + "/" + name);
        }
        bucket.delete(prefix + step + "/" + WRITING + attempt);
    }

    @Override
    public List<Found> scan() throws IOException {
        var found = new ArrayList<Found>();
        for (var entry : steps().entrySet()) {
            if (entry.getValue().containsKey(MANIFEST)) {
                found.add(found(entry.getKey(), entry.getValue()));
            }
        }
        return found;
    }

    private Found found(long step, Map<String, Long> objects) throws IOException {
        try {
            var manifest = ManifestText.decode(manifest(step));
            var files = new HashMap<String, Long>();
            var own = manifest.attempt() + "/";
            objects.forEach(
                    (name, length) -> {
                        if (name.startsWith(own)) {
                            files.put(name.substring(own.length()), length);
                        }
                    });
            return manifest.step() == step
                    ? new Found(step, manifest.attempt(), files, "")
                    : new Found(step, "", files, "its manifest is that of step " + manifest.step());
        } catch (CheckpointCorrupt e) {
            return new Found(step, "", Map.of(), String.valueOf(e.getMessage()));
        }
    }

    /// Objects by step, named within it.
    private Map<Long, Map<String, Long>> steps() throws IOException {
        var steps = new TreeMap<Long, Map<String, Long>>();
        bucket.list(prefix)
                .forEach(
                        (name, length) -> {
                            int slash = name.indexOf('/');
                            var step = Names.stepOf(slash < 0 ? "" : name.substring(0, slash));
                            if (step.isPresent()) {
                                steps.computeIfAbsent(step.getAsLong(), _ -> new HashMap<>())
                                        .put(name.substring(slash + 1), length);
                            }
                        });
        return steps;
    }

    @Override
    public byte[] manifest(long step) throws IOException {
        return bucket.get(prefix + step + "/" + MANIFEST);
    }

    @Override
    public void read(long step, String attempt, String file, long offset, ByteBuffer into)
            throws IOException {
        var name = prefix + step + "/" + attempt + "/" + file;
        long at = offset;
        while (into.hasRemaining()) {
            var part = bucket.get(name, at, Math.min(PART_BYTES, into.remaining()));
            if (part.length == 0) {
                throw new EOFException(
                        "%s ends after %d bytes; %d more are missing"
                                .formatted(file, at, into.remaining()));
            }
            into.put(part);
            at += part.length;
        }
    }

    @Override
    public void delete(long step) throws IOException {
        var objects = steps().getOrDefault(step, Map.of());
        if (!objects.containsKey(MANIFEST)) {
            return;
        }
        var attempt = attemptOf(step);
        bucket.delete(prefix + step + "/" + MANIFEST);
        for (var name : objects.keySet()) {
            if (!attempt.isEmpty() && name.startsWith(attempt + "/")) {
                bucket.delete(prefix + step + "/" + name);
            }
        }
    }

    private String attemptOf(long step) throws IOException {
        try {
            return ManifestText.decode(manifest(step)).attempt();
        } catch (CheckpointCorrupt e) {
            // What a damaged manifest calls its own is not known; it stays.
            return "";
        }
    }

    @Override
    public void putAside(long step) throws IOException {
        var objects = steps().getOrDefault(step, Map.of());
        if (objects.containsKey(MANIFEST)) {
            int free = 1;
            while (objects.containsKey(ASIDE + free)) {
                free++;
            }
            bucket.put(prefix + step + "/" + ASIDE + free, manifest(step));
            bucket.delete(prefix + step + "/" + MANIFEST);
        }
    }

    @Override
    public int sweep(Writer asking, Set<String> live, Instant now) throws IOException {
        int swept = 0;
        for (var entry : steps().entrySet()) {
            for (var name : entry.getValue().keySet()) {
                if (name.startsWith(WRITING) && dead(entry.getKey(), name, asking, live, now)) {
                    remove(entry.getKey(), name.substring(WRITING.length()));
                    swept++;
                }
            }
        }
        return swept;
    }

    /// One whose manifest is there only missed the last line of its commit.
    private void remove(long step, String attempt) throws IOException {
        var objects = steps().getOrDefault(step, Map.of());
        if (objects.containsKey(MANIFEST) && attemptOf(step).equals(attempt)) {
            bucket.delete(prefix + step + "/" + WRITING + attempt);
        } else {
            discard(step, attempt);
        }
    }

    private boolean dead(long step, String name, Writer asking, Set<String> live, Instant now)
            throws IOException {
        var lines = new String(bucket.get(prefix + step + "/" + name), UTF_8).split("\n", -1);
        var writer = Writer.parse(lines[0].getBytes(UTF_8));
        if (writer.isEmpty() || lines.length < 2 || !lines[1].matches("[0-9]{1,18}")) {
            return false;
        }
        var touched = Instant.ofEpochMilli(Long.parseLong(lines[1]));
        return writer.get().dead(asking, live, touched, now);
    }

    /// Object stores take bytes one array at a time.
    private static final class ObjectSink implements Sink {
        private final OutputStream stream;
        private final byte[] part = new byte[64 << 10];
        private boolean finished;

        ObjectSink(OutputStream stream) {
            this.stream = stream;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                int length = Math.min(part.length, bytes.remaining());
                bytes.get(part, 0, length);
                stream.write(part, 0, length);
            }
        }

        @Override
        public void finish() throws IOException {
            stream.close();
            finished = true;
        }

        @Override
        public void close() throws IOException {
            if (!finished) {
                // An object that was not finished must not appear; what it holds is not named.
                stream.close();
            }
        }
    }
}
