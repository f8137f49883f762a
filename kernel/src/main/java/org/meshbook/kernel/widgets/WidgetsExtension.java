package org.meshbook.kernel.widgets;

import java.util.List;
import java.util.Optional;
import org.meshbook.kernel.spi.Extension;
import org.meshbook.kernel.spi.Renderer;
import org.meshbook.kernel.widgets.controls.Widget;
import org.meshbook.kernel.widgets.model.FrontEnd;

/// Shows widgets, and makes [Widgets] and [Progress] known to cells. On demand, because a name that
/// is imported singly could not be declared by a cell.
public final class WidgetsExtension implements Extension {
    @Override
    public List<Renderer> renderers() {
        return List.of(
                value ->
                        value instanceof Widget<?> widget
                                ? Optional.of(widget.shown())
                                : Optional.empty());
    }

    @Override
    public List<String> startup() {
        return List.of("import org.meshbook.kernel.widgets.*;");
    }

    @Override
    public void close(boolean restart) {
        FrontEnd.closeAll();
    }
}
