package org.meshbook.elastic.optim;

import static org.meshbook.elastic.UsageError.require;

import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Tree;

/// What is done to a gradient before the step.
public final class Gradients {
    private Gradients() {}

    /// @param tree of float arrays, at least one
    /// @return the root of the sum of all squares, a scalar of the first leaf's dtype
    public static Array globalNorm(Object tree) {
        var leaves = Tree.leaves(tree);
        require(!leaves.isEmpty(), "global norm: the tree holds no array");
        var dtype = leaves.getFirst().dtype();
        return leaves.stream()
                .map(leaf -> leaf.square().sum().cast(dtype))
                .reduce(Array::add)
                .orElseThrow()
                .sqrt();
    }

    /// Shortens a gradient that is too long, and keeps its direction.
    ///
    /// @param gradient a tree of float arrays
    /// @param most greatest global norm
    /// @param <P> type of the tree
    /// @return the gradient, with a global norm of at most `most`
    public static <P> P clipByGlobalNorm(P gradient, double most) {
        require(most > 0, "clip by global norm: %s; give a positive number", most);
        var norm = globalNorm(gradient);
        var fits = norm.lt(most);
        return Tree.map(
                gradient,
                leaf -> Array.where(fits, leaf, leaf.div(norm.cast(leaf.dtype())).mul(most)));
    }
}
