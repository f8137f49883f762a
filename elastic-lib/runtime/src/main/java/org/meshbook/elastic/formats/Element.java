package org.meshbook.elastic.formats;

import java.util.Optional;
import org.meshbook.elastic.array.DType;

/// How a number is stored in a file. Arrays here know fewer kinds: narrow ones are widened without
/// loss when they are read.
public enum Element {
    /// IEEE 754 binary64.
    F64("F64", "f8", 8, DType.F64),
    /// IEEE 754 binary32.
    F32("F32", "f4", 4, DType.F32),
    /// IEEE 754 binary16; read as `f32`.
    F16("F16", "f2", 2, DType.F32),
    /// The upper half of binary32; read as `f32`. NumPy has none.
    BF16("BF16", "", 2, DType.F32),
    /// 64-bit signed integer.
    I64("I64", "i8", 8, DType.I64),
    /// 32-bit signed integer.
    I32("I32", "i4", 4, DType.I32),
    /// 16-bit signed integer; read as `i32`.
    I16("I16", "i2", 2, DType.I32),
    /// 8-bit signed integer; read as `i32`.
    I8("I8", "i1", 1, DType.I32),
    /// 64-bit unsigned integer; read as `i64` where it fits.
    U64("U64", "u8", 8, DType.I64),
    /// 32-bit unsigned integer; read as `i64`.
    U32("U32", "u4", 4, DType.I64),
    /// 16-bit unsigned integer; read as `i32`.
    U16("U16", "u2", 2, DType.I32),
    /// 8-bit unsigned integer; read as `i32`.
    U8("U8", "u1", 1, DType.I32),
    /// Truth value, one byte.
    BOOL("BOOL", "b1", 1, DType.BOOL);

    private final String safetensors;
    private final String numpy;
    private final int bytes;
    private final DType widened;

    Element(String safetensors, String numpy, int bytes, DType widened) {
        this.safetensors = safetensors;
        this.numpy = numpy;
        this.bytes = bytes;
        this.widened = widened;
    }

    /// @return bytes of one number in the file
    public int bytes() {
        return bytes;
    }

    /// @return type of the array that is made of it
    public DType widened() {
        return widened;
    }

    /// @param dtype of an array
    /// @return how it is stored as it is
    public static Element of(DType dtype) {
        return switch (dtype) {
            case F32 -> F32;
            case F64 -> F64;
            case I32 -> I32;
            case I64 -> I64;
            case BOOL -> BOOL;
        };
    }

    /// Whether numbers of a type can be stored so: fractions as fractions, whole ones as whole
    /// ones.
    boolean holds(DType dtype) {
        return dtype.isFloat() == widened.isFloat() && dtype.isInteger() == widened.isInteger();
    }

    String safetensors() {
        return safetensors;
    }

    /// NumPy's letter and size, as `f4`; empty for what it has not.
    String numpy() {
        return numpy;
    }

    static Optional<Element> ofSafetensors(String name) {
        for (var element : values()) {
            if (element.safetensors.equals(name)) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }

    static Optional<Element> ofNumpy(String name) {
        for (var element : values()) {
            if (!name.isEmpty() && element.numpy.equals(name)) {
                return Optional.of(element);
            }
        }
        return Optional.empty();
    }
}
