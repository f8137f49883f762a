package org.meshbook.elastic.array;

/// Element type of an array, with StableHLO's name and its size.
///
/// The order is part of what stores keep: new types are appended.
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
    BOOL("i1", 1),
    /// The upper half of binary32: its range, 8 bits of precision.
    BF16("bf16", 2),
    /// IEEE 754 binary16.
    F16("f16", 2),
    /// 8-bit signed integer.
    I8("i8", 1),
    /// 16-bit signed integer.
    I16("i16", 2),
    /// 8-bit unsigned integer.
    U8("ui8", 1),
    /// 16-bit unsigned integer.
    U16("ui16", 2),
    /// 32-bit unsigned integer.
    U32("ui32", 4),
    /// 64-bit unsigned integer.
    U64("ui64", 8);

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

    /// @return JAX's short name of the type, as `u32`; truth values keep StableHLO's `i1`
    public String shortName() {
        return isUnsigned() ? stable.replace("ui", "u") : stable;
    }

    /// @return bytes of one element
    public int bytes() {
        return bytes;
    }

    /// @return bits of one element
    public int bits() {
        return bytes * Byte.SIZE;
    }

    /// @return whether gradients can flow through it
    public boolean isFloat() {
        return switch (this) {
            case F32, F64, BF16, F16 -> true;
            case I32, I64, BOOL, I8, I16, U8, U16, U32, U64 -> false;
        };
    }

    /// @return whether it is an integer type, signed or not
    public boolean isInteger() {
        return !isFloat() && this != BOOL;
    }

    /// @return whether it is an integer type without negative values
    public boolean isUnsigned() {
        return switch (this) {
            case U8, U16, U32, U64 -> true;
            case F32, F64, BF16, F16, I32, I64, BOOL, I8, I16 -> false;
        };
    }

    /// @return the least integer of the type; 0 for truth values and unsigned types
    public long least() {
        return isInteger() && !isUnsigned() ? -1L << bits() - 1 : 0;
    }

    /// @return the greatest integer of the type as a long, 1 for truth values; U64's has all bits
    public long greatest() {
        if (this == BOOL) {
            return 1;
        }
        return isUnsigned() ? -1L >>> Long.SIZE - bits() : ~least();
    }
}
