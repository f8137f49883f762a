package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.meshbook.elastic.array.Op;

/// Partitions products: what is summed over may be cut on both sides, the partial sums are then
/// added up between devices.
///
/// An axis does one job in a product. Batch dimensions are served first, then summed ones, then the
/// free dimensions of the left, then of the right; whoever finds its axis taken is gathered.
final class Contraction {
    private final LocalGraph local;
    private final Piece lhs;
    private final Piece rhs;
    private final List<List<String>> left;
    private final List<List<String>> right;
    private final Set<String> used = new HashSet<>();
    private final List<String> summed = new ArrayList<>();

    Contraction(LocalGraph local, Piece lhs, Piece rhs) {
        this.local = local;
        this.lhs = lhs;
        this.rhs = rhs;
        this.left = new ArrayList<>(Cuts.none(lhs.cuts().size()));
        this.right = new ArrayList<>(Cuts.none(rhs.cuts().size()));
    }

    Piece dot(Op.DotGeneral dot) {
        for (int i = 0; i < dot.lhsBatch().size(); i++) {
            batch(dot.lhsBatch().get(i), dot.rhsBatch().get(i));
        }
        for (int i = 0; i < dot.lhsContract().size(); i++) {
            sum(dot.lhsContract().get(i), dot.rhsContract().get(i));
        }
        var cuts = new ArrayList<List<String>>();
        dot.lhsBatch().forEach(dim -> cuts.add(left.get(dim)));
        for (int dim = 0; dim < left.size(); dim++) {
            if (!dot.lhsBatch().contains(dim) && !dot.lhsContract().contains(dim)) {
                cuts.add(free(lhs, left, dim));
            }
        }
        for (int dim = 0; dim < right.size(); dim++) {
            if (!dot.rhsBatch().contains(dim) && !dot.rhsContract().contains(dim)) {
                cuts.add(free(rhs, right, dim));
            }
        }
        return product(dot, cuts);
    }

    Piece convolution(Op.Convolution conv) {
        int spatial = conv.strides().size();
        sum(spatial + 1, spatial);
        var cuts = new ArrayList<>(Cuts.none(spatial + 2));
        cuts.set(0, free(lhs, left, 0));
        cuts.set(spatial + 1, free(rhs, right, spatial + 1));
        return product(conv, cuts);
    }

    private Piece product(Op op, List<List<String>> cuts) {
        var x = local.add(op, cuts, local.recut(lhs, left), local.recut(rhs, right));
        return local.allReduce(Op.ReduceKind.SUM, summed, x);
    }

    private void batch(int l, int r) {
        var axes = lhs.cuts().get(l).isEmpty() ? rhs.cuts().get(r) : lhs.cuts().get(l);
        if (axes.stream().noneMatch(used::contains)) {
            left.set(l, axes);
            right.set(r, axes);
            used.addAll(axes);
        }
    }

    /// Cut on one side only: the other is cut too if the axis has no other job there.
    private void sum(int l, int r) {
        var a = lhs.cuts().get(l);
        var b = rhs.cuts().get(r);
        boolean fits =
                a.equals(b) || (b.isEmpty() && idle(rhs, a)) || (a.isEmpty() && idle(lhs, b));
        var axes = a.isEmpty() ? b : a;
        if (fits && axes.stream().noneMatch(used::contains)) {
            left.set(l, axes);
            right.set(r, axes);
            used.addAll(axes);
            summed.addAll(axes);
        }
    }

    private static boolean idle(Piece other, List<String> axes) {
        return other.cuts().stream().flatMap(List::stream).noneMatch(axes::contains);
    }

    private List<String> free(Piece x, List<List<String>> target, int dim) {
        var axes = x.cuts().get(dim);
        if (axes.stream().noneMatch(used::contains)) {
            target.set(dim, axes);
            used.addAll(axes);
        }
        return target.get(dim);
    }
}
