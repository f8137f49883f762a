package org.meshbook.elastic.store;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.transport.Fault;

/// All that one suspended worker held, in a file: it is there as a whole or not at all, and can be
/// taken once.
///
/// Format, version 1, big-endian but for array bytes: magic `MBIMAGE1`; number of distinct shards,
/// each a 1, type and bytes, or a 0 and a fault; number of places, each device, array and shard;
/// number of host copies' shards, each copy, number, checksum, type and bytes; number of published
/// arrays, each its number; CRC-32C of all that. A type is the ordinal of its element type, rank
/// and dimensions.
public final class Image {
    private static final long MAGIC = 0x4d42494d41474531L;
    private static final int BUFFER_BYTES = 1 << 20;

    private Image() {}

    /// Writes an image beside its place, and moves it there once it is complete and on the disk.
    ///
    /// @param file where it will be
    /// @param devices memory of the devices, in order
    /// @param copies host copies
    /// @param published numbers of published arrays
    /// @return its bytes
    /// @throws IOException if it cannot be written; nothing is there then
    public static long write(
            Path file, List<DeviceStore> devices, HostCopies copies, Set<Long> published)
            throws IOException {
        // The temporary folder is this process's own, and goes with it.
        var part = Files.createTempFile("image", ".part");
        try (var channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            var out = new Out(channel);
            out.write(devices, copies, published);
            channel.force(true);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            return channel.size();
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /// Takes an image over; nothing is changed unless all of it is sound.
    ///
    /// @param file the image
    /// @param devices memory of the devices, in order
    /// @param copies host copies
    /// @return numbers of published arrays
    /// @throws IOException if it was taken before, cannot be read, or is damaged
    public static Set<Long> read(Path file, List<DeviceStore> devices, HostCopies copies)
            throws IOException {
        var taken = Files.createTempFile("image", ".taken");
        try {
            Files.move(file, taken, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            Files.delete(taken);
            throw new IOException(
                    "there is no image '%s': it was resumed already, or dropped".formatted(file),
                    e);
        }
        try (var channel = FileChannel.open(taken, StandardOpenOption.READ)) {
            return new In(channel, copies).read(devices);
        } catch (RuntimeException e) {
            throw new IOException("the image is damaged; the slice is lost", e);
        } finally {
            Files.deleteIfExists(taken);
        }
    }

    private record Place(int device, long array, int shard) {}

    private record Copied(long copy, int shard, HostCopies.Kept kept) {}

    /// Small things through a buffer, array bytes past it; all of them into the checksum.
    private static final class Out extends OutputStream {
        private final FileChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private final CRC32C crc = new CRC32C();
        private final DataOutputStream data = new DataOutputStream(this);

        Out(FileChannel channel) {
            this.channel = channel;
        }

        void write(List<DeviceStore> devices, HostCopies copies, Set<Long> published)
                throws IOException {
            data.writeLong(MAGIC);
            // 1. distinct shards: arrays and devices may share one
            var numbers = new IdentityHashMap<Object, Integer>();
            var shards = new ArrayList<Shard>();
            var places = new ArrayList<Place>();
            for (int device = 0; device < devices.size(); device++) {
                for (long array : devices.get(device).numbers()) {
                    var shard = devices.get(device).get(array);
                    var identity = shard instanceof Shard.Value(var value) ? value : shard;
                    int number = numbers.computeIfAbsent(identity, _ -> shards.size());
                    if (number == shards.size()) {
                        shards.add(shard);
                    }
                    places.add(new Place(device, array, number));
                }
            }
            data.writeInt(shards.size());
            for (var shard : shards) {
                shard(shard);
            }
            // 2. who holds them
            data.writeInt(places.size());
            for (var place : places) {
                data.writeInt(place.device());
                data.writeLong(place.array());
                data.writeInt(place.shard());
            }
            // 3. host copies
            copies(copies.all());
            // 4. names
            data.writeInt(published.size());
            for (long array : published) {
                data.writeLong(array);
            }
            data.writeLong(sum());
            drain();
        }

        private void shard(Shard shard) throws IOException {
            switch (shard) {
                case Shard.Value(var value) -> {
                    data.writeByte(1);
                    type(value.type());
                    bytes(value.bytes());
                }
                case Shard.Poisoned(var fault) -> {
                    data.writeByte(0);
                    data.writeInt(fault.kind().ordinal());
                    data.writeInt(fault.slices().size());
                    for (int slice : fault.slices()) {
                        data.writeInt(slice);
                    }
                    data.writeUTF(fault.message());
                }
            }
        }

        private void copies(Map<Long, Map<Integer, HostCopies.Kept>> all) throws IOException {
            data.writeInt(all.values().stream().mapToInt(Map::size).sum());
            for (var copy : all.entrySet()) {
                for (var shard : copy.getValue().entrySet()) {
                    data.writeLong(copy.getKey());
                    data.writeInt(shard.getKey());
                    data.writeLong(shard.getValue().checksum());
                    type(shard.getValue().type());
                    bytes(shard.getValue().data().duplicate());
                }
            }
        }

        private void type(ArrayType type) throws IOException {
            data.writeInt(type.dtype().ordinal());
            data.writeInt(type.shape().rank());
            for (int dim : type.shape().dims()) {
                data.writeInt(dim);
            }
        }

        private void bytes(ByteBuffer bytes) throws IOException {
            sum();
            drain();
            while (bytes.hasRemaining()) {
                // Summed while it is in the processor's cache.
                int length = Math.min(BUFFER_BYTES, bytes.remaining());
                var part = bytes.slice(bytes.position(), length);
                crc.update(part);
                part.flip();
                while (part.hasRemaining()) {
                    channel.write(part);
                }
                bytes.position(bytes.position() + length);
            }
        }

        /// The checksum of everything so far.
        private long sum() {
            crc.update(buffer.duplicate().flip());
            return crc.getValue();
        }

        private void drain() throws IOException {
            buffer.flip();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            buffer.clear();
        }

        @Override
        public void write(int b) throws IOException {
            if (!buffer.hasRemaining()) {
                sum();
                drain();
            }
            buffer.put((byte) b);
        }
    }

    private static final class In extends InputStream {
        private final FileChannel channel;
        private final HostCopies copies;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
        private final CRC32C crc = new CRC32C();
        private final DataInputStream data = new DataInputStream(this);

        In(FileChannel channel, HostCopies copies) {
            this.channel = channel;
            this.copies = copies;
        }

        Set<Long> read(List<DeviceStore> devices) throws IOException {
            require(data.readLong() == MAGIC, "is none");
            // 1. read all
            var shards = new ArrayList<Shard>();
            for (int left = data.readInt(); left > 0; left--) {
                shards.add(shard());
            }
            var places = new ArrayList<Place>();
            for (int left = data.readInt(); left > 0; left--) {
                places.add(new Place(data.readInt(), data.readLong(), data.readInt()));
            }
            var copied = new ArrayList<Copied>();
            for (int left = data.readInt(); left > 0; left--) {
                copied.add(copied());
            }
            var published = new HashSet<Long>();
            for (int left = data.readInt(); left > 0; left--) {
                published.add(data.readLong());
            }
            // 2. only if it is sound
            long sum = crc.getValue();
            require(data.readLong() == sum, "is damaged: its checksum differs");
            places.forEach(
                    place ->
                            devices.get(place.device())
                                    .put(place.array(), shards.get(place.shard())));
            copied.forEach(copy -> copies.put(copy.copy(), copy.shard(), copy.kept()));
            return Set.copyOf(published);
        }

        private Shard shard() throws IOException {
            if (data.readByte() == 1) {
                var type = type();
                int size = Math.toIntExact(type.bytes());
                var bytes = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
                return new Shard.Value(HostArray.wrap(type, bytes(bytes)));
            }
            var kind = Fault.Kind.values()[data.readInt()];
            var slices = new HashSet<Integer>();
            for (int left = data.readInt(); left > 0; left--) {
                slices.add(data.readInt());
            }
            return new Shard.Poisoned(new Fault(kind, slices, data.readUTF()));
        }

        private Copied copied() throws IOException {
            long copy = data.readLong();
            int shard = data.readInt();
            long checksum = data.readLong();
            var type = type();
            var bytes = bytes(copies.memory(Math.toIntExact(type.bytes())));
            return new Copied(copy, shard, new HostCopies.Kept(type, bytes, checksum));
        }

        private ArrayType type() throws IOException {
            int dtype = data.readInt();
            int rank = data.readInt();
            require(
                    dtype >= 0 && dtype < DType.values().length && rank >= 0 && rank < 32,
                    "is damaged: there is no such type");
            var dims = new ArrayList<Integer>();
            for (int left = rank; left > 0; left--) {
                dims.add(data.readInt());
            }
            return new ArrayType(DType.values()[dtype], new Shape(dims));
        }

        /// What is in the buffer already, then past it.
        private ByteBuffer bytes(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                int from = bytes.position();
                var part = bytes.slice(from, Math.min(BUFFER_BYTES, bytes.remaining()));
                if (buffer.hasRemaining()) {
                    int length = Math.min(buffer.remaining(), part.remaining());
                    part.put(buffer.slice(buffer.position(), length));
                    buffer.position(buffer.position() + length);
                } else {
                    require(channel.read(part) >= 0, "ends too early");
                }
                crc.update(part.flip());
                bytes.position(from + part.limit());
            }
            return bytes.flip();
        }

        @Override
        public int read() throws IOException {
            if (!buffer.hasRemaining()) {
                int got = channel.read(buffer.clear());
                buffer.flip();
                if (got < 0) {
                    return -1;
                }
            }
            int b = buffer.get() & 0xff;
            crc.update(b);
            return b;
        }

        private static void require(boolean holds, String otherwise) throws IOException {
            if (!holds) {
                throw new IOException("the image %s; the slice is lost".formatted(otherwise));
            }
        }
    }
}
