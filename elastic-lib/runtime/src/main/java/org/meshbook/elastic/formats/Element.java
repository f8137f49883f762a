package org.meshbook.elastic.formats;

import java.util.Optional;
import org.meshbook.elastic.array.DType;

/// How a number is stored in a file.
public enum Element {
    /// IEEE 754 binary64.
    F64("F64", "f8", DType.F64),
    /// IEEE 754 binary32.
    F32("F32", "f4", DType.F32),
    /// IEEE 754 binary16.
    F16("F16", "f2", DType.F16),
    /// The upper half of binary32. NumPy has none.
    BF16("BF16", "", DType.BF16),
    /// 64-bit signed integer.
    I64("I64", "i8", DType.I64),
    /// 32-bit signed integer.
    I32("I32", "i4", DType.I32),
    /// 16-bit signed integer.
    I16("I16", "i2", DType.I16),
    /// 8-bit signed integer.
    I8("I8", "i1", DType.I8),
    /// 64-bit unsigned integer.
    U64("U64", "u8", DType.U64),
    /// 32-bit unsigned integer.
    U32("U32", "u4", DType.U32),
    /// 16-bit unsigned integer.
    U16("U16", "u2", DType.U16),
    /// 8-bit unsigned integer.
    U8("U8", "u1", DType.U8),
    /// Truth value, one byte.
    BOOL("BOOL", "b1", DType.BOOL);

    private final String safetensors;
    private final String numpy;
    private final DType dtype;

    Element(String safetensors, String numpy, DType dtype) {
        this.safetensors = safetensors;
        this.numpy = numpy;
        this.dtype = dtype;
    }

    /// @return bytes of one number in the file
    public int bytes() {
        return dtype.bytes();
    }

    /// @return type of the array that is made of it
    public DType dtype() {
        return dtype;
    }

    /// @param dtype of an array
    /// @return how it is stored as it is
    public static Element of(DType dtype) {
        for (var element : values()) {
            if (element.dtype == dtype) {
                return element;
            }
        }
        throw new IllegalArgumentException(dtype + " has no stored form");
    }

    /// Whether numbers of a type can be stored so: fractions as fractions, whole ones as whole
    /// ones.
    boolean holds(DType other) {
        return other.isFloat() == dtype.isFloat() && other.isInteger() == dtype.isInteger();
    }

    /// Whether each number stored so is a number of a wider type too.
    boolean widensTo(DType wide) {
        boolean larger = wide.bytes() > dtype.bytes();
        return larger && holds(wide) && (dtype.isUnsigned() || !wide.isUnsigned());
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
