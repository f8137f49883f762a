package org.meshbook.magics.daily.session;

import java.util.List;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.kernel.spi.Workspace.Variable;

/// The magics of this room.
public final class SessionMagics {
    private SessionMagics() {}

    /// @param imports what every cell imports, as source
    /// @return the magics
    public static List<Magic> all(List<String> imports) {
        return List.of(
                WhoMagic.of("who"),
                WhoMagic.of("vars"),
                HistoryMagic.history(),
                HistoryMagic.rerun("rerun"),
                HistoryMagic.rerun("recall"),
                ResetMagic.of(),
                ImportsMagic.of(imports),
                MemoryMagic.memory(),
                MemoryMagic.gc(),
                SaveMagic.of(imports));
    }

    /// @param variable any
    /// @return it in a few lines
    public static String described(Variable variable) {
        var size = Values.size(variable.value());
        return "%s %s = %s%s"
                .formatted(
                        WhoMagic.simple(variable.type()),
                        variable.name(),
                        Values.brief(variable.value()),
                        size.isEmpty() ? "" : "   (" + size + ")");
    }
}
