package org.meshbook.elastic.engine.xla;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Map;
import java.util.Optional;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;

/// Moves arrays between host memory and a device's: without a copy where they are the same memory,
/// else by one.
final class Transfer {
    /// XLA reads memory in place only at multiples of this many bytes.
    private static final long ALIGNMENT = 64;

    /// `PJRT_Buffer_Type`, by StableHLO's names of element types.
    private static final Map<String, Integer> TYPES =
            Map.ofEntries(
                    Map.entry("i1", 1),
                    Map.entry("i8", 2),
                    Map.entry("i16", 3),
                    Map.entry("i32", 4),
                    Map.entry("i64", 5),
                    Map.entry("ui8", 6),
                    Map.entry("ui16", 7),
                    Map.entry("ui32", 8),
                    Map.entry("ui64", 9),
                    Map.entry("f16", 10),
                    Map.entry("f32", 11),
                    Map.entry("f64", 12),
                    Map.entry("bf16", 13));

    private final Client client;
    private final ArrayType type;
    private final int code;
    private final MemorySegment dims;

    /// @param type of the arrays to move
    /// @throws UsageError if PJRT has no such element type
    Transfer(Client client, ArrayType type) {
        this.client = client;
        this.type = type;
        this.code =
                Optional.ofNullable(TYPES.get(type.dtype().stableName()))
                        .orElseThrow(
                                () ->
                                        new UsageError(
                                                "engine 'xla' has no arrays of %s", type.dtype()));
        this.dims =
                Arena.ofAuto()
                        .allocateFrom(
                                JAVA_LONG,
                                type.shape().dims().stream().mapToLong(dim -> dim).toArray());
    }

    /// Makes a buffer of an array, which must live and stay as it is until the buffer is destroyed.
    ///
    /// @param memory that lives as long as the buffer
    /// @return the buffer, which is the caller's to destroy
    MemorySegment toDevice(HostArray array, SegmentAllocator memory) throws PjrtFailure {
        var data = MemorySegment.ofBuffer(array.bytes());
        if (!data.isNative()) {
            data = memory.allocate(data.byteSize(), ALIGNMENT).copyFrom(data);
        }
        boolean alias = client.sharesMemory() && data.address() % ALIGNMENT == 0;
        var arguments = Structs.of(memory, Structs.FromHost.BYTES, client.handle());
        arguments.set(ADDRESS, Structs.FromHost.DATA, data);
        arguments.set(JAVA_INT, Structs.FromHost.TYPE, code);
        arguments.set(ADDRESS, Structs.FromHost.DIMS, dims);
        arguments.set(JAVA_LONG, Structs.FromHost.RANK, type.shape().rank());
        arguments.set(
                JAVA_INT,
                Structs.FromHost.SEMANTICS,
                alias ? Structs.FromHost.ALIAS : Structs.FromHost.COPY);
        arguments.set(ADDRESS, Structs.FromHost.DEVICE, client.device());
        client.api().call(Entry.CLIENT_BUFFER_FROM_HOST, arguments);
        var done = arguments.get(ADDRESS, Structs.FromHost.DONE);
        if (alias) {
            // It comes with the end of the buffer.
            client.api().destroy(Entry.EVENT_DESTROY, done);
        } else {
            client.api().await(done);
        }
        return arguments.get(ADDRESS, Structs.FromHost.BUFFER);
    }

    /// Makes an array of a buffer and takes the buffer over: it is destroyed with the array where
    /// the array reads its memory, else at once.
    HostArray toHost(MemorySegment buffer) throws PjrtFailure {
        if (client.sharesMemory() && type.bytes() > 0) {
            return DeviceMemory.array(type, pointer(buffer), () -> destroy(buffer));
        }
        try {
            return copied(buffer);
        } finally {
            destroy(buffer);
        }
    }

    private MemorySegment pointer(MemorySegment buffer) throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            var arguments = Structs.of(arena, Structs.ONE_RESULT, buffer);
            client.api().call(Entry.BUFFER_OPAQUE_POINTER, arguments);
            return arguments.get(ADDRESS, Structs.RESULT);
        }
    }

    private HostArray copied(MemorySegment buffer) throws PjrtFailure {
        var array = HostArray.zeros(type);
        if (type.bytes() == 0) {
            return array;
        }
        try (var arena = Arena.ofConfined()) {
            var arguments = Structs.of(arena, Structs.ToHost.BYTES, buffer);
            arguments.set(ADDRESS, Structs.ToHost.TARGET, MemorySegment.ofBuffer(array.bytes()));
            arguments.set(JAVA_LONG, Structs.ToHost.TARGET_LENGTH, type.bytes());
            client.api().call(Entry.BUFFER_TO_HOST, arguments);
            client.api().await(arguments.get(ADDRESS, Structs.ToHost.DONE));
            return array;
        }
    }

    void destroy(MemorySegment buffer) {
        client.api().destroy(Entry.BUFFER_DESTROY, buffer);
    }
}
