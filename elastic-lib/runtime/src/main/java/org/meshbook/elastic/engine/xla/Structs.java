package org.meshbook.elastic.engine.xla;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;

/// Sizes and offsets, in bytes, of the C structs that we fill and read.
///
/// Every argument struct begins with its size and a pointer to extensions; the object that it is
/// about follows. A plugin reads as many bytes as the size says, so that an older or newer plugin
/// can tell what we know.
final class Structs {
    /// First field behind size and extension pointer: the object, in nearly all structs.
    static final long OBJECT = 16;

    /// Structs of one object and nothing more.
    static final long OBJECT_ONLY = 24;

    /// First thing that a call yields, in structs of one object and one result.
    static final long RESULT = 24;

    /// Second word of a result: how many, or how long.
    static final long RESULT_COUNT = 32;

    /// Structs of one object and one result of one word.
    static final long ONE_RESULT = 32;

    /// Structs of one object and one result of two words.
    static final long TWO_RESULTS = 40;

    /// `PJRT_Plugin_Initialize_Args`.
    static final long INITIALIZE = 16;

    /// `PJRT_Error_GetCode_Args`; the code is an int.
    static final long ERROR_CODE = 28;

    /// `PJRT_NamedValue`.
    static final class NamedValue {
        static final long BYTES = 56;
        static final long NAME = 16;
        static final long NAME_LENGTH = 24;
        static final long KIND = 32;
        static final long VALUE = 40;
        static final long VALUE_COUNT = 48;
        static final int STRING = 0;
        static final int INT64 = 1;
        static final int INT64_LIST = 2;
        static final int BOOL = 4;

        private NamedValue() {}
    }

    /// `PJRT_Plugin_Attributes_Args`.
    static final class Attributes {
        static final long BYTES = 32;
        static final long VALUES = 16;
        static final long COUNT = 24;

        private Attributes() {}
    }

    /// `PJRT_Client_Create_Args`.
    static final class Create {
        static final long BYTES = 88;
        static final long OPTIONS = 16;
        static final long OPTION_COUNT = 24;
        static final long CLIENT = 64;

        private Create() {}
    }

    /// `PJRT_Program`.
    static final class Program {
        static final long BYTES = 48;
        static final long CODE = 16;
        static final long CODE_LENGTH = 24;
        static final long FORMAT = 32;
        static final long FORMAT_LENGTH = 40;

        private Program() {}
    }

    /// `PJRT_Client_Compile_Args`.
    static final class Compile {
        static final long BYTES = 56;
        static final long PROGRAM = 24;
        static final long OPTIONS = 32;
        static final long OPTIONS_LENGTH = 40;
        static final long EXECUTABLE = 48;

        private Compile() {}
    }

    /// `PJRT_Executable_DeserializeAndLoad_Args`.
    static final class Deserialize {
        static final long BYTES = 72;
        static final long SAVED = 24;
        static final long SAVED_LENGTH = 32;
        static final long EXECUTABLE = 40;

        private Deserialize() {}
    }

    /// `PJRT_Executable_Serialize_Args`.
    static final class Serialize {
        static final long BYTES = 56;
        static final long SAVED = 24;
        static final long SAVED_LENGTH = 32;
        static final long OWNER = 40;
        static final long DELETER = 48;

        private Serialize() {}
    }

    /// `PJRT_Client_BufferFromHostBuffer_Args`.
    static final class FromHost {
        static final long BYTES = 120;
        static final long DATA = 24;
        static final long TYPE = 32;
        static final long DIMS = 40;
        static final long RANK = 48;
        static final long SEMANTICS = 72;
        static final long DEVICE = 80;
        static final long DONE = 104;
        static final long BUFFER = 112;

        /// The host's memory is read before the call returns.
        static final int COPY = 0;

        /// The host's memory is the buffer, where the device can read it.
        static final int ALIAS = 2;

        private FromHost() {}
    }

    /// `PJRT_Buffer_ToHostBuffer_Args`.
    static final class ToHost {
        static final long BYTES = 56;
        static final long TARGET = 32;
        static final long TARGET_LENGTH = 40;
        static final long DONE = 48;

        private ToHost() {}
    }

    /// `PJRT_LoadedExecutable_Execute_Args`.
    static final class Execute {
        static final long BYTES = 80;
        static final long OPTIONS = 24;
        static final long ARGUMENTS = 32;
        static final long DEVICE_COUNT = 40;
        static final long ARGUMENT_COUNT = 48;
        static final long OUTPUTS = 56;
        static final long DONE = 64;

        /// `PJRT_ExecuteOptions`, all zero but for its size. A plugin refuses a struct that is
        /// smaller than its own (0.115 knows 112 bytes), and takes a larger one.
        static final long OPTIONS_BYTES = 144;

        private Execute() {}
    }

    private Structs() {}

    /// @return a zero-filled struct that says its size
    static MemorySegment of(SegmentAllocator memory, long bytes) {
        var struct = memory.allocate(bytes, JAVA_LONG.byteAlignment()).fill((byte) 0);
        struct.set(JAVA_LONG, 0, bytes);
        return struct;
    }

    /// @return a struct of one object and nothing else set
    static MemorySegment of(SegmentAllocator memory, long bytes, MemorySegment object) {
        var struct = of(memory, bytes);
        struct.set(ADDRESS, OBJECT, object);
        return struct;
    }

    /// @return the text of a pointer and a length
    static String text(MemorySegment pointer, long length) {
        return length == 0
                ? ""
                : new String(
                        pointer.reinterpret(length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }
}
