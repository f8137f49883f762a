package org.meshbook.elastic.jit;

import java.util.ArrayList;
import java.util.List;
import org.meshbook.elastic.MeshMismatch;
import org.meshbook.elastic.array.Array;
import org.meshbook.elastic.array.Structure;
import org.meshbook.elastic.array.Tree;
import org.meshbook.elastic.mesh.PartitionSpec;

/// Constraints on all arrays that a function returns.
final class OutShardings {
    private OutShardings() {}

    /// @param result of a traced function
    /// @param specs one for all, or one a leaf
    static Object of(Object result, List<PartitionSpec> specs) {
        if (result instanceof ValueAndGrad<?>(var value, var grad)) {
            var both = (List<?>) of(List.of(value, grad), specs);
            return new ValueAndGrad<Object>((Array) both.getFirst(), both.getLast());
        }
        var flat = Tree.flatten(result);
        var leaves = flat.leaves();
        if (specs.size() != 1 && specs.size() != leaves.size()) {
            throw new MeshMismatch(
                    "outShardings: %d specs %s for a result of %d leaves %s; give one for all, or one"
                            + " a leaf",
                    specs.size(), specs, leaves.size(), flat.structure().paths());
        }
        var constrained = new ArrayList<Array>();
        for (int i = 0; i < leaves.size(); i++) {
            constrained.add(Spmd.constrained(leaves.get(i), specs.get(specs.size() == 1 ? 0 : i)));
        }
        Structure structure = flat.structure();
        return structure.rebuild(constrained);
    }
}
