package org.meshbook.elastic.array;

/// Element type and shape of an array: what is known of it without touching a device.
///
/// @param dtype element type
/// @param shape sizes
public record ArrayType(DType dtype, Shape shape) {
    /// @param dtype element type
    /// @param dims sizes
    /// @return the type
    public static ArrayType of(DType dtype, int... dims) {
        return new ArrayType(dtype, Shape.of(dims));
    }

    /// @return bytes of all elements
    public long bytes() {
        return shape.size() * dtype.bytes();
    }

    @Override
    public String toString() {
        return dtype.shortName() + shape;
    }
}
