package org.meshbook.magics.daily;

import java.util.List;
import java.util.stream.Stream;
import org.meshbook.kernel.spi.Magic;
import org.meshbook.magics.daily.files.FileMagics;
import org.meshbook.magics.daily.session.SessionMagics;
import org.meshbook.magics.daily.timing.Timing;

/// All magics of this room and its sub-rooms.
public final class Daily {
    private Daily() {}

    /// @param imports what every cell imports, as source
    /// @return the magics
    public static List<Magic> magics(List<String> imports) {
        return Stream.of(
                        Timing.magics(),
                        SessionMagics.all(imports),
                        FileMagics.magics(),
                        ShowMagic.all(),
                        DocumentationMagics.all(),
                        List.of(QuickReference.of()))
                .flatMap(List::stream)
                .toList();
    }
}
