package org.meshbook.elastic.engine;

import java.util.List;
import org.meshbook.elastic.array.HostArray;

/// A compiled graph. Threads may run it at the same time.
public interface Executable extends AutoCloseable {
    /// Computes the results; blocks until done.
    ///
    /// @param inputs one array a parameter, of the graph's types; never changed
    /// @return one array a result, in fresh memory (a result that is a parameter may be that same
    ///   array)
    List<HostArray> run(List<HostArray> inputs);

    @Override
    void close();
}
