package org.meshbook.magics.daily.timing;

import java.util.List;
import org.meshbook.kernel.spi.Magic;

/// The magics of this room.
public final class Timing {
    private Timing() {}

    /// @return the magics
    public static List<Magic> magics() {
        return List.of(new TimeMagic(), new TimeitMagic());
    }
}
