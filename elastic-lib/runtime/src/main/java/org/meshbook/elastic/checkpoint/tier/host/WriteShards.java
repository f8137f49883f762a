package org.meshbook.elastic.checkpoint.tier.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.meshbook.elastic.array.shard.Region;
import org.meshbook.elastic.checkpoint.tier.format.Manifest.Place;
import org.meshbook.elastic.checkpoint.tier.store.StoreAt;
import org.meshbook.elastic.checkpoint.tier.store.TierStore;
import org.meshbook.elastic.checkpoint.tier.store.Writer;
import org.meshbook.elastic.slices.hosts.Host;
import org.meshbook.elastic.slices.hosts.HostFunction;

/// Writes a host's shards of a step, which stays invisible until it is committed.
public final class WriteShards implements HostFunction {
    private static final int PART_BYTES = 8 << 20;

    /// What to write.
    ///
    /// @param store where to
    /// @param step number of the step
    /// @param writer who does it
    /// @param files all files of the step; each host writes its own
    public record Request(StoreAt store, long step, Writer writer, List<FileOf> files) {}

    /// One file.
    ///
    /// @param name of the file
    /// @param by who writes it
    /// @param parts its shards in order
    public record FileOf(String name, Place by, List<Part> parts) {}

    /// One shard.
    ///
    /// @param array index of the array
    /// @param start first element, one index a dimension
    /// @param size one a dimension
    public record Part(int array, List<Integer> start, List<Integer> size) {
        Region region() {
            return new Region(start, size);
        }
    }

    /// What was written.
    ///
    /// @param files those of this host
    public record Answer(List<Written> files) {}

    /// One file.
    ///
    /// @param name of the file
    /// @param length in bytes
    /// @param crc32c one checksum a shard, eight hexadecimal digits
    public record Written(String name, long length, List<String> crc32c) {}

    /// Is made by the worker.
    public WriteShards() {}

    @Override
    public byte[] call(Host host, byte[] arguments) throws IOException {
        var request = Json.value(arguments, Request.class);
        var store = request.store().open(host.slice(), host.host());
        var written = new ArrayList<Written>();
        long done = 0;
        for (var file : request.files()) {
            if (file.by().equals(new Place(host.slice(), host.host()))) {
                var one = write(host, store, request, file, done);
                done += one.length();
                written.add(one);
            }
        }
        return Json.bytes(new Answer(written));
    }

    private static Written write(
            Host host, TierStore store, Request request, FileOf file, long before)
            throws IOException {
        var checksums = new ArrayList<String>();
        long length = 0;
        try (var sink = store.create(request.step(), request.writer(), file.name())) {
            for (var part : file.parts()) {
                var data = find(host, part);
                var crc = new CRC32C();
                while (data.hasRemaining()) {
                    var piece = data.slice(data.position(), Math.min(PART_BYTES, data.remaining()));
                    data.position(data.position() + piece.remaining());
                    length += piece.remaining();
                    crc.update(piece.duplicate());
                    sink.write(piece);
                    host.progress().accept(before + length);
                }
                checksums.add("%08x".formatted(crc.getValue()));
            }
            sink.finish();
        }
        return new Written(file.name(), length, checksums);
    }

    private static ByteBuffer find(Host host, Part part) throws IOException {
        for (var shard : host.arrays().get(part.array())) {
            if (shard.region().equals(part.region())) {
                return shard.data().bytes();
            }
        }
        throw new IOException(
                "%s has no shard %s of array %d"
                        .formatted(host.name(), part.region(), part.array()));
    }
}
