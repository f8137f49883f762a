package org.meshbook.magics.slices;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.meshbook.elastic.ElasticException;
import org.meshbook.elastic.engine.Engines;
import org.meshbook.kernel.spi.Cell;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace;
import org.meshbook.magics.args.Grammar;
import org.meshbook.magics.engine.EngineTable;

/// Shows the engines, and chooses the one of the next slices.
public final class EngineMagic implements Magic {
    private static final Grammar GRAMMAR = new Grammar("%engine", List.of("NAME"), List.of());

    private final Lease lease;

    /// @param lease the slices of this process
    public EngineMagic(Lease lease) {
        this.lease = lease;
    }

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public String group() {
        return "slices";
    }

    @Override
    public String help() {
        return """
        Shows the engines that compute on the devices, or chooses one for the next slices.

          %engine                 what there is, and what is missing
          %engine xla             the next %slices run with XLA

        """
                + GRAMMAR.usage();
    }

    @Override
    public List<String> complete(String arguments, int cursor, Workspace workspace) {
        var start = arguments.substring(0, Math.min(cursor, arguments.length())).strip();
        return Engines.available().stream().filter(name -> name.startsWith(start)).toList();
    }

    @Override
    public @Nullable Object run(Call call, Cell cell) {
        var name = GRAMMAR.parse(call.arguments()).word(0);
        if (name.isEmpty()) {
            cell.display(EngineTable.of(lease.engine()).display());
            return null;
        }
        try {
            lease.engine(name.get().toLowerCase(Locale.ROOT));
        } catch (ElasticException e) {
            throw SlicesMagic.oneLine(e);
        }
        cell.out()
                .println(
                        "the next slices run with engine '%s'%s"
                                .formatted(
                                        lease.engine(),
                                        lease.view().isPresent()
                                                ? "; free those that are there by %slices 0"
                                                : ""));
        return null;
    }
}
