package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.List;

/// Types of products and convolutions.
final class ProductTypes {
    private final Operands operands;

    ProductTypes(Operands operands) {
        this.operands = operands;
    }

    ArrayType dot(Op.DotGeneral dot) {
        var a = operands.two();
        var b = operands.get(1);
        operands.sameDtype(a, b);
        pairs(dot.lhsBatch(), dot.rhsBatch(), "batch");
        pairs(dot.lhsContract(), dot.rhsContract(), "contracting");
        var left = new ArrayList<>(dot.lhsBatch());
        left.addAll(dot.lhsContract());
        var right = new ArrayList<>(dot.rhsBatch());
        right.addAll(dot.rhsContract());
        operands.check(
                Operands.distinct(left) && Operands.distinct(right),
                "a dimension is named twice in %s",
                dot);
        var dims = new ArrayList<Integer>();
        dot.lhsBatch().forEach(dim -> dims.add(a.shape().dim(dim)));
        dims.addAll(Operands.without(a.shape(), left));
        dims.addAll(Operands.without(b.shape(), right));
        return new ArrayType(a.dtype(), new Shape(dims));
    }

    private void pairs(List<Integer> lhs, List<Integer> rhs, String role) {
        var a = operands.get(0);
        var b = operands.get(1);
        operands.check(
                lhs.size() == rhs.size(),
                "%s dimensions %s and %s differ in number",
                role,
                lhs,
                rhs);
        for (int i = 0; i < lhs.size(); i++) {
            operands.inRange(lhs.get(i), a);
            operands.inRange(rhs.get(i), b);
            int left = a.shape().dim(lhs.get(i));
            int right = b.shape().dim(rhs.get(i));
            operands.check(
                    left == right,
                    "%s and %s do not fit; %s dimension %d of the left is %d, dimension %d of the"
                            + " right is %d",
                    a,
                    b,
                    role,
                    lhs.get(i),
                    left,
                    rhs.get(i),
                    right);
        }
    }

    ArrayType convolution(Op.Convolution conv) {
        var x = operands.two();
        var k = operands.get(1);
        operands.sameDtype(x, k);
        int spatial = conv.strides().size();
        operands.check(
                x.shape().rank() == spatial + 2 && k.shape().rank() == spatial + 2,
                "%s and %s do not fit; with %d spatial dimensions use input [N,spatial...,C] and"
                        + " kernel [spatial...,C,F]",
                x,
                k,
                spatial);
        operands.check(
                x.shape().dim(-1) == k.shape().dim(-2),
                "%s and %s do not fit; the input has %d channels, the kernel takes %d",
                x,
                k,
                x.shape().dim(-1),
                k.shape().dim(-2));
        var dims = new ArrayList<Integer>();
        dims.add(x.shape().dim(0));
        for (int i = 0; i < spatial; i++) {
            int in = dilated(x.shape().dim(i + 1), conv.inputDilation().get(i));
            int window = dilated(k.shape().dim(i), conv.kernelDilation().get(i));
            int room = in + conv.low().get(i) + conv.high().get(i) - window;
            dims.add(room < 0 ? 0 : room / conv.strides().get(i) + 1);
        }
        dims.add(k.shape().dim(-1));
        return new ArrayType(x.dtype(), new Shape(dims));
    }

    static int dilated(int size, int factor) {
        return size == 0 ? 0 : (size - 1) * factor + 1;
    }
}
