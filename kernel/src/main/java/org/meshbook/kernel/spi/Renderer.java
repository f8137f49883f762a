package org.meshbook.kernel.spi;

import java.util.Optional;
import java.util.Set;

/// Turns values of some type into something to look at. Called on the cell's thread; must not
/// block.
public interface Renderer {
    /// @param value a cell's value, or what was given to `display`
    /// @return what to show, or empty if this renderer does not know the type
    Optional<DisplayData> render(Object value);

    /// Renders for somebody who asked for certain types.
    ///
    /// @param value any value
    /// @param types MIME types that are asked for; others do no harm
    /// @return what to show, or empty if this renderer does not know the type
    default Optional<DisplayData> render(Object value, Set<String> types) {
        return render(value);
    }
}
