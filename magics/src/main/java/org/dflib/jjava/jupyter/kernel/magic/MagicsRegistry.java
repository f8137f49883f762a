package org.dflib.jjava.jupyter.kernel.magic;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.meshbook.magics.compat.Bridge;
import org.meshbook.magics.compat.NamedMagic;

/// Adds magics at run time. Thread-safe.
public class MagicsRegistry {
    private final Set<String> lines = new ConcurrentSkipListSet<>();
    private final Set<String> cells = new ConcurrentSkipListSet<>();

    public MagicsRegistry() {}

    /// @param name without its `%`
    /// @param magic what it does
    @SuppressWarnings("unchecked") // there is one kernel, of every type that is asked for
    public MagicsRegistry registerLineMagic(String name, LineMagic<?, ?> magic) {
        lines.add(name);
        NamedMagic.line(
                name, (args, _) -> ((LineMagic<?, BaseKernel>) magic).eval(Bridge.kernel(), args));
        return this;
    }

    /// @param name without its `%%`
    /// @param magic what it does
    @SuppressWarnings("unchecked") // as above
    public MagicsRegistry registerCellMagic(String name, CellMagic<?, ?> magic) {
        cells.add(name);
        NamedMagic.cell(
                name,
                (args, body) ->
                        ((CellMagic<?, BaseKernel>) magic).eval(Bridge.kernel(), args, body));
        return this;
    }

    public <T, K extends BaseKernel> T evalLineMagic(K kernel, String name, List<String> args) {
        return Bridge.lineMagic(name, args);
    }

    public <T, K extends BaseKernel> T evalCellMagic(
            K kernel, String name, List<String> args, String body) {
        return Bridge.cellMagic(name, args, body);
    }

    /// @return those that were registered here
    public Set<String> getLineMagicNames() {
        return Set.copyOf(lines);
    }

    /// @return those that were registered here
    public Set<String> getCellMagicNames() {
        return Set.copyOf(cells);
    }
}
