package org.meshbook.elastic.engine.xla;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/// A program that XLA has compiled for the client's device. Thread-safe.
///
/// @param client whose program it is
/// @param handle the loaded executable
/// @param outputs number of results
record NativeProgram(Client client, MemorySegment handle, int outputs) {
    static NativeProgram of(Client client, MemorySegment handle) throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            var executable = executable(client, handle, arena);
            try {
                var count = Structs.of(arena, Structs.ONE_RESULT, executable);
                client.api().call(Entry.EXECUTABLE_NUM_OUTPUTS, count);
                int outputs = Math.toIntExact(count.get(JAVA_LONG, Structs.RESULT));
                return new NativeProgram(client, handle, outputs);
            } finally {
                client.api().destroy(Entry.EXECUTABLE_DESTROY, executable);
            }
        }
    }

    private static MemorySegment executable(
            Client client, MemorySegment handle, SegmentAllocator memory) throws PjrtFailure {
        var arguments = Structs.of(memory, Structs.ONE_RESULT, handle);
        client.api().call(Entry.LOADED_GET_EXECUTABLE, arguments);
        return arguments.get(ADDRESS, Structs.RESULT);
    }

    /// Runs the program and waits for it.
    ///
    /// @param inputs buffers, of the sizes that the program takes: XLA looks at their bytes only
    /// @param memory for the call
    /// @return fresh buffers, which are the caller's to destroy
    MemorySegment[] run(MemorySegment[] inputs, SegmentAllocator memory) throws PjrtFailure {
        var results = pointers(memory, outputs);
        var done = pointers(memory, 1);
        var arguments = Structs.of(memory, Structs.Execute.BYTES, handle);
        arguments.set(
                ADDRESS,
                Structs.Execute.OPTIONS,
                Structs.of(memory, Structs.Execute.OPTIONS_BYTES));
        arguments.set(ADDRESS, Structs.Execute.ARGUMENTS, one(memory, pointers(memory, inputs)));
        arguments.set(JAVA_LONG, Structs.Execute.DEVICE_COUNT, 1);
        arguments.set(JAVA_LONG, Structs.Execute.ARGUMENT_COUNT, inputs.length);
        arguments.set(ADDRESS, Structs.Execute.OUTPUTS, one(memory, results));
        arguments.set(ADDRESS, Structs.Execute.DONE, done);
        client.api().call(Entry.LOADED_EXECUTE, arguments);
        var buffers = new MemorySegment[outputs];
        for (int i = 0; i < outputs; i++) {
            buffers[i] = results.getAtIndex(ADDRESS, i);
        }
        try {
            client.api().await(done.get(ADDRESS, 0));
            return buffers;
        } catch (PjrtFailure e) {
            for (var buffer : buffers) {
                client.api().destroy(Entry.BUFFER_DESTROY, buffer);
            }
            throw e;
        }
    }

    private static MemorySegment pointers(SegmentAllocator memory, int count) {
        return memory.allocate(ADDRESS, Math.max(1, count)).fill((byte) 0);
    }

    private static MemorySegment pointers(SegmentAllocator memory, MemorySegment[] values) {
        var pointers = pointers(memory, values.length);
        for (int i = 0; i < values.length; i++) {
            pointers.setAtIndex(ADDRESS, i, values[i]);
        }
        return pointers;
    }

    /// A list of one device's list.
    private static MemorySegment one(SegmentAllocator memory, MemorySegment list) {
        var outer = pointers(memory, 1);
        outer.set(ADDRESS, 0, list);
        return outer;
    }

    /// @return the compiled program, for [Client#load]
    byte[] save() throws PjrtFailure {
        try (var arena = Arena.ofConfined()) {
            var executable = executable(client, handle, arena);
            try {
                var arguments = Structs.of(arena, Structs.Serialize.BYTES, executable);
                client.api().call(Entry.EXECUTABLE_SERIALIZE, arguments);
                var saved =
                        arguments
                                .get(ADDRESS, Structs.Serialize.SAVED)
                                .reinterpret(
                                        arguments.get(JAVA_LONG, Structs.Serialize.SAVED_LENGTH))
                                .toArray(JAVA_BYTE);
                Api.callBack(
                        arguments.get(ADDRESS, Structs.Serialize.DELETER),
                        arguments.get(ADDRESS, Structs.Serialize.OWNER));
                return saved;
            } finally {
                client.api().destroy(Entry.EXECUTABLE_DESTROY, executable);
            }
        }
    }

    /// Frees it; no run may be going on.
    void destroy() {
        client.api().destroy(Entry.LOADED_DESTROY, handle);
    }
}
