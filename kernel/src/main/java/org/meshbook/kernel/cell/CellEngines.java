package org.meshbook.kernel.cell;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.meshbook.kernel.spi.Extension;

/// Makes cell engines.
public final class CellEngines {
    private CellEngines() {}

    /// Opens an engine; returns at once, while JShell is built and warmed on a thread of its own.
    /// The first call that needs it waits.
    ///
    /// From now on `System.out`, `System.err` and `System.in` of this process go to the cell that
    /// the calling thread belongs to; to the original ones while no cell was run.
    ///
    /// @param extensions magics, renderers and start-up code; the first of two magics of one name
    ///   wins
    /// @return an engine
    public static CellEngine open(List<Extension> extensions) {
        return open(() -> extensions);
    }

    /// As [#open(List)], and loads the extensions while JShell is built.
    ///
    /// @param extensions loads them
    /// @return an engine
    public static CellEngine open(Supplier<List<Extension>> extensions) {
        var startup = Startup.begin();
        Streams.install();
        return new JavaCellEngine(extensions.get(), startup);
    }

    /// @param extensions magics, renderers and start-up code
    /// @return what is evaluated before the first cell: imports, mostly; one snippet an entry
    public static List<String> startup(List<Extension> extensions) {
        return Stream.concat(
                        Startup.IMPORTS.stream(),
                        extensions.stream().flatMap(e -> e.startup().stream()))
                .toList();
    }
}
