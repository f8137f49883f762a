package org.meshbook.elastic.array;

/// Element type of an array, with StableHLO's name and its size.
public enum DType {
    /// IEEE 754 binary32.
    F32("f32", 4),
    /// IEEE 754 binary64.
    F64("f64", 8),
    /// 32-bit signed integer.
    I32("i32", 4),
    /// 64-bit signed integer.
    I64("i64", 8),
    /// Truth value, one byte: 0 or 1.
    BOOL("i1", 1);

    private final String stable;
    private final int bytes;

    DType(String stable, int bytes) {
        this.stable = stable;
        this.bytes = bytes;
    }

    /// @return StableHLO's name of the type
    public String stableName() {
        return stable;
    }

    /// @return bytes of one element
    public int bytes() {
        return bytes;
    }

    /// @return whether gradients can flow through it
    public boolean isFloat() {
        return this == F32 || this == F64;
    }

    /// @return whether it is an integer type
    public boolean isInteger() {
        return this == I32 || this == I64;
    }
}
