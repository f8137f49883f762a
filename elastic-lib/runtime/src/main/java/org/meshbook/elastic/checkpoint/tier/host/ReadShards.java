package org.meshbook.elastic.checkpoint.tier.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.zip.CRC32C;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.checkpoint.tier.format.CheckpointCorrupt;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.checkpoint.tier.store.TierStore;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Reads shards of a committed step into what the host is to make, and compares every checksum.
public final class ReadShards implements HostFunction {
    private static final int PART_BYTES = 1 << 20;

    /// What to read.
    ///
    /// @param store where from
    /// @param step number of the step
    /// @param attempt which save of it
    /// @param shards all that any host reads; each finds its own by the parts that it is to make
    public record Request(StoreAt store, long step, String attempt, List<Part> shards) {}

    /// One shard.
    ///
    /// @param array index of the array in this call
    /// @param start first element, one index a dimension
    /// @param size one a dimension
    /// @param path of the array, for messages
    /// @param file name of the file
    /// @param offset first byte
    /// @param crc32c of its bytes
    /// @param place whose folder it is in
    public record Part(
            int array,
            List<Integer> start,
            List<Integer> size,
            String path,
            String file,
            long offset,
            String crc32c,
            Place place) {}

    private record Key(int array, Region region) {}

    /// Is made by the worker.
    public ReadShards() {}

    @Override
    public byte[] call(Host host, byte[] arguments) throws IOException {
        var request = Json.value(arguments, Request.class);
        var stores = new HashMap<Place, TierStore>();
        var parts = new HashMap<Key, Part>();
        for (var part : request.shards()) {
            parts.put(new Key(part.array(), new Region(part.start(), part.size())), part);
        }
        long bytes = 0;
        for (int array = 0; array < host.outputs().size(); array++) {
            for (var shard : host.outputs().get(array)) {
                var part = parts.get(new Key(array, shard.region()));
                if (part == null) {
                    throw new IOException("nobody said where " + shard.region() + " is");
                }
                var store =
                        stores.computeIfAbsent(
                                part.place(), at -> request.store().open(at.slice(), at.host()));
                read(store, request, part, shard.data().bytes());
                bytes += shard.data().type().bytes();
                host.progress().accept(bytes);
            }
        }
        return new byte[0];
    }

    /// In parts that stay in the processor's cache until their checksum is taken.
    private static void read(TierStore store, Request request, Part part, ByteBuffer into)
            throws IOException {
        var crc = new CRC32C();
        long offset = part.offset();
        while (into.hasRemaining()) {
            int length = Math.min(PART_BYTES, into.remaining());
            var piece = into.slice(into.position(), length);
            store.read(request.step(), request.attempt(), part.file(), offset, piece);
            crc.update(piece.flip());
            into.position(into.position() + length);
            offset += length;
        }
        var found = "%08x".formatted(crc.getValue());
        if (!found.equals(part.crc32c())) {
            throw new CheckpointCorrupt(
                    "'%s' in %s differs from what was written (checksum %s, not %s)"
                            .formatted(part.path(), part.file(), found, part.crc32c()));
        }
    }
}
