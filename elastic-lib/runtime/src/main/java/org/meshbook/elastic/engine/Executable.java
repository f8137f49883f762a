package org.meshbook.elastic.engine;

import java.util.List;
import java.util.function.Function;
import org.meshbook.elastic.array.ArrayType;
import org.meshbook.elastic.array.HostArray;

/// A compiled graph. Threads may run it at the same time.
public interface Executable extends AutoCloseable {
    /// Computes the results; blocks until done.
    ///
    /// @param inputs one array a parameter, of the graph's types; never changed
    /// @return one array a result, in fresh memory (a result that is a parameter may be that same
    ///   array)
    List<HostArray> run(List<HostArray> inputs);

    /// The same, with results in memory that the caller has.
    ///
    /// @param inputs one array a parameter, of the graph's types; never changed
    /// @param memory gives an array of a type, of any content; an engine need not ask for it
    /// @return one array a result
    default List<HostArray> run(List<HostArray> inputs, Function<ArrayType, HostArray> memory) {
        return run(inputs);
    }

    @Override
    void close();
}
