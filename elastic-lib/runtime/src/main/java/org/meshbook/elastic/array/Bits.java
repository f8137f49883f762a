package org.meshbook.elastic.array;

import org.meshbook.elastic.UsageError;

/// Counts of bits, by adding them up in pairs, fours and so on within each integer.
final class Bits {
    private static final long PAIRS = 0x5555_5555_5555_5555L;
    private static final long FOURS = 0x3333_3333_3333_3333L;
    private static final long EIGHTS = 0x0F0F_0F0F_0F0F_0F0FL;
    private static final long SUMS = 0x0101_0101_0101_0101L;

    private Bits() {}

    static Array count(Array x) {
        var dtype = x.dtype();
        UsageError.require(
                dtype.isInteger(), "popcount: %s has no bits to count; cast it first", x.type());
        var bits = x.cast(unsigned(dtype)).cast(DType.U64);
        var pairs = bits.sub(bits.shiftRightLogical(1).and(mask(PAIRS)));
        var fours = pairs.and(mask(FOURS)).add(pairs.shiftRightLogical(2).and(mask(FOURS)));
        var eights = fours.add(fours.shiftRightLogical(4)).and(mask(EIGHTS));
        return eights.mul(mask(SUMS)).shiftRightLogical(Long.SIZE - Byte.SIZE).cast(dtype);
    }

    private static DType unsigned(DType dtype) {
        return switch (dtype.bits()) {
            case Byte.SIZE -> DType.U8;
            case Short.SIZE -> DType.U16;
            case Integer.SIZE -> DType.U32;
            default -> DType.U64;
        };
    }

    private static HostArray mask(long bits) {
        var scalar = HostArray.zeros(ArrayType.of(DType.U64));
        Encoding.integer(scalar.bytes(), DType.U64, 0, bits);
        return scalar;
    }
}
