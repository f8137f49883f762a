package org.meshbook.elastic.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meshbook.elastic.UsageError;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.DType;
import org.meshbook.elastic.array.HostArray;
import org.meshbook.elastic.array.Shape;
import org.meshbook.elastic.wire.proto.ArrayTypeProto;

/// Array types and bytes of arrays as protobuf.
public final class ArrayCodec {
    /// Most bytes of an array in one message; larger ones travel in chunks.
    public static final int CHUNK_BYTES = 1 << 20;

    private static final Map<String, DType> BY_NAME =
            Stream.of(DType.values())
                    .collect(Collectors.toMap(DType::stableName, Function.identity()));

    private ArrayCodec() {}

    /// @param type element type and shape
    /// @return the message
    public static ArrayTypeProto toProto(ArrayType type) {
        return ArrayTypeProto.newBuilder()
                .setDtype(type.dtype().stableName())
                .addAllDims(type.shape().dims())
                .build();
    }

    /// @param proto the message
    /// @return element type and shape
    /// @throws UsageError if the element type is unknown
    public static ArrayType fromProto(ArrayTypeProto proto) {
        return new ArrayType(dtype(proto.getDtype()), new Shape(proto.getDimsList()));
    }

    /// @param name StableHLO's name of an element type
    /// @return the element type
    /// @throws UsageError if it is unknown
    public static DType dtype(String name) {
        var dtype = BY_NAME.get(name);
        if (dtype == null) {
            throw new UsageError(
                    "no element type is named '%s'; known are %s", name, BY_NAME.keySet());
        }
        return dtype;
    }

    /// Wraps bytes without a copy; the buffer must not be written to afterwards.
    ///
    /// @param data from position to limit
    /// @return the bytes for a message
    public static ByteString wrap(ByteBuffer data) {
        return UnsafeByteOperations.unsafeWrap(data);
    }

    /// @param value a host array
    /// @return a copy of its elements, little-endian
    public static ByteString bytes(HostArray value) {
        return ByteString.copyFrom(value.bytes());
    }

    /// @param type of the array
    /// @param data its elements, little-endian
    /// @return the array
    /// @throws UsageError if there are more or fewer bytes than the type takes
    public static HostArray array(ArrayType type, ByteString data) {
        UsageError.require(
                data.size() == type.bytes(),
                "%s takes %d bytes, %d are there",
                type,
                type.bytes(),
                data.size());
        return literal(type, data);
    }

    static ByteString literal(HostArray value) {
        return wrap(value.bytes());
    }

    static HostArray literal(ArrayType type, ByteString data) {
        var copy = ByteBuffer.allocateDirect(data.size()).order(ByteOrder.nativeOrder());
        data.copyTo(copy);
        return HostArray.wrap(type, copy.flip());
    }
}
