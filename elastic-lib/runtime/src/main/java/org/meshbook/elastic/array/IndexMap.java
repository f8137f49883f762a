package org.meshbook.elastic.array;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Which dimension is which in [Op.Gather] and [Op.Scatter]: StableHLO's dimension numbers, with
/// one name for what is the same in both.
///
/// The array's dimensions are indexed or whole, and are either kept in a window or dropped; the
/// windows' dimensions and the indices' make up the result of a gather and the updates of a
/// scatter. Source: https://openxla.org/stablehlo/spec#gather
///
/// @param window dimensions of the windows, in the result or the updates: `offset_dims`,
///   `update_window_dims`
/// @param dropped dimensions of the array where windows have size 1 and that no window keeps:
///   `collapsed_slice_dims`, `inserted_window_dims`
/// @param batch dimensions of the array that go along with the indices', dropped too:
///   `operand_batching_dims`, `input_batching_dims`
/// @param indexBatch dimensions of the indices that go along with them:
///   `start_indices_batching_dims`, `scatter_indices_batching_dims`
/// @param indexed for each component of an index vector its dimension of the array:
///   `start_index_map`, `scatter_dims_to_operand_dims`
/// @param vector dimension of the indices that holds the components; the indices' rank if each
///   index is a vector of one: `index_vector_dim`
public record IndexMap(
        List<Integer> window,
        List<Integer> dropped,
        List<Integer> batch,
        List<Integer> indexBatch,
        List<Integer> indexed,
        int vector) {
    public IndexMap {
        window = List.copyOf(window);
        dropped = List.copyOf(dropped);
        batch = List.copyOf(batch);
        indexBatch = List.copyOf(indexBatch);
        indexed = List.copyOf(indexed);
    }

    /// One index for each element, in an array that goes along with the indices in all other
    /// dimensions: what `takeAlongAxis` needs.
    ///
    /// @param rank of the array and the indices
    /// @param dim the indexed dimension
    /// @return the map
    public static IndexMap along(int rank, int dim) {
        var others = IntStream.range(0, rank).filter(d -> d != dim).boxed().toList();
        return new IndexMap(List.of(), List.of(dim), others, others, List.of(dim), rank);
    }

    /// @param rank of the array
    /// @return the array's dimensions that windows keep, in order
    public List<Integer> kept(int rank) {
        return IntStream.range(0, rank)
                .filter(d -> !dropped.contains(d) && !batch.contains(d))
                .boxed()
                .toList();
    }

    /// @param rank of the result or the updates
    /// @return those of its dimensions that are the indices', in order
    public List<Integer> around(int rank) {
        return IntStream.range(0, rank).filter(d -> !window.contains(d)).boxed().toList();
    }

    /// @param rank of the indices
    /// @return the indices' dimensions without the index vectors', in order
    public List<Integer> indexDims(int rank) {
        return IntStream.range(0, rank).filter(d -> d != vector).boxed().toList();
    }

    /// @param indices shape of the indices
    /// @return components of each index vector
    public int components(Shape indices) {
        return vector == indices.rank() ? 1 : indices.dim(vector);
    }

    /// @param array shape of the array
    /// @param updates shape of a scatter's updates
    /// @return size of its windows in each dimension of the array
    public List<Integer> sizes(Shape array, Shape updates) {
        var kept = kept(array.rank());
        return IntStream.range(0, array.rank())
                .map(d -> kept.contains(d) ? updates.dim(window.get(kept.indexOf(d))) : 1)
                .boxed()
                .toList();
    }

    /// @param indices shape of the indices
    /// @param sizes of a gather's windows in each dimension of the array
    /// @return shape of the result
    Shape gathered(Shape indices, List<Integer> sizes) {
        var kept = kept(sizes.size());
        var around = indexDims(indices.rank());
        int rank = kept.size() + around.size();
        var dims = new ArrayList<Integer>();
        int next = 0;
        for (int d = 0; d < rank; d++) {
            int at = window.indexOf(d);
            dims.add(at >= 0 ? sizes.get(kept.get(at)) : indices.dim(around.get(next++)));
        }
        return new Shape(dims);
    }
}
